package convert

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/tally"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestStrictnessAllowsNotes(t *testing.T) {
	r := tally.New("test", 2)
	r.Add([]world.Issue{{Code: "shader-approximated"}, {Code: "face-degenerate", Count: 7}})
	if err := r.Strict(); err != nil || r.Complaints() != 0 || r.IssueCounts["face-degenerate"] != 7 {
		t.Errorf("%v, %v", err, r.IssueCounts)
	}
	// Two issues are listed; the third, which is not a note, is only counted.
	r.Add([]world.Issue{{Code: "face-patch", Where: "face 3"}})
	if err := r.Strict(); !errors.Is(err, limit.ErrCorrupt) || !strings.HasPrefix(err.Error(), "strict: 1 complaint: it is not among") ||
		len(r.Issues) != 2 {
		t.Errorf("%v", err)
	}
	r = tally.New("test", 2)
	r.Add([]world.Issue{{Code: "face-patch", Where: "face 3", Detail: "a patch of 2 x 2"}})
	r.Materials.Missing = []materials.Missing{{Material: "textures/a"}}
	if err := r.Strict(); err == nil || err.Error() != `strict: 2 complaints, the first: material "textures/a" has no image: corrupt` {
		t.Errorf("%v", err)
	}
}

func TestTheUserMayNameTheGame(t *testing.T) {
	p := pipeline.Default()
	p.Game.Name = "OpenArena"
	r, err := Run(context.Background(), Job{Pipeline: p, In: demo})
	if err != nil {
		t.Fatal(err)
	}
	if f := r.Input.Format; f.Game != "OpenArena" || !strings.HasSuffix(f.Why, "game.name says") {
		t.Errorf("%+v", f)
	}
}
