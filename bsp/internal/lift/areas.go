package lift

import (
	"errors"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// AreaTree is where a file has the tree of its leafs: nodes begin with a plane and two children, of which a negative one c is the
// leaf -1-c. Compilers write a node before its children.
type AreaTree struct {
	Nodes, Leafs       Lump
	NodeSize, LeafSize int
	Plane              func(i int) (normal [3]float32, distance float32, ok bool)
	Area               func(leaf []byte) int // or world.NoArea
}

// Areas lifts the areas of a map. What is broken is an issue, and there are none.
func (j *Job) Areas(f *le.File, t AreaTree) (*world.Areas, error) {
	var data [2][]byte
	for i, info := range []Lump{t.Nodes, t.Leafs} {
		size := [2]int{t.NodeSize, t.LeafSize}[i]
		if info.Size == 0 {
			return nil, nil
		}
		l, err := f.Lump(info.Name, info.Offset, info.Size)
		if err == nil {
			_, err = l.Count(size)
		}
		var broken *le.FormatError
		if errors.As(err, &broken) {
			j.Issue("lump-broken", info.Name, "is left out: %v", err)
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		j.Owe(info.Size)
		data[i] = l.Data
	}
	nodes, leafs := len(data[0])/t.NodeSize, len(data[1])/t.LeafSize
	if err := j.Reserve(limit.Bytes[world.LeafNode](nodes) + limit.Bytes[int](leafs)); err != nil {
		return nil, err
	}
	a := &world.Areas{Nodes: make([]world.LeafNode, nodes), Of: make([]int, leafs)}
	none := -1 - leafs
	for i := range a.Nodes {
		b, n := data[0][i*t.NodeSize:], &a.Nodes[i]
		n.Children = [2]int{none, none}
		if normal, distance, ok := t.Plane(I32(b)); ok && Sane(normal[:]...) && Sane(distance) {
			*n = world.LeafNode{Normal: normal, Distance: distance, Children: [2]int{I32(b[4:]), I32(b[8:])}}
		}
	}
	for i := range a.Of {
		a.Of[i] = t.Area(data[1][i*t.LeafSize:][:t.LeafSize])
	}
	return a, nil
}
