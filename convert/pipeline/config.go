package pipeline

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/suggest"
)

// maxConfig is the most bytes that a pipeline file may have. The YAML parser takes quadratic time on deep nesting.
const maxConfig = 64 << 10

// Config is a pipeline and where each of its values came from.
type Config struct {
	Pipeline Pipeline
	Origins  map[string]string // by key: "default", "preset web", "my.yaml:12", "--set"
}

// Layer holds settings that override those of the layers before it.
type Layer struct {
	apply func(*Config, Layer) error
	name  string   // as messages and origins show it
	text  []byte   // for read: YAML
	lines bool     // for read: origins include the line
	dir   string   // for read: the folder to which game.paths and game.palette are relative
	set   string   // for assign: key=value
	paths []string // for prepend
	all   *[]error // for read: collects mistakes; nil stops at the first
}

// FileLayer returns a pipeline file as a layer. Relative paths in it are relative to its folder, and "~/" is the
// home folder.
func FileLayer(name string, text []byte) Layer {
	return Layer{apply: (*Config).read, name: name, text: text, lines: true, dir: filepath.Dir(name)}
}

// SetLayer returns one assignment as a layer, like "lightmap.padding=4" or "entities.skip=[light, info_*]".
func SetLayer(assignment string) Layer {
	return Layer{apply: (*Config).assign, name: "--set", set: assignment}
}

// GameLayer returns a layer of game folders and archives, which are searched before those of the layers so far.
func GameLayer(paths ...string) Layer {
	return Layer{apply: (*Config).prepend, name: "--game", paths: paths}
}

// defaults returns Default with the origins of its values.
func defaults() *Config {
	c := &Config{Pipeline: Default(), Origins: make(map[string]string)}
	for _, o := range options() {
		c.Origins[o.key] = "default"
	}
	return c
}

// Load applies the layers to the default pipeline in order, so that later ones override earlier ones. Unknown and
// repeated keys, wrong types and values out of range are a *ConfigError.
func Load(layers ...Layer) (*Config, error) {
	c := defaults()
	for _, l := range layers {
		if err := l.apply(c, l); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Check returns every mistake in a pipeline file, in the order of the file. Load stops at the first.
func Check(name string, text []byte) []error {
	var all []error
	l := FileLayer(name, text)
	l.all = &all
	c := &Config{Origins: map[string]string{}}
	if err := c.read(l); err != nil { // the rest can't be read
		all = append(all, err)
	}
	return all
}

// ConfigError reports a mistake in a pipeline file or an assignment. It is a limits.ErrUsage.
type ConfigError struct {
	File         string // or "--set"
	Line, Column int    // from 1; 0 in an assignment
	Message      string
	Excerpt      string // the line with a caret below the column; "" if the error concerns no line
}

func (e *ConfigError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Is makes every ConfigError a limits.ErrUsage.
func (e *ConfigError) Is(target error) bool { return target == limit.ErrUsage }

// source is a YAML text, for errors in it.
type source struct {
	Layer
	key string // key of an assignment, which is not part of the text
}

// fail returns an error at a position in the source.
func (s *source) fail(at *token.Position, format string, args ...any) error {
	e := &ConfigError{File: s.name, Message: fmt.Sprintf(format, args...)}
	if s.key != "" {
		e.Message = s.key + ": " + e.Message
		e.Excerpt = excerpt([]byte(s.set), 1, len(s.key)+1+at.Column, true)
		return e
	}
	e.Line, e.Column = at.Line, at.Column
	e.Excerpt = excerpt(s.text, at.Line, at.Column, false)
	return e
}

// parse returns the root of the source's YAML, or nil if there is nothing in it.
func (s *source) parse(text []byte) (ast.Node, error) {
	if len(text) > maxConfig {
		return nil, &ConfigError{File: s.name, Message: fmt.Sprintf("%d bytes are more than a pipeline file has (%d)", len(text),
			maxConfig)}
	}
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return nil, &ConfigError{File: s.name, Message: "the file is in UTF-16: save it as UTF-8"}
	}
	file, err := parser.ParseBytes(text, 0)
	var y yaml.Error
	if errors.As(err, &y) && y.GetToken() != nil && y.GetToken().Position != nil {
		message := y.GetMessage()
		if strings.Contains(message, "'\t'") {
			message = "a tab, where only spaces indent"
		}
		return nil, s.fail(y.GetToken().Position, "%s", message)
	} else if err != nil {
		return nil, &ConfigError{File: s.name, Message: err.Error()}
	}
	var root ast.Node
	for _, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentGroupType {
			continue
		}
		if root != nil {
			return nil, s.fail(position(doc.Body), "a second document; a pipeline file is one")
		}
		root = doc.Body
	}
	return root, nil
}

// position returns the start of a node.
func position(n ast.Node) *token.Position {
	// The token of a mapping is its first colon.
	if m, ok := n.(ast.MapNode); ok {
		if it := m.MapRange(); it.Next() {
			n = it.Key()
		}
	}
	if tk := n.GetToken(); tk != nil && tk.Position != nil {
		return tk.Position
	}
	return &token.Position{Line: 1, Column: 1}
}

// read applies a file to c.
func (c *Config) read(l Layer) error {
	l.text = bytes.TrimPrefix(l.text, []byte("\ufeff")) // byte order mark, as written by Notepad
	s := &source{Layer: l}
	root, err := s.parse(l.text)
	if err != nil || root == nil {
		return err
	}
	return s.each(root, "a pipeline file is sections like lightmap:", func(name string, key, value ast.Node) error {
		if o := findOption(name); o != nil && o.section == "" {
			return c.put(s, o, key, value)
		}
		if !slices.Contains(sections(), name) {
			return s.fail(position(key), "unknown key %q%s", name, hint("", name))
		}
		if value == nil || value.Type() == ast.NullType {
			return nil // everything is commented out
		}
		return s.each(value, name+" is a section, with keys of its own", func(k string, key, value ast.Node) error {
			o := findOption(joinKey(name, k))
			if o == nil {
				return s.fail(position(key), "unknown key %q in %s%s", k, name, hint(name, k))
			}
			return c.put(s, o, key, value)
		})
	})
}

// each calls f with every key of a mapping. It fails with the text want if n is not a mapping.
func (s *source) each(n ast.Node, want string, f func(name string, key, value ast.Node) error) error {
	m, ok := n.(ast.MapNode)
	if !ok {
		return s.fail(position(n), "%s where keys are expected: %s", kindOf(n), want)
	}
	for it := m.MapRange(); it.Next(); {
		key, ok := it.Key().(*ast.StringNode)
		if !ok {
			return s.fail(position(it.Key()), "%s where a key is expected", kindOf(it.Key()))
		}
		switch err := f(key.Value, key, it.Value()); {
		case err != nil && s.all != nil:
			*s.all = append(*s.all, err)
		case err != nil:
			return err
		}
	}
	return nil
}

// put sets an option to the value of a node.
func (c *Config) put(s *source, o *option, key, n ast.Node) error {
	v, err := s.value(o, key, n)
	if err != nil {
		return err
	}
	if message := o.check(v); message != "" {
		return s.fail(position(n), "%s%s", s.label(o), message)
	}
	if paths, ok := v.([]string); ok && o.key == "game.paths" && s.dir != "" {
		for i, p := range paths {
			paths[i] = resolve(s.dir, p)
		}
	}
	if file, ok := v.(string); ok && o.key == "game.palette" && s.dir != "" {
		v = resolve(s.dir, file)
	}
	o.in(&c.Pipeline).Set(reflect.ValueOf(v).Convert(o.kind))
	c.Origins[o.key] = s.name
	if s.lines {
		c.Origins[o.key] = fmt.Sprintf("%s:%d", s.name, position(key).Line)
	}
	return nil
}

// label returns the beginning of a message about an option in a file. It is empty for an assignment, whose messages
// start with the key already.
func (s *source) label(o *option) string {
	if s.key != "" {
		return ""
	}
	return o.key + ": "
}

// value returns a node as the option's type.
func (s *source) value(o *option, key, n ast.Node) (any, error) {
	wrong := func(n ast.Node) error {
		at := n
		if n == nil || n.Type() == ast.NullType {
			at = key // an empty value has no position
		}
		return s.fail(position(at), "%s%s where %s is expected", s.label(o), kindOf(n), o.want())
	}
	switch o.kind.Kind() {
	case reflect.Bool:
		if n, ok := n.(*ast.BoolNode); ok {
			return n.Value, nil
		}
	case reflect.Int:
		if n, ok := n.(*ast.IntegerNode); ok {
			switch v := n.Value.(type) {
			case int64:
				return int(v), nil
			case uint64:
				return int(min(v, math.MaxInt)), nil
			}
		}
	case reflect.Float64:
		switch n := n.(type) {
		case *ast.FloatNode:
			return n.Value, nil
		case *ast.IntegerNode:
			switch v := n.Value.(type) {
			case int64:
				return float64(v), nil
			case uint64:
				return float64(v), nil
			}
		}
	case reflect.String:
		if v, ok := textOf(n); ok {
			return v, nil
		}
	case reflect.Slice:
		list, ok := n.(*ast.SequenceNode)
		if !ok {
			break
		}
		all := make([]string, len(list.Values))
		for i, n := range list.Values {
			if all[i], ok = textOf(n); !ok {
				return nil, s.fail(position(n), "%s%s where a text is expected%s", s.label(o), kindOf(n), inQuotes(n))
			}
		}
		return all, nil
	}
	if o.kind.Kind() == reflect.String && inQuotes(n) != "" {
		return nil, s.fail(position(n), "%s%s where a text is expected%s", s.label(o), kindOf(n), inQuotes(n))
	}
	return nil, wrong(n)
}

// textOf returns the value of a string node.
func textOf(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	}
	return "", false
}

// inQuotes returns a hint on how to quote a scalar that YAML does not read as a string.
func inQuotes(n ast.Node) string {
	switch n.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode:
		if v := n.GetToken().Value; v != "" {
			return fmt.Sprintf("; in quotes it is one: %q", v)
		}
	}
	return ""
}

// kindOf returns the kind of a node in words, with its value if that is short.
func kindOf(n ast.Node) string {
	switch n := n.(type) {
	case *ast.StringNode:
		return fmt.Sprintf("the text %q", cutRunes(n.Value, 40))
	case *ast.LiteralNode:
		return "a text of several lines"
	case *ast.BoolNode, *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return cutRunes(n.GetToken().Value, 40)
	case *ast.SequenceNode:
		return "a list"
	case ast.MapNode:
		return "a section"
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		return "an anchor or alias"
	case *ast.TagNode:
		return "a tag"
	}
	return "nothing"
}

// cutRunes returns the first n runes of s.
func cutRunes(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}

// hint returns a suggestion for a key that does not exist, or not in this section.
func hint(section, name string) string {
	var here []string
	for _, o := range options() {
		if o.section == section {
			here = append(here, o.name)
		}
	}
	if section == "" {
		here = append(here, sections()...)
	}
	for _, o := range options() {
		if o.section != "" && (o.name == name || o.key == name) {
			return fmt.Sprintf("; did you mean %q in the section %s?", o.name, o.section)
		}
	}
	if m := meant(name, here); m != "" {
		return m
	}
	return "; there are " + strings.Join(here, ", ")
}

// meant returns the end of a message that suggests the word that was probably meant.
func meant(word string, words []string) string {
	if w := suggest.Word(word, words); w != "" {
		return fmt.Sprintf("; did you mean %q?", w)
	}
	return ""
}

// otherNames maps words that people try as a key to the key.
var otherNames = map[string]string{
	"scale": "output.unit", "units": "output.unit", "size": "output.unit", "output.scale": "output.unit", "geometry.scale": "output.unit",
	"textures": "materials.images", "texture": "materials.images", "lightmaps": "lightmap.carrier", "light": "lightmap.carrier",
	"skybox": "sky.mode", "lamps": "entities.lights", "lights": "entities.lights", "palette": "game.palette",
}

// assign applies key=value to c.
func (c *Config) assign(l Layer) error {
	key, value, ok := strings.Cut(l.set, "=")
	if !ok {
		return &ConfigError{File: l.name, Message: fmt.Sprintf("%q is not key=value, like lightmap.padding=4", cutRunes(l.set, 200))}
	}
	o := findOption(key)
	if o == nil {
		e := &ConfigError{File: l.name, Excerpt: excerpt([]byte(l.set), 1, 1, true)}
		if slices.Contains(sections(), key) {
			e.Message = fmt.Sprintf("%s is a section; set a key of it, like %s", key, firstKey(key))
			return e
		}
		var all, named []string
		for _, o := range options() {
			all = append(all, o.key)
			if o.name == key {
				named = append(named, o.key)
			}
		}
		e.Message = fmt.Sprintf("unknown key %q%s", cutRunes(key, 200), meant(key, append(named, all...)))
		if other := otherNames[strings.ToLower(key)]; other != "" {
			named = []string{other}
		}
		if len(named) > 0 {
			e.Message = fmt.Sprintf("unknown key %q; did you mean %q?", key, named[0])
		}
		return e
	}
	s := &source{Layer: l, key: key}
	// A string is taken literally, so that game.name=1942 needs no second pair of quotes.
	if o.kind.Kind() == reflect.String && !strings.HasPrefix(value, `"`) && !strings.HasPrefix(value, `'`) {
		if message := o.check(value); message != "" {
			return s.fail(&token.Position{Line: 1, Column: 1}, "%s", message)
		}
		o.in(&c.Pipeline).SetString(value)
		c.Origins[key] = l.name
		return nil
	}
	root, err := s.parse([]byte(value))
	if err != nil {
		return err
	}
	if root == nil {
		return s.fail(&token.Position{Line: 1, Column: 1}, "nothing where %s is expected", o.want())
	}
	return c.put(s, o, root, root)
}

// firstKey returns the first key of a section.
func firstKey(section string) string {
	for _, o := range options() {
		if o.section == section {
			return o.key
		}
	}
	return section
}

// prepend puts game folders before those of the layers so far.
func (c *Config) prepend(l Layer) error {
	const key = "game.paths"
	if len(l.paths) == 0 {
		return nil
	}
	if len(c.Pipeline.Game.Paths) > 0 {
		l.name += ", " + c.Origins[key]
	}
	c.Pipeline.Game.Paths = slices.Concat(l.paths, c.Pipeline.Game.Paths)
	c.Origins[key] = l.name
	return nil
}

// resolve returns a path that is relative to dir as a path relative to the current folder.
func resolve(dir, p string) string {
	if rest, ok := strings.CutPrefix(p, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(p) || p == "" {
		return p
	}
	return filepath.Join(dir, p)
}

// excerpt returns a line of text, the two lines before it, and a caret below the column. An assignment gets no line
// numbers. Control characters are shown as dots, and of a long line only the part around the column.
func excerpt(text []byte, line, column int, bare bool) string {
	const width, before = 120, 80
	lines := strings.Split(string(text), "\n")
	if line < 1 || line > len(lines) || column < 1 {
		return ""
	}
	show := func(i int) string {
		skip := max(0, column-before)
		var b strings.Builder
		n := 0
		for _, r := range strings.TrimRight(lines[i-1], "\r") {
			if n++; n <= skip {
				continue
			} else if n > skip+width {
				break
			}
			switch {
			case r == '\t':
				b.WriteByte(' ')
			case unicode.IsPrint(r):
				b.WriteRune(r)
			default:
				b.WriteRune('·')
			}
		}
		return b.String()
	}
	caret := strings.Repeat(" ", min(column, before)-1) + "^"
	if bare {
		return "> " + show(1) + "\n  " + caret
	}
	var b strings.Builder
	for i := max(1, line-2); i < line; i++ {
		b.WriteString(strings.TrimRight(fmt.Sprintf("  %2d | %s", i, show(i)), " ") + "\n")
	}
	mark := fmt.Sprintf("> %2d | ", line)
	fmt.Fprintf(&b, "%s%s\n%s%s", mark, show(line), strings.Repeat(" ", len(mark)), caret)
	return b.String()
}
