// Package extras is the table of the keys that outputs have in extras: the contract with those who read them. Documents show its rows,
// and tests compare it with what is written and with what our readers use.
package extras

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Key is a row of the table: a key, or several with the same meaning.
type Key struct {
	On      string   // the kind of thing with the extras, or the name of the object that has the key
	Name    string   `json:"key"` // alternatives are in braces; * at the end is for any text
	Type    string   // text, number, true, yes or no, numbers, list, object; texture, textures and accessor are indices
	Means   string   // Markdown, with links relative to docs
	Readers []string // those of ours that act on it, of ReaderNames
}

// readerGroups are the names by which documents sum up readers, where a key is read by all of them.
var readerGroups = []struct {
	name    string
	readers []string
}{
	{"viewers", []string{"page", "three", "babylon", "blender", "godot"}},
	{"web", []string{"page", "three", "babylon"}},
}

// ReaderNames is how documents name our readers.
var ReaderNames = map[string]string{
	"page": "page", "three": "three.js", "babylon": "Babylon.js", "blender": "Blender", "godot": "Godot", "unity": "Unity",
	"gltf-transform": "gltf-transform",
}

//go:embed extras.json
var table []byte

// Keys returns the table.
func Keys() ([]Key, error) {
	var keys []Key
	err := json.Unmarshal(table, &keys)
	return keys, err
}

// Names returns the names that a row stands for. A name that ends in * is a pattern.
func (k *Key) Names() []string {
	before, rest, several := strings.Cut(k.Name, "{")
	if !several {
		return []string{k.Name}
	}
	list, after, _ := strings.Cut(rest, "}")
	var names []string
	for part := range strings.SplitSeq(list, ",") {
		names = append(names, before+part+after)
	}
	return names
}

// Markdown returns the rows of some kinds as a table, which has a column for the kind if there are several.
func Markdown(keys []Key, kinds []string) string {
	var b strings.Builder
	if len(kinds) > 1 {
		b.WriteString("| on | key | type | | read by |\n| --- | --- | --- | --- | --- |\n")
	} else {
		b.WriteString("| key | type | | read by |\n| --- | --- | --- | --- |\n")
	}
	for _, kind := range kinds {
		on := kind
		for i := range keys {
			if keys[i].On != kind {
				continue
			}
			if len(kinds) > 1 {
				fmt.Fprintf(&b, "| %s ", on)
				on = ""
			}
			b.WriteString(keys[i].row())
		}
	}
	return b.String()
}

// Lacks returns a list of the keys that a reader does not act on, but another does: an item for each kind.
func Lacks(keys []Key, reader, other string) string {
	var b strings.Builder
	last := ""
	for i := range keys {
		k := &keys[i]
		if slices.Contains(k.Readers, reader) || !slices.Contains(k.Readers, other) {
			continue
		}
		switch {
		case k.On == last:
			b.WriteString(", ")
		case last != "":
			b.WriteString("\n- " + k.On + ": ")
		default:
			b.WriteString("- " + k.On + ": ")
		}
		b.WriteString(k.quoted())
		last = k.On
	}
	if last == "" {
		return "- none\n"
	}
	b.WriteByte('\n')
	return b.String()
}

// quoted returns the names of a row as code, with commas between.
func (k *Key) quoted() string {
	names := k.Names()
	for i, name := range names {
		names[i] = "`" + name + "`"
	}
	if last := len(names) - 1; strings.HasSuffix(k.Name, "*") {
		names[last] = strings.Replace(names[last], "*", "…", 1)
	}
	return strings.Join(names, ", ")
}

// row returns the cells of a row but for the first.
func (k *Key) row() string {
	readers, rest := []string{}, k.Readers
	for _, g := range readerGroups {
		if !slices.ContainsFunc(g.readers, func(r string) bool { return !slices.Contains(rest, r) }) {
			readers = append(readers, g.name)
			rest = slices.DeleteFunc(slices.Clone(rest), func(r string) bool { return slices.Contains(g.readers, r) })
		}
	}
	for _, r := range rest {
		readers = append(readers, ReaderNames[r])
	}
	return fmt.Sprintf("| %s | %s | %s | %s |\n", k.quoted(), k.Type, k.Means, strings.Join(readers, ", "))
}
