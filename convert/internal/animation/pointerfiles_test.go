package animation_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
)

// With the option, the start of a map also moves textures, colours and lamps: each pointer leads to a property of the file, and the type
// of its values is the property's.
func TestPointersLeadToProperties(t *testing.T) {
	for _, compress := range []pipeline.Compress{pipeline.CompressNone, pipeline.CompressMeshopt} {
		p := pipeline.Default()
		p.Output.Pointers, p.Materials.PNG, p.Output.Compress = true, "fast", compress
		out := filepath.Join(t.TempDir(), "out.glb")
		job := convert.Job{Pipeline: p, In: "../../../testdata/demo/maps/demo.bsp", Out: out}
		if _, err := convert.Run(context.Background(), job); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		var doc map[string]any
		size := int(data[12]) | int(data[13])<<8 | int(data[14])<<16
		if err := json.Unmarshal(data[20:20+size], &doc); err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		start := doc["animations"].([]any)[0].(map[string]any)
		for _, c := range start["channels"].([]any) {
			channel := c.(map[string]any)
			target := channel["target"].(map[string]any)
			if target["path"] != "pointer" {
				continue
			}
			pointer := target["extensions"].(map[string]any)["KHR_animation_pointer"].(map[string]any)["pointer"].(string)
			sampler := start["samplers"].([]any)[int(channel["sampler"].(float64))].(map[string]any)
			accessor := doc["accessors"].([]any)[int(sampler["output"].(float64))].(map[string]any)
			var at any = doc
			for part := range strings.SplitSeq(pointer[1:], "/") {
				switch x := at.(type) {
				case map[string]any:
					at = x[part]
				case []any:
					i, _ := strconv.Atoi(part)
					at = x[i]
				}
			}
			want := "SCALAR"
			if list, ok := at.([]any); ok {
				want = map[int]string{2: "VEC2", 3: "VEC3", 4: "VEC4"}[len(list)]
			}
			if strings.HasSuffix(pointer, "/baseColorFactor") && at == nil { // its default
				at, want = true, "VEC4"
			}
			if at == nil || accessor["type"] != want {
				t.Errorf("%s: %s is %v, and its values are %v", compress, pointer, at, accessor["type"])
			}
			found[pointer[strings.LastIndexByte(pointer, '/')+1:]] = true
		}
		if !found["offset"] || !found["rotation"] || !found["baseColorFactor"] || !found["emissiveFactor"] {
			t.Errorf("%s: %v", compress, found)
		}
	}
}
