package pipeline

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/bsp2gltf/bsp2gltf"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/models"
)

// rule restricts the values of an option beyond its Go type.
type rule struct {
	min, max float64  // of a number, inclusive
	enum     []string // values of a string
	pattern  string   // regular expression for a string, or ""
	want     string   // the pattern in words
}

// rules has a row for every number and every string of Pipeline. A string without restrictions has an empty row.
var rules = map[string]rule{
	"version": {min: 1, max: 1},

	"game.name":       {},
	"game.patches":    {enum: []string{"l", "h", "s"}},
	"game.palette":    {},
	"game.overbright": {min: -1, max: 4},
	"game.albedo":     {min: 0.05, max: 1},

	"geometry.patch_error": {min: 0.1, max: 1000},
	"geometry.patch_level": {min: 0, max: 32},

	"geometry.collision": {enum: texts(geometry.CollisionNone, geometry.CollisionBrushes, geometry.CollisionOMI)},

	"lightmap.light":       {enum: texts(lightmap.LightHDR, lightmap.LightLDR)},
	"lightmap.bump":        {enum: texts(lightmap.BumpFlat, lightmap.BumpBaked, lightmap.BumpPages)},
	"lightmap.scale":       {min: 0, max: 1000},
	"lightmap.hdr":         {enum: texts(lightmap.HDRSidecar, lightmap.HDRAlways, lightmap.HDRNone)},
	"lightmap.images":      {enum: texts(lightmap.ImagesPNG, lightmap.ImagesWebP)},
	"lightmap.carrier":     {enum: texts(lightmap.CarrierMOZ, lightmap.CarrierVertex, lightmap.CarrierNone)},
	"lightmap.page_size":   {min: 256, max: 8192},
	"lightmap.padding":     {min: 1, max: 16},
	"lightmap.styles":      {enum: texts(lightmap.StylesStart, lightmap.StylesLayers, lightmap.StylesMerge, lightmap.StylesDrop)},
	"lightmap.vertex_step": {min: 0.5, max: 64},

	"materials.images":   {enum: texts(materials.ImagesKeep, materials.ImagesPNG, materials.ImagesJPEG, materials.ImagesWebP, materials.ImagesNone)},
	"materials.png":      {enum: texts(materials.EffortFast, materials.EffortDefault, materials.EffortSmall)},
	"materials.combine":  {enum: texts(materials.CombineNone, materials.CombineNeeded, materials.CombineAll)},
	"materials.quality":  {min: 1, max: 100},
	"materials.max_size": {min: 0, max: 16384},

	"materials.blends":   {enum: texts(materials.BlendsLayers, materials.BlendsBaked)},
	"materials.cubemaps": {enum: texts(materials.CubemapsNone, materials.CubemapsFaces)},

	"models.lod":   {min: 0, max: 7},
	"models.lods":  {enum: texts(models.LodsOne, models.LodsChain)},
	"models.skins": {enum: texts(models.SkinsUsed, models.SkinsVariants)},
	"models.light": {enum: texts(models.LightBaked, models.LightNone)},

	"sky.hdr":  {enum: texts(SkyHDRNone, SkyHDRSidecar)},
	"sky.mode": {enum: texts(SkyMesh, SkyNode, SkyNone)},
	"sky.size": {min: 0, max: 1e6},

	"entities.light_scale": {min: 0, max: 1e6},

	"entities.props":   {enum: texts(PropsBox, PropsNode, PropsNone)},
	"entities.details": {enum: texts(models.DetailsMesh, models.DetailsNode, models.DetailsNone)},

	"output.split":      {pattern: `^(none|areas|grid:[1-9][0-9]{0,3})$`, want: `none, areas or cells of 1 to 9999 metres, like grid:32`},
	"output.names":      {enum: texts(NamesNumbered, NamesStable)},
	"output.instancing": {enum: texts(InstancingNodes, InstancingGPU)},
	"output.compress":   {enum: texts(CompressNone, CompressMeshopt)},

	"output.format": {pattern: `^[a-z0-9]*$`, want: `the name of a format, like glb`},
	"output.unit":   {min: 0, max: 1000},

	"run.preset":  {pattern: `^[a-z]*$`, want: `the name of a preset, like blender`},
	"run.jobs":    {min: 0, max: 1024},
	"run.timeout": {pattern: `^([0-9.]+(ms|s|m|h))*$`, want: `a duration like 90s or 5m`},

	// The folder must be below the output's: no "..", no root, no drive, nothing hidden.
	"output.image_dir": {
		pattern: `^([^./\\:\x00-\x1f][^/\\:\x00-\x1f]*(/[^./\\:\x00-\x1f][^/\\:\x00-\x1f]*)*)?$`,
		want:    `a folder below the output's, like "{name}_textures", or "" for the same`,
	},
}

// option is a leaf of Pipeline: a line of pipeline.yaml.
type option struct {
	section string // like "lightmap", or "" at the top level
	name    string // like "page_size"
	index   []int  // index of its field in Pipeline
	key     string // like "lightmap.page_size"
	kind    reflect.Type
	rule    rule
	shape   func() *regexp.Regexp // the rule's pattern
}

// doc returns the option's comment in pipeline.yaml.
func (o *option) doc() string { return docs()[o.key] }

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
	case r.pattern != "" && !o.shape().MatchString(v):
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
		o.rule = rules[o.key]
		o.shape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(o.rule.pattern) })
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

// docs returns the comment of every key of pipeline.yaml, with its lines joined. Only help and the like need them.
var docs = sync.OnceValue(func() map[string]string {
	keyLine := regexp.MustCompile(`^( *)([a-z_]+):[^#]*(?:#(.*))?$`)
	moreLine := regexp.MustCompile(`^ {3,}#(.*)$`)
	docs := make(map[string]string)
	section, key := "", ""
	for l := range strings.Lines(string(bsp2gltf.DefaultPipeline)) {
		l = strings.TrimRight(l, "\r\n")
		if m := moreLine.FindStringSubmatch(l); m != nil && key != "" {
			docs[key] += " " + strings.TrimSpace(m[1])
		} else if m := keyLine.FindStringSubmatch(l); m != nil {
			if m[1] == "" {
				section, key = m[2], m[2]
			} else {
				key = joinKey(section, m[2])
			}
			docs[key] = strings.TrimSpace(m[3])
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
}

// Settings returns the options of the pipeline, in the order of pipeline.yaml.
func Settings() []Setting {
	all := make([]Setting, len(options()))
	for i, o := range options() {
		all[i] = Setting{o.key, o.doc(), o.want(), o.rule.enum}
		if o.kind.Kind() == reflect.Bool {
			all[i].Enum = []string{"true", "false"}
		}
	}
	return all
}

// schema holds the keywords of JSON Schema that a pipeline file needs.
type schema struct {
	Schema      string     `json:"$schema,omitempty"`
	Title       string     `json:"title,omitempty"`
	Description string     `json:"description,omitempty"`
	Type        any        `json:"type,omitempty"`
	Enum        []string   `json:"enum,omitempty"`
	Pattern     string     `json:"pattern,omitempty"`
	Minimum     *float64   `json:"minimum,omitempty"`
	Maximum     *float64   `json:"maximum,omitempty"`
	Default     any        `json:"default,omitempty"`
	Items       *schema    `json:"items,omitempty"`
	Properties  properties `json:"properties,omitempty"`
	Additional  *bool      `json:"additionalProperties,omitempty"`
}

// properties is a JSON object that keeps its order.
type properties []property

type property struct {
	name string
	schema
}

// MarshalJSON writes the properties as an object, in their order.
func (p properties) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, q := range p {
		v, err := json.Marshal(q.schema)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(strconv.AppendQuote(b, q.name), ':'), v...)
	}
	return append(b, '}'), nil
}

// Schema returns the JSON Schema (draft 2020-12) of a pipeline file, for editors.
func Schema() ([]byte, error) {
	no := false
	root := schema{
		Schema:      "https://json-schema.org/draft/2020-12/schema",
		Title:       "bsp2gltf pipeline",
		Description: "Options of bsp2gltf. A file needs only what it changes.",
		Type:        "object",
		Additional:  &no,
	}
	defaults := Default()
	for _, o := range options() {
		if o.section == "" {
			root.Properties = append(root.Properties, property{o.name, o.schema(&defaults)})
			continue
		}
		last := len(root.Properties) - 1
		if root.Properties[last].name != o.section {
			// A section whose keys are all commented out is null.
			root.Properties = append(root.Properties, property{o.section, schema{Type: []string{"object", "null"}, Additional: &no}})
			last++
		}
		s := &root.Properties[last].schema
		s.Properties = append(s.Properties, property{o.name, o.schema(&defaults)})
	}
	b, err := json.MarshalIndent(root, "", "  ")
	return append(b, '\n'), err
}

// schema returns the schema of the option's values.
func (o *option) schema(defaults *Pipeline) schema {
	s := schema{Description: o.doc(), Default: o.in(defaults).Interface()}
	switch o.kind.Kind() {
	case reflect.Bool:
		s.Type = "boolean"
	case reflect.Int:
		s.Type, s.Minimum, s.Maximum = "integer", &o.rule.min, &o.rule.max
	case reflect.Float64:
		s.Type, s.Minimum, s.Maximum = "number", &o.rule.min, &o.rule.max
	case reflect.Slice:
		s.Type, s.Items = "array", &schema{Type: "string"}
	default:
		s.Type, s.Enum = "string", o.rule.enum
		s.Pattern = o.rule.pattern
	}
	return s
}
