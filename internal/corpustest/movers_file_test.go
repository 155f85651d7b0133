package corpustest

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
)

// movingFile is a map as a .glb with animations.
type movingFile struct {
	unit  float64 // metres per map unit
	bytes numbers // of the buffer
	doc   struct {
		Scenes []struct{ Extras map[string]any }
		Nodes  []struct {
			Name                         string
			Children                     []int
			Translation, Rotation, Scale []float64
			Extras                       map[string]any
		}
		Animations []struct {
			Name     string
			Extras   map[string]any
			Channels []struct {
				Sampler int
				Target  struct {
					Node int
					Path string
				}
			}
			Samplers []struct {
				Input, Output int
				Interpolation string
			}
		}
		Accessors   []struct{ BufferView, ByteOffset, Count int }
		BufferViews []struct{ ByteOffset int }
	}
}

// moverNode is a node of the output with its matrix in the scene, in map units: the columns of the rotation, then the position.
type moverNode struct {
	index         int
	name          string
	extras        map[string]any
	matrix, above [4]vector // above is its parent's
}

// convertMoving converts a map with all animations.
func convertMoving(t *testing.T, m gameMap) *movingFile {
	t.Helper()
	p := pipeline.Default()
	p.Game.Paths, p.Entities.Motion = m.paths, "all"
	p.Materials.Images, p.Materials.PNG = "none", "fast" // what moves has nothing to do with pictures
	out := filepath.Join(t.TempDir(), "out.glb")
	if _, err := convert.Run(context.Background(), convert.Job{Pipeline: p, In: m.in, Out: out}); err != nil {
		t.Fatalf("%s: %v", m.name, err)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	text := numbers(data).i32(12)
	f := &movingFile{}
	if len(data) > 28+text {
		f.bytes = numbers(data[28+text:])
	}
	if err := json.Unmarshal(data[20:20+text], &f.doc); err != nil {
		t.Fatal(err)
	}
	f.unit, _ = f.doc.Scenes[0].Extras["bsp2gltf_unit"].(float64)
	return f
}

// entities returns the nodes with extras.
func (f *movingFile) entities() (list []moverNode) {
	var visit func(i int, above [4]vector)
	visit = func(i int, above [4]vector) {
		n := &f.doc.Nodes[i]
		own := f.matrix(n.Translation, n.Rotation)
		if n.Scale != nil { // the 3D skybox: its children keep their places in the map
			own = [4]vector{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
		}
		at := times(above, own)
		if n.Extras != nil {
			list = append(list, moverNode{i, n.Name, n.Extras, at, above})
		}
		for _, c := range n.Children {
			visit(c, at)
		}
	}
	visit(0, [4]vector{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})
	return list
}

// matrix converts a position in metres and a quaternion, or nil, from glTF's axes.
func (f *movingFile) matrix(translation, rotation []float64) [4]vector {
	own := [4]vector{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	if q := rotation; q != nil {
		x, y, z, w := q[0], -q[2], q[1], q[3] // the map's axes: X, -Z, Y
		own = [4]vector{{1 - 2*(y*y+z*z), 2 * (x*y + z*w), 2 * (x*z - y*w)}, {2 * (x*y - z*w), 1 - 2*(x*x+z*z), 2 * (y*z + x*w)},
			{2 * (x*z + y*w), 2 * (y*z - x*w), 1 - 2*(x*x+y*y)}}
	}
	if v := translation; v != nil {
		own[3] = vector{v[0] / f.unit, -v[2] / f.unit, v[1] / f.unit}
	}
	return own
}

// at returns the matrix of a node at a time of an animation.
func (f *movingFile) at(animation int, n *moverNode, time float64) [4]vector {
	a := &f.doc.Animations[animation]
	node := &f.doc.Nodes[n.index]
	translation, rotation := node.Translation, node.Rotation
	for _, c := range a.Channels {
		if c.Target.Node != n.index {
			continue
		}
		s := a.Samplers[c.Sampler]
		if c.Target.Path == "rotation" {
			rotation = f.sample(s.Input, s.Output, 4, time)
		} else {
			translation = f.sample(s.Input, s.Output, 3, time)
		}
	}
	return times(n.above, f.matrix(translation, rotation))
}

// sample evaluates a sampler with the interpolation LINEAR: of quaternions, the shortest turn.
func (f *movingFile) sample(input, output, size int, time float64) []float64 {
	number := func(accessor, i int) float64 {
		a := &f.doc.Accessors[accessor]
		return f.bytes.f32(f.doc.BufferViews[a.BufferView].ByteOffset + a.ByteOffset + 4*i)
	}
	n := f.doc.Accessors[input].Count
	k := 0
	for k+2 < n && number(input, k+1) <= time {
		k++
	}
	from, to := number(input, k), number(input, k+1)
	part := min(max((time-from)/(to-from), 0), 1)
	out, dot := make([]float64, size), 0.0
	for i := range out {
		dot += number(output, size*k+i) * number(output, size*(k+1)+i)
	}
	a, b := 1-part, part
	if size == 4 {
		if angle := math.Acos(min(math.Abs(dot), 1)); angle > 1e-4 {
			a, b = math.Sin(a*angle)/math.Sin(angle), math.Sin(b*angle)/math.Sin(angle)
		}
		b = math.Copysign(b, dot)
	}
	for i := range out {
		out[i] = a*number(output, size*k+i) + b*number(output, size*(k+1)+i)
	}
	return out
}
