package skeleton

import (
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/wildcard"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Options selects what is read of a model's skeleton.
type Options struct {
	Bones         bool     // the model has a skeleton; otherwise its vertices are posed
	Sequences     []string // patterns for the names of the sequences to read; case does not matter
	Shown         bool     // also the sequence of the pose; if it moves no bone, the model has no skeleton
	WithoutTracks bool     // sequences have no tracks
	Attachments   bool     // the skeleton has attachments
	HitBoxes      bool     // the skeleton has hit boxes
	Info          bool     // the model's Info is filled
	Skins         bool     // GoldSrc only: the surfaces have the materials of all skins
	EveryFrame    bool     // tracks have a key for each frame
	RootMotion    bool     // keep root motion in the bones
	Blends        bool     // sequences that blend animations by parameters also give each of these
}

// Wants reports whether a sequence of this name is wanted.
func (r *Options) Wants(name string) bool {
	return wildcard.Any(r.Sequences, name)
}

// moves reports whether a sequence of a skeleton moves any bone.
func moves(s *world.Skeleton) bool {
	for i := range s.Sequences {
		for k := range s.Sequences[i].Tracks {
			if t := &s.Sequences[i].Tracks[k]; len(t.Positions) > 1 || len(t.Rotations) > 1 {
				return true
			}
		}
	}
	return false
}

// Usable returns a skeleton that was made as these options want, or nil if the model should have none: because it moves no bone, or
// because one is invalid, which is noted.
func (r *Options) Usable(s *world.Skeleton, note func(code, format string, args ...any)) *world.Skeleton {
	if i := invalidBone(s); i >= 0 {
		note("model-skeleton", "bone %d is at %g: it has no skeleton", i, s.Bones[i].Position)
		return nil
	}
	if r.Shown && !moves(s) {
		return nil
	}
	return s
}

// invalidBone returns the index of a bone whose transform or matrix is not finite or outside the range of a map, or
// -1.
func invalidBone(s *world.Skeleton) int {
	for i := range s.Bones {
		b := &s.Bones[i]
		numbers := slices.Concat(b.Position[:], b.Rotation[:], b.Inverse[0][:], b.Inverse[1][:], b.Inverse[2][:])
		if !modelfile.InRange(numbers...) {
			return i
		}
	}
	return -1
}

// ValidBox reports whether a box is within the range of a map and has a volume.
func ValidBox(lo, hi [3]float64) bool {
	for k := range lo {
		if !(lo[k] > -1<<24 && hi[k] < 1<<24 && lo[k] < hi[k]) {
			return false
		}
	}
	return true
}

// Weights collects the bones that move a vertex.
type Weights struct {
	bones   [4]uint8
	weights [4]float64
	n       int
}

// Add adds a bone. A weight that is not positive is ignored; so is a fifth bone.
func (w *Weights) Add(bone uint8, weight float64) {
	if !(weight > 0) {
		return
	}
	for i := range w.n {
		if w.bones[i] == bone {
			w.weights[i] += weight
			return
		}
	}
	if w.n < len(w.bones) {
		w.bones[w.n], w.weights[w.n] = bone, weight
		w.n++
	}
}

// None reports whether no bone moves the vertex.
func (w *Weights) None() bool { return w.sum() <= 1e-6 }

func (w *Weights) sum() (sum float64) {
	for _, x := range w.weights {
		sum += x
	}
	return sum
}

// Binding returns the bones by descending weight. A vertex without bones is bound to the first one.
func (w *Weights) Binding() (b world.Binding) {
	if w.None() {
		b.Weights[0] = 1
		return b
	}
	sum := w.sum()
	for i := range w.n {
		b.Bones[i], b.Weights[i] = w.bones[i], float32(w.weights[i]/sum)
		if b.Weights[i] == 0 {
			b.Bones[i] = 0
		}
		for k := i; k > 0 && b.Weights[k] > b.Weights[k-1]; k-- {
			b.Weights[k], b.Weights[k-1] = b.Weights[k-1], b.Weights[k]
			b.Bones[k], b.Bones[k-1] = b.Bones[k-1], b.Bones[k]
		}
	}
	b.Weights[0] = 1 - (b.Weights[1] + b.Weights[2] + b.Weights[3])
	return b
}
