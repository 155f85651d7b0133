package write_test

import (
	"bytes"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// Channels of the same times share an accessor, which has their bounds; extras follow output.extras.
func TestAnimationsInTheFile(t *testing.T) {
	times := []float32{0, 1.5}
	s := one(strip(3))
	s.Materials = []scene.Material{{Material: plainMaterial("m"), Lightmap: scene.None}}
	s.Animations = []scene.Animation{{Name: "door open", Extras: map[string]any{"act": "open"}, Channels: []scene.Channel{
		{Node: 0, Times: times, Translations: [][3]float32{{0, 0, 0}, {1, 2, 3}}},
		{Node: 0, Times: times, Rotations: [][4]float32{{0, 0, 0, 1}, {0, 1, 0, 0}}},
	}}}
	doc, bin := readGLB(t, glb(t, s))
	if len(doc.Animations) != 1 {
		t.Fatalf("%d animations", len(doc.Animations))
	}
	a := doc.Animations[0]
	x, _ := a.Extras.(map[string]any)
	if a.Name != "door open" || x["act"] != "open" || len(a.Channels) != 2 || a.Samplers[0].Input != a.Samplers[1].Input {
		t.Errorf("%+v", a)
	}
	in := doc.Accessors[a.Samplers[0].Input]
	if in.Type != gltf.AccessorScalar || in.Count != 2 || in.Min[0] != 0 || in.Max[0] != 1.5 {
		t.Errorf("%+v", in)
	}
	for i, want := range []struct {
		path gltf.TRSProperty
		kind gltf.AccessorType
		last []byte // of the last key's last number but one
	}{{gltf.TRSTranslation, gltf.AccessorVec3, []byte{0, 0, 0, 0x40}}, {gltf.TRSRotation, gltf.AccessorVec4, []byte{0, 0, 0, 0}}} {
		c, out := a.Channels[i], doc.Accessors[a.Samplers[i].Output]
		end := doc.BufferViews[*out.BufferView].ByteOffset + out.ByteOffset + out.Count*gltf.SizeOfElement(out.ComponentType, out.Type)
		if c.Target.Path != want.path || *c.Target.Node != 0 || out.Type != want.kind || out.Count != 2 ||
			!bytes.Equal(bin[end-8:end-4], want.last) {
			t.Errorf("channel %d: %+v, %+v, %v", i, c.Target, out, bin[end-8:end])
		}
	}
	s.Plain = true
	if doc, _ := readGLB(t, glb(t, s)); doc.Animations[0].Extras != nil {
		t.Errorf("%v", doc.Animations[0].Extras)
	}
}

// Movers begin where their nodes stand, which is where the game puts them when the map starts.
func TestMoversBeginWhereTheyStand(t *testing.T) {
	file := filepath.Join("..", "..", "..", "testdata", "features", "maps", "brushmodels.bsp")
	s, _ := convertMap(t, set(t), file)
	var names []string
	for i := range s.Animations {
		a := &s.Animations[i]
		names = append(names, a.Name)
		for _, c := range a.Channels {
			n := &s.Nodes[c.Node]
			for k := range 3 {
				if c.Translations != nil && math.Abs(float64(c.Translations[0][k])-n.Translation[k]) > 1e-6 {
					t.Errorf("%s: %s begins at %v, its node is at %v", a.Name, n.Name, c.Translations[0], n.Translation)
				}
			}
			for k := range 4 {
				if c.Rotations != nil && math.Abs(float64(c.Rotations[0][k])-n.Rotation[k]) > 1e-6 {
					t.Errorf("%s: %s begins with %v, its node has %v", a.Name, n.Name, c.Rotations[0], n.Rotation)
				}
			}
		}
	}
	want := []string{"map start", "func_door cycle", "func_rotating_left cycle", "func_bobbing cycle"}
	if !reflect.DeepEqual(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	if s, _ := convertMap(t, set(t, "entities.motion=none"), file); s.Animations != nil {
		t.Error("there are animations that nobody asked for")
	}
}

// What moves a door also moves its collision solids; where the world is split and models are instanced, animations move the same nodes.
func TestMoversInEveryLayout(t *testing.T) {
	file := filepath.Join("..", "..", "..", "testdata", "features", "maps", "brushmodels.bsp")
	plain, _ := convertMap(t, set(t), file)
	for _, options := range [][]string{
		{"geometry.collision=brushes"}, {"output.split=grid:8"}, {"output.instancing=gpu"}, {"models.lods=chain"},
		{"geometry.collision=brushes", "output.split=grid:8", "output.instancing=gpu", "models.lods=chain", "output.names=stable"},
	} {
		s, _ := convertMap(t, set(t, options...), file)
		if len(s.Animations) != len(plain.Animations) {
			t.Fatalf("%q: %d animations, want %d", options, len(s.Animations), len(plain.Animations))
		}
		solids := 0
		for i := range s.Animations {
			for k, c := range s.Animations[i].Channels {
				n, want := &s.Nodes[c.Node], &plain.Animations[i].Channels[k]
				if !strings.HasPrefix(n.Name, plain.Nodes[want.Node].Name) || !reflect.DeepEqual(c.Translations, want.Translations) ||
					!reflect.DeepEqual(c.Rotations, want.Rotations) {
					t.Errorf("%q: %s moves %s by %v %v", options, s.Animations[i].Name, n.Name, c.Translations, c.Rotations)
				}
				shows := n.Mesh != scene.None
				for j := range s.Nodes {
					if child := &s.Nodes[j]; child.Parent == c.Node {
						shows = shows || child.Mesh != scene.None
						if strings.Contains(child.Name, "-convcolonly") {
							solids++
						}
					}
				}
				if !shows {
					t.Errorf("%q: %s moves %s, which shows nothing", options, s.Animations[i].Name, n.Name)
				}
			}
		}
		if wants := options[0] == "geometry.collision=brushes"; wants != (solids > 0) {
			t.Errorf("%q: %d solids move", options, solids)
		}
	}
}
