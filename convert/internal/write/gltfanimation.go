package write

import (
	"github.com/qmuntal/gltf"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// animation adds an animation to the document. Channels of the same times or values share these, or their whole sampler.
func (w *gltfWriter) animation(a *scene.Animation) {
	out := &gltf.Animation{Name: a.Name}
	if len(a.Extras) > 0 && !w.scene.Plain {
		out.Extras = a.Extras
	}
	samplers := map[[2]int]int{} // by their times and values
	for i := range a.Channels {
		c := &a.Channels[i]
		times := once(w, c.Times, func() int {
			at := keys(w, "times", c.Times)
			w.doc.Accessors[at].Min = []float64{float64(c.Times[0])}
			w.doc.Accessors[at].Max = []float64{float64(c.Times[len(c.Times)-1])}
			return at
		})
		var path gltf.TRSProperty
		var values int
		if c.Targets != nil {
			path, values = gltf.TRSWeights, once(w, c.Targets, func() int { return accessor(w, gltf.TargetNone, w.weights(c)) })
		} else if c.Rotations != nil {
			path, values = gltf.TRSRotation, once(w, c.Rotations, func() int { return keys(w, "rotations", c.Rotations) })
		} else {
			path, values = gltf.TRSTranslation, once(w, c.Translations, func() int { return keys(w, "translations", c.Translations) })
		}
		at, ok := samplers[[2]int{times, values}]
		if !ok {
			at = len(out.Samplers)
			samplers[[2]int{times, values}] = at
			out.Samplers = append(out.Samplers, &gltf.AnimationSampler{Input: times, Output: values})
		}
		out.Channels = append(out.Channels, &gltf.AnimationChannel{
			Sampler: at, Target: gltf.AnimationChannelTarget{Node: gltf.Index(c.Node), Path: path},
		})
	}
	w.doc.Animations = append(w.doc.Animations, out)
}

// weights returns the weights of all morph targets of a channel's node, key by key.
func (w *gltfWriter) weights(c *scene.Channel) []float32 {
	n := len(w.scene.Meshes[w.scene.Nodes[c.Node].Mesh].Primitives[0].Targets)
	out := make([]float32, n*len(c.Targets))
	for k, target := range c.Targets {
		if target != scene.None {
			out[k*n+target] = 1
		}
	}
	return out
}

// keys adds the accessor of times or values, which meshopt compresses without loss, all of a name together.
func keys[T any](w *gltfWriter, name string, data []T) int {
	if w.scene.Packing.Meshopt {
		if s, ok := packed(&w.scene.Packing, name, data); ok {
			return w.add(gltf.TargetNone, name, s)
		}
	}
	return accessor(w, gltf.TargetNone, data)
}
