package pipeline

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/bsp2gltf/bsp2gltf"
)

// validator returns a function that validates a YAML text against Schema.
func validator(t *testing.T) func(text string) error {
	t.Helper()
	text, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) error {
		var v any
		if err := yaml.Unmarshal([]byte(text), &v); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return resolved.Validate(v)
	}
}

func TestSchemaAcceptsWhatLoads(t *testing.T) {
	validate := validator(t)
	texts := map[string]string{
		"pipeline.yaml":     string(bsp2gltf.DefaultPipeline),
		"all commented out": "lightmap:\n",
		"game.paths":        "game: {name: Black Mesa, paths: [a, b.pk3]}",
		"image_dir":         "output: {image_dir: out/my textures}",
	}
	for _, name := range presetNames {
		text, err := presets.ReadFile("presets/" + name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	for name, text := range texts {
		if err := validate(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSchemaRejectsWhatDoesNotLoad(t *testing.T) {
	validate := validator(t)
	for _, m := range mistakes {
		switch m.name {
		case "key twice", "key twice on a line", "section twice", "two documents", "not YAML", "longer than any", "alias", "not a number":
			continue // a schema can't express it
		}
		if m.set != "" {
			continue
		}
		if err := validate(m.text); err == nil {
			t.Errorf("%s: no error", m.name)
		}
	}
}

func TestSchemaExplainsEveryKey(t *testing.T) {
	text, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	for _, o := range options() {
		at := &s
		if o.section != "" {
			at = s.Properties[o.section]
		}
		p := at.Properties[o.name]
		if p == nil || p.Description == "" || p.Default == nil {
			t.Errorf("%s is %+v", o.key, p)
			continue
		}
		if o.kind.Kind() == reflect.Int && (p.Type != "integer" || p.Minimum == nil || p.Maximum == nil) {
			t.Errorf("%s is %+v", o.key, p)
		}
	}
}
