package pipeline

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf"
)

// The defaults are compiled in, and pipeline.yaml is what users read.
func TestDefaultIsThePipelineFile(t *testing.T) {
	c := &Config{Origins: map[string]string{}}
	if err := c.read(Layer{name: "default", text: bsp2gltf.DefaultPipeline}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(c, defaults()); diff != "" {
		t.Error(diff)
	}
	if a, b := Default(), Default(); &a.Model.Sequences[0] == &b.Model.Sequences[0] {
		t.Error("two pipelines share a list")
	}
}

// Validate passes over the defaults, so this checks them one by one.
func TestDefaultsAreInTheirRanges(t *testing.T) {
	p := Default()
	for i := range options() {
		o := &options()[i]
		if message := o.check(o.in(&p).Interface()); message != "" {
			t.Errorf("%s: %s", o.key, message)
		}
	}
}
