package write

import (
	"github.com/qmuntal/gltf"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// animation adds an animation to the document. Channels with equal times or values share accessors; with both, the
// sampler.
func (w *gltfWriter) animation(a *scene.Animation) {
	out := &gltf.Animation{Name: a.Name}
	if len(a.Extras) > 0 && !w.scene.Plain {
		out.Extras = a.Extras
	}
	samplers := map[[2]int]int{} // by the accessors of their times and values
	for i := range a.Channels {
		c := &a.Channels[i]
		times := shared(w, c.Times, func() int {
			at := keys(w, "times", c.Times)
			w.doc.Accessors[at].Min = []float64{float64(c.Times[0])}
			w.doc.Accessors[at].Max = []float64{float64(c.Times[len(c.Times)-1])}
			return at
		})
		var path gltf.TRSProperty
		var values int
		if c.Pointer != "" {
			out.Channels = append(out.Channels, pointerChannel(w, c, len(out.Samplers)))
			out.Samplers = append(out.Samplers, pointerSampler(w, c, times))
			continue
		}
		if c.Targets != nil {
			path, values = gltf.TRSWeights, shared(w, c.Targets, func() int { return accessor(w, gltf.TargetNone, w.weights(c)) })
		} else if c.Rotations != nil {
			path, values = gltf.TRSRotation, shared(w, c.Rotations, func() int { return keys(w, "rotations", c.Rotations) })
		} else {
			path, values = gltf.TRSTranslation, shared(w, c.Translations, func() int { return keys(w, "translations", c.Translations) })
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

// weights returns the weights of a channel's node: for each key, one per morph target of its mesh.
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

// keys adds an accessor of times or values. meshopt compresses all of one name together, without loss.
func keys[T any](w *gltfWriter, name string, data []T) int {
	if w.scene.Packing.Meshopt {
		if s, ok := packed(&w.scene.Packing, name, data); ok {
			return w.add(gltf.TargetNone, name, s)
		}
	}
	at := accessor(w, gltf.TargetNone, data)
	w.join(w.doc.Accessors[at])
	return at
}

// join merges the newest accessor's view into the previous view of keys, if they are adjacent. A model with many
// sequences has a hundred thousand key arrays, and each view costs JSON.
func (w *gltfWriter) join(a *gltf.Accessor) {
	last := len(w.doc.BufferViews) - 1
	if w.keys == 0 || w.keys != last-1 {
		w.keys = last
		return
	}
	own, all := w.doc.BufferViews[last], w.doc.BufferViews[w.keys]
	a.BufferView, a.ByteOffset = gltf.Index(w.keys), own.ByteOffset-all.ByteOffset
	all.ByteLength = a.ByteOffset + own.ByteLength
	w.doc.BufferViews = w.doc.BufferViews[:last]
}

// pointers is the extension to animate properties that are not a node's. https://github.com/KhronosGroup/glTF,
// KHR_animation_pointer.
const pointers = "KHR_animation_pointer"

// pointerChannel returns a channel for a property. sampler is the index of its sampler.
func pointerChannel(w *gltfWriter, c *scene.Channel, sampler int) *gltf.AnimationChannel {
	use(w.doc, pointers, false)
	return &gltf.AnimationChannel{Sampler: sampler, Target: gltf.AnimationChannelTarget{
		Path: "pointer", Extensions: gltf.Extensions{pointers: map[string]any{"pointer": c.Pointer}},
	}}
}

// pointerSampler returns the sampler of a property. times is the accessor of its times.
func pointerSampler(w *gltfWriter, c *scene.Channel, times int) *gltf.AnimationSampler {
	out := &gltf.AnimationSampler{Input: times}
	if c.Step {
		out.Interpolation = gltf.InterpolationStep
	}
	out.Output = shared(w, c.Values, func() int {
		switch c.Size {
		case 2:
			return keys(w, "values", tuples[[2]float32](c.Values))
		case 3:
			return keys(w, "values", tuples[[3]float32](c.Values))
		case 4:
			return keys(w, "values", tuples[[4]float32](c.Values))
		}
		return keys(w, "values", c.Values)
	})
	return out
}

// tuples groups consecutive numbers into vectors.
func tuples[T [2]float32 | [3]float32 | [4]float32](list []float32) []T {
	var one T
	out := make([]T, len(list)/len(one))
	for i, x := range list {
		v := &out[i/len(one)]
		(*v)[i%len(one)] = x
	}
	return out
}
