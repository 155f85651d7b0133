package convert

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

func TestRunAndMapValidate(t *testing.T) {
	p := defaults()
	p.Lightmap.Carrier = "vertx"
	if _, err := Run(t.Context(), Job{Pipeline: p, In: feature}); !errors.Is(err, limit.ErrUsage) ||
		!strings.Contains(err.Error(), `did you mean "vertex"?`) {
		t.Errorf("Run: %v", err)
	}
	data, err := os.ReadFile(feature)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []pipeline.Pipeline{p, {}} {
		if _, _, err := Map(t.Context(), p, Source{Name: "x", Reader: bytes.NewReader(data), Size: int64(len(data))}); !errors.Is(err,
			limit.ErrUsage) {
			t.Errorf("Map: %v", err)
		}
	}
}
