package convert

import (
	"math"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/models"
)

// propVertex is a vertex of a prop in the scene's axes, with its colour.
type propVertex struct {
	at    [3]float64
	color [4]uint16
}

// postVertices returns the vertices of all signposts, where the joints of their skins stand.
func postVertices(s *scene.Scene) (out []propVertex) {
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if n.Mesh == scene.None || !strings.HasPrefix(n.Name, "signpost") {
			continue
		}
		for _, p := range s.Meshes[n.Mesh].Primitives {
			for k, v := range p.Positions {
				at := [3]float64{float64(v[0]), float64(v[1]), float64(v[2])}
				if n.Skin == scene.None {
					at = raised(s, i, at)
				} else {
					at = skinned(s, &s.Skins[n.Skin], &p, k)
				}
				out = append(out, propVertex{at, p.Colors[k]})
			}
		}
	}
	return out
}

// skinned returns where the joints of a skin put vertex k.
func skinned(s *scene.Scene, skin *scene.Skin, p *scene.Primitive, k int) (sum [3]float64) {
	for b, weight := range p.Weights[k] {
		joint := p.Joints[k][b]
		var local [3]float64
		for r := range local {
			local[r] = float64(skin.Inverse[joint][r][3])
			for c, x := range p.Positions[k] {
				local[r] += float64(skin.Inverse[joint][r][c]) * float64(x)
			}
		}
		for r, x := range raised(s, skin.Joints[joint], local) {
			sum[r] += float64(weight) * x
		}
	}
	return sum
}

// raised returns a point of a node in the scene's axes.
func raised(s *scene.Scene, node int, v [3]float64) [3]float64 {
	for ; node != scene.None; node = s.Nodes[node].Parent {
		n := &s.Nodes[node]
		for k := range v {
			v[k] *= n.Scale[k]
		}
		x, y, z, w := n.Rotation[0], n.Rotation[1], n.Rotation[2], n.Rotation[3]
		c := [3]float64{y*v[2] - z*v[1] + w*v[0], z*v[0] - x*v[2] + w*v[1], x*v[1] - y*v[0] + w*v[2]}
		v = [3]float64{
			v[0] + 2*(y*c[2]-z*c[1]) + n.Translation[0], v[1] + 2*(z*c[0]-x*c[2]) + n.Translation[1],
			v[2] + 2*(x*c[1]-y*c[0]) + n.Translation[2],
		}
	}
	return v
}

// Models that play stand where they stand without their skeletons, in the same light.
func TestModelsThatPlayStandAsBefore(t *testing.T) {
	show := func(a models.Animations) *scene.Scene {
		p := defaults()
		p.Models.Animations = a
		s, _ := convertMap(t, p, "../testdata/goldsrc/maps/entities.bsp")
		return s
	}
	still, plays := show(models.AnimationsNone), show(models.AnimationsStart)
	if len(still.Skins) != 0 || len(plays.Skins) != 2 {
		t.Fatalf("%d and %d skins", len(still.Skins), len(plays.Skins))
	}
	want, got := postVertices(still), postVertices(plays)
	if len(want) != len(got) || len(got) == 0 {
		t.Fatalf("%d and %d vertices", len(want), len(got))
	}
	for i := range want {
		for k, x := range want[i].at {
			if math.Abs(x-got[i].at[k]) > 1e-4 || math.Abs(float64(want[i].color[k])-float64(got[i].color[k])) > 64 {
				t.Fatalf("vertex %d is %v, without skeletons %v", i, got[i], want[i])
			}
		}
	}
	// The board turns in a sequence of 3 frames, 10 a second, at half the speed.
	start := plays.Animations[0]
	if start.Name != "map start" || start.Extras["loops"] != true || len(start.Channels) == 0 {
		t.Fatalf("%+v", start)
	}
	last := start.Channels[0].Times[len(start.Channels[0].Times)-1]
	if math.Abs(float64(last)-0.4) > 1e-6 {
		t.Errorf("it takes %g seconds", last)
	}
}
