package nodes

import (
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// instances holds back nodes until all nodes with the same mesh and parent are known, so that these can be written as one. It holds none
// unless output.instancing asks for it.
type instances struct {
	gpu     bool
	waiting map[instanceKey][]heldNode
	order   []instanceKey
}

// instanceKey is the key of nodes that can be instances.
type instanceKey struct{ parent, mesh int }

func newInstances(o pipeline.OutputOptions) *instances {
	return &instances{gpu: o.Instancing == pipeline.InstancingGPU, waiting: map[instanceKey][]heldNode{}}
}

// add adds the node of a prop, or holds it back. It returns its index, or scene.None.
func (s *instances) add(t *tree, n scene.Node, prop int) int {
	if !s.gpu || n.Mesh == scene.None {
		return t.add(n)
	}
	key := instanceKey{n.Parent, n.Mesh}
	if s.waiting[key] == nil {
		s.order = append(s.order, key)
	}
	s.waiting[key] = append(s.waiting[key], heldNode{n, prop})
	return scene.None
}

// flush adds the nodes that were held back, and sets them in props: single ones now, and after all other nodes those that can be written
// as instances.
func (s *instances) flush(t *tree, props []Prop) {
	for _, key := range s.order {
		held := s.waiting[key]
		if len(held) == 1 {
			props[held[0].prop].Node = t.add(held[0].node)
			continue
		}
		held[0].node.Instances = len(held)
		for i := range held[1:] {
			held[1+i].node.Instances = scene.InstanceOfPrevious
		}
		t.addLast(held)
	}
}
