package pipeline

import (
	"encoding/json"
	"reflect"
	"strconv"
)

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
		s.Pattern = o.rule.expression
	}
	return s
}
