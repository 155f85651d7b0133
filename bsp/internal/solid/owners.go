package solid

import (
	"context"
	"fmt"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// BrushTree is a tree of leafs that have brushes. A negative child c is the leaf -1-c.
type BrushTree struct {
	Nodes, Leafs int
	Children     func(node int) [2]int
	Brushes      func(leaf int) (first, n int) // a range of the leafs' brushes
}

// NoOwner is the owner of a brush in no leaf: the engine finds brushes by leafs, so nothing meets it.
const NoOwner = -1

// BrushOwners returns the models in whose leafs brushes are, given the root of each model's tree, or NoOwner. If no leaf has any, the tree
// is not there, and all are the world's.
func BrushOwners(ctx context.Context, dc *decoding.Context, heads []int, t BrushTree, leafBrushes *record.List[int], brushes int) (
	[]int, error) {
	if err := dc.Borrow(limit.Bytes[int](brushes+2*t.Nodes) + limit.Bytes[bool](brushes+t.Nodes+t.Leafs)); err != nil {
		return nil, err
	}
	owners, found := make([]int, brushes), make([]bool, brushes)
	seenNodes, seenLeafs := make([]bool, t.Nodes), make([]bool, t.Leafs)
	left := leafBrushes.Count() // each belongs to one leaf
	var stack []int
	for m, head := range heads {
		stack = append(stack[:0], head)
		for steps := 0; len(stack) > 0; steps++ {
			if steps%4096 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if at >= 0 {
				if at < t.Nodes && !seenNodes[at] {
					seenNodes[at] = true
					c := t.Children(at)
					stack = append(stack, c[1], c[0])
				}
				continue
			}
			leaf := -1 - at
			if leaf >= t.Leafs || seenLeafs[leaf] {
				continue
			}
			seenLeafs[leaf] = true
			first, n := t.Brushes(leaf)
			if first > leafBrushes.Count()-n || n > left {
				dc.Issue("brush", fmt.Sprintf("leaf %d", leaf), "%d brushes from %d of %d", n, first, leafBrushes.Count())
				continue
			}
			left -= n
			for k := range n {
				if b := leafBrushes.At(first + k); b < brushes && !found[b] {
					found[b], owners[b] = true, m
				}
			}
		}
	}
	if !slices.Contains(found, true) {
		return owners, nil
	}
	for i := range owners {
		if !found[i] {
			owners[i] = NoOwner
		}
	}
	return owners, nil
}
