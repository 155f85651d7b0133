package pipeline

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/bsp2gltf/bsp2gltf"
)

// rule restricts the values of an option beyond its Go type.
type rule struct {
	min, max float64  // of a number, inclusive
	enum     []string // values of a string; nil for any
	pattern
}

// ruleOf reads the tag "values" of an option's field: "0.5 to 64" for a number, which needs one, "png, webp" for a text, which may have
// one or a row of patterns.
func ruleOf(key string, f reflect.StructField) (r rule) {
	values, tagged := f.Tag.Lookup("values")
	switch f.Type.Kind() {
	case reflect.Int, reflect.Float64:
		least, most, _ := strings.Cut(values, " to ")
		var bad1, bad2 error
		r.min, bad1 = strconv.ParseFloat(least, 64)
		r.max, bad2 = strconv.ParseFloat(most, 64)
		if bad1 != nil || bad2 != nil {
			panic(fmt.Sprintf("%s: its values are %q, not like \"0 to 7\"", key, values)) // a bug
		}
	case reflect.String:
		if r.pattern = patterns[key]; tagged {
			r.enum = strings.Split(values, ", ")
		}
	}
	return r
}

// option is a leaf of Pipeline: a line of pipeline.yaml.
type option struct {
	section string // like "lightmap", or "" at the top level
	name    string // like "page_size"
	index   []int  // index of its field in Pipeline
	key     string // like "lightmap.page_size"
	kind    reflect.Type
	rule    rule
}

// doc returns the option's comment in pipeline.yaml.
func (o *option) doc() string { return docs()[o.key].text }

func joinKey(section, name string) string {
	if section == "" {
		return name
	}
	return section + "." + name
}

// in returns the option's field in p.
func (o *option) in(p *Pipeline) reflect.Value {
	return reflect.ValueOf(p).Elem().FieldByIndex(o.index)
}

// want returns the values that the option accepts, in words.
func (o *option) want() string {
	spanned := func(what string) string { return fmt.Sprintf("%s from %s", what, o.span()) }
	switch o.kind.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return spanned("a whole number")
	case reflect.Float64:
		return spanned("a number")
	case reflect.Slice:
		return "a list of texts, like [a, b]"
	}
	if o.rule.enum != nil {
		return "one of " + strings.Join(o.rule.enum, ", ")
	}
	return "a text"
}

func (o *option) span() string {
	if o.rule.min == o.rule.max {
		return decimal(o.rule.min)
	}
	return decimal(o.rule.min) + " to " + decimal(o.rule.max)
}

// check returns what is wrong with a value of the option's type, or "".
func (o *option) check(v any) string {
	if text := reflect.ValueOf(v); text.Kind() == reflect.String { // of any string type
		return o.checkText(text.String())
	}
	r := o.rule
	switch v := v.(type) {
	case int:
		return o.check(float64(v))
	case float64:
		if o.key == "version" && v != r.min {
			return fmt.Sprintf("this bsp2gltf reads version %s, not %s", decimal(r.min), decimal(v))
		}
		if !(v >= r.min && v <= r.max) { // not v < min || v > max, which is false for NaN
			return fmt.Sprintf("%s is outside %s", decimal(v), o.span())
		}
	}
	return ""
}

// checkText does what check does for a string.
func (o *option) checkText(v string) string {
	r := o.rule
	switch {
	case r.enum != nil && !slices.Contains(r.enum, v):
		return fmt.Sprintf("%q is not one of %s%s", v, strings.Join(r.enum, ", "), meant(v, r.enum))
	case r.expression != "" && !regexp.MustCompile(r.expression).MatchString(v):
		return fmt.Sprintf("%q is not %s", v, r.want)
	}
	return ""
}

// decimal formats a number without an exponent or trailing zeros.
func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// options returns the leaves of Pipeline, in its order.
var options = sync.OnceValue(func() []option {
	var all []option
	add := func(section string, index []int, f reflect.StructField) {
		o := option{section: section, name: f.Tag.Get("yaml"), index: index, kind: f.Type}
		o.key = joinKey(section, o.name)
		o.rule = ruleOf(o.key, f)
		all = append(all, o)
	}
	top := reflect.TypeFor[Pipeline]()
	for i := range top.NumField() {
		f := top.Field(i)
		if f.Type.Kind() != reflect.Struct {
			add("", []int{i}, f)
			continue
		}
		for j := range f.Type.NumField() {
			add(f.Tag.Get("yaml"), []int{i, j}, f.Type.Field(j))
		}
	}
	return all
})

// findOption returns the option of a key like "lightmap.page_size", or nil.
func findOption(key string) *option {
	all := options()
	for i := range all {
		if all[i].key == key {
			return &all[i]
		}
	}
	return nil
}

// sections returns the names of the sections, in Pipeline's order.
func sections() []string {
	var names []string
	for _, o := range options() {
		if o.section != "" && (len(names) == 0 || names[len(names)-1] != o.section) {
			names = append(names, o.section)
		}
	}
	return names
}

// comment is what pipeline.yaml says of a key, with its lines joined.
type comment struct {
	text  string
	place int // of the key among all
}

// docs returns the comment of every key of pipeline.yaml. Only help and the like need them.
var docs = sync.OnceValue(func() map[string]comment {
	keyLine := regexp.MustCompile(`^( *)([a-z_]+):[^#]*(?:#(.*))?$`)
	moreLine := regexp.MustCompile(`^ {3,}#(.*)$`)
	docs := make(map[string]comment)
	section, key := "", ""
	for l := range strings.Lines(string(bsp2gltf.DefaultPipeline)) {
		l = strings.TrimRight(l, "\r\n")
		if m := moreLine.FindStringSubmatch(l); m != nil && key != "" {
			docs[key] = comment{docs[key].text + " " + strings.TrimSpace(m[1]), docs[key].place}
		} else if m := keyLine.FindStringSubmatch(l); m != nil {
			if m[1] == "" {
				section, key = m[2], m[2]
			} else {
				key = joinKey(section, m[2])
			}
			docs[key] = comment{strings.TrimSpace(m[3]), len(docs)}
		} else {
			key = ""
		}
	}
	return docs
})

// Setting is an option of the pipeline, as help and completion show it.
type Setting struct {
	Key  string   // like "lightmap.page_size"
	Doc  string   // description
	Want string   // accepted values, in words
	Enum []string // all accepted values, if they can be listed

	Default string // as YAML
}

// Settings returns the options of the pipeline, in the order of pipeline.yaml.
func Settings() []Setting {
	all := make([]Setting, len(options()))
	p := Default()
	for i, o := range options() {
		all[i] = Setting{o.key, o.doc(), o.want(), o.rule.enum, scalar(o.in(&p))}
		if o.kind.Kind() == reflect.Bool {
			all[i].Enum = []string{"true", "false"}
		}
	}
	slices.SortFunc(all, func(a, b Setting) int { return docs()[a.Key].place - docs()[b.Key].place })
	return all
}
