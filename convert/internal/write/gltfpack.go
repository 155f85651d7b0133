package write

import (
	"encoding/binary"
	"math"

	"github.com/qmuntal/gltf"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/codec/meshopt"
)

// The extensions for packed vertices.
const (
	quantization = "KHR_mesh_quantization"
	compression  = "EXT_meshopt_compression"
)

// uvStep is the base-2 logarithm of the step to which texture coordinates are rounded: an eighth of a texel of an
// image of 1024 pixels.
const uvStep = -13

// packedStream is an attribute as stored: elements of stride bytes. The accessor's type covers the first bytes of
// each element; the rest is padding.
type packedStream struct {
	component  gltf.ComponentType
	kind       gltf.AccessorType
	normalized bool // of integers: the greatest value means 1
	stride     int
	data       []byte
	filter     string // the filter of EXT_meshopt_compression that the data is encoded for, or ""
	quantized  bool   // the type is allowed only with KHR_mesh_quantization
}

// packed returns the stream of an attribute. ok is false if the attribute is to be stored unchanged.
func packed(p *scene.Packing, name string, data any) (s packedStream, ok bool) {
	if p.Quantize {
		if s, ok = quantized(p, name, data); ok {
			return s, true
		}
	}
	if !p.Meshopt {
		return s, false
	}
	switch data := data.(type) {
	case []float32:
		return floatStream(gltf.AccessorScalar, 4, data), true
	case [][2]float32:
		return floatStream(gltf.AccessorVec2, 8, flat2(data)), true
	case [][3]float32:
		return floatStream(gltf.AccessorVec3, 12, flat3(data)), true
	case [][4]float32:
		return floatStream(gltf.AccessorVec4, 16, flat4(data)), true
	case [][4]uint16:
		s = packedStream{component: gltf.ComponentUshort, kind: gltf.AccessorVec4, normalized: true, stride: 8}
		for _, c := range data {
			for _, x := range c {
				s.data = binary.LittleEndian.AppendUint16(s.data, x)
			}
		}
		return s, true
	}
	return s, false
}

// quantized returns the stream of an attribute in fewer bits. ok is false if it can't be quantized.
func quantized(p *scene.Packing, name string, data any) (s packedStream, ok bool) {
	switch name {
	case gltf.POSITION:
		if p.Meshopt {
			positions := data.([][3]float32)
			return exponential(gltf.AccessorVec3, 12, flat3(positions), p.StepOf(positions)), true
		}
	case gltf.TEXCOORD_0:
		if p.Meshopt {
			return exponential(gltf.AccessorVec2, 8, flat2(data.([][2]float32)), uvStep), true
		}
	case "_BLEND":
		if p.Meshopt {
			return exponential(gltf.AccessorScalar, 4, data.([]float32), -10), true
		}
	case gltf.NORMAL:
		return directions(p.Meshopt, data.([][3]float32), gltf.AccessorVec3, func(int) int8 { return 0 }), true
	case gltf.TANGENT:
		t := data.([][4]float32)
		axes := make([][3]float32, len(t))
		for i := range t {
			copy(axes[i][:], t[i][:])
		}
		return directions(p.Meshopt, axes, gltf.AccessorVec4, func(i int) int8 { return int8(math.Copysign(127, float64(t[i][3]))) }), true
	case gltf.TEXCOORD_1:
		return unsigned(data.([][2]float32))
	case "_MULTIBLEND":
		s = packedStream{component: gltf.ComponentUbyte, kind: gltf.AccessorVec4, normalized: true, stride: 4}
		for _, v := range data.([][4]float32) {
			for _, x := range v {
				s.data = append(s.data, uint8(float32(min(max(x, 0), 1)*255)+0.5))
			}
		}
		return s, true
	}
	return s, false
}

// floatStream returns a stream of unchanged floats. stride is the bytes of an element.
func floatStream(kind gltf.AccessorType, stride int, data []float32) packedStream {
	s := packedStream{component: gltf.ComponentFloat, kind: kind, stride: stride, data: make([]byte, 0, 4*len(data))}
	for _, x := range data {
		s.data = binary.LittleEndian.AppendUint32(s.data, math.Float32bits(x))
	}
	return s
}

// exponential returns a stream of floats rounded to multiples of 2^step.
func exponential(kind gltf.AccessorType, stride int, data []float32, step int) packedStream {
	return packedStream{component: gltf.ComponentFloat, kind: kind, stride: stride, filter: "EXPONENTIAL",
		data: meshopt.Exponential(data, step)}
}

// directions returns a stream of unit vectors, a byte per coordinate, with fourth as the fourth byte. Octahedral ones
// are encoded for meshopt's filter.
func directions(octahedral bool, v [][3]float32, kind gltf.AccessorType, fourth func(int) int8) packedStream {
	s := packedStream{component: gltf.ComponentByte, kind: kind, normalized: true, stride: 4, quantized: true}
	if octahedral {
		s.data, s.filter = meshopt.Octahedral(v, fourth), "OCTAHEDRAL"
		return s
	}
	for i := range v {
		for _, x := range v[i] {
			s.data = append(s.data, byte(int8(math.RoundToEven(float64(min(max(x, -1), 1))*127))))
		}
		s.data = append(s.data, byte(fourth(i)))
	}
	return s
}

// unsigned returns a stream of lightmap coordinates in 16 bits: on a page of 4096 a step is a sixteenth of a luxel.
// ok is false if any is outside 0 to 1.
func unsigned(uv [][2]float32) (s packedStream, ok bool) {
	s = packedStream{component: gltf.ComponentUshort, kind: gltf.AccessorVec2, normalized: true, stride: 4,
		data: make([]byte, 0, 4*len(uv))}
	for _, v := range uv {
		for _, x := range v {
			if !(x >= 0 && x <= 1) {
				return s, false
			}
			s.data = binary.LittleEndian.AppendUint16(s.data, uint16(math.RoundToEven(float64(x)*65535)))
		}
	}
	return s, true
}

// add adds a stream to the buffer and returns the index of its accessor.
func (w *gltfWriter) add(target gltf.Target, name string, s packedStream) int {
	if s.quantized {
		use(w.doc, quantization, true)
	}
	n := len(s.data) / s.stride
	var at int
	if w.scene.Packing.Meshopt {
		g := w.group(target, name, s.stride, s.filter)
		at = w.accessor(s.component, s.kind, n, g.view)
		w.doc.Accessors[at].ByteOffset = len(g.data)
		g.data = append(g.data, s.data...)
	} else {
		view := w.view(target, len(s.data), InMemory("", s.data).Write)
		w.doc.BufferViews[view].ByteStride = s.stride
		at = w.accessor(s.component, s.kind, n, view)
	}
	w.doc.Accessors[at].Normalized = s.normalized
	return at
}

// packedIndices adds a primitive's triangles to a compression group and returns the index of their accessor.
func (w *gltfWriter) packedIndices(p *scene.Primitive) int {
	size, component := 2, gltf.ComponentUshort
	if len(p.Positions) > 65534 {
		size, component = 4, gltf.ComponentUint
	}
	g := w.group(gltf.TargetElementArrayBuffer, "", size, "")
	at := w.accessor(component, gltf.AccessorScalar, len(p.Indices), g.view)
	w.doc.Accessors[at].ByteOffset = size * len(g.indices)
	g.indices = append(g.indices, p.Indices...)
	return at
}

// packedGroup collects the streams of one attribute, or triangles, to compress them in one view: each view costs
// bytes of JSON.
type packedGroup struct {
	key     packedKey
	view    int
	data    []byte
	indices []uint32
}

// packedKey holds what all streams of a group share.
type packedKey struct {
	target gltf.Target
	name   string // of the attribute
	stride int
	filter string
}

func (w *gltfWriter) group(target gltf.Target, name string, stride int, filter string) *packedGroup {
	key := packedKey{target, name, stride, filter}
	for _, g := range w.groups {
		if g.key == key {
			return g
		}
	}
	g := &packedGroup{key: key, view: len(w.doc.BufferViews)}
	w.doc.BufferViews = append(w.doc.BufferViews, &gltf.BufferView{Target: target})
	w.groups = append(w.groups, g)
	return g
}

// compress compresses the groups. Their views refer to a second buffer, without data: the fallback for clients
// without the extension.
func (w *gltfWriter) compress() {
	for _, g := range w.groups {
		k := &g.key
		n, mode := len(g.indices), "TRIANGLES"
		var packed []byte
		if g.indices == nil {
			n, mode = len(g.data)/k.stride, "ATTRIBUTES"
			packed = meshopt.Vertices(g.data, n, k.stride)
		} else {
			packed = meshopt.Triangles(g.indices)
		}
		g.data, g.indices = nil, nil
		at := (w.size + 3) &^ 3
		w.pieces = append(w.pieces, piece{len(packed), InMemory("", packed).Write})
		w.size = at + len(packed)
		extension := map[string]any{"buffer": 0, "byteOffset": at, "byteLength": len(packed), "byteStride": k.stride, "count": n,
			"mode": mode}
		if k.filter != "" {
			extension["filter"] = k.filter
		}
		v := w.doc.BufferViews[g.view]
		v.Buffer, v.ByteOffset, v.ByteLength = 1, w.unpacked, n*k.stride
		if k.target == gltf.TargetArrayBuffer { // only vertices may have a stride
			v.ByteStride = k.stride
		}
		v.Extensions = gltf.Extensions{compression: extension}
		w.unpacked += (n*k.stride + 3) &^ 3
		use(w.doc, compression, true)
	}
}

// fallbackBuffer returns the buffer that compressed views refer to. It has a size but no data.
func fallbackBuffer(size int) *gltf.Buffer {
	return &gltf.Buffer{ByteLength: size, Extensions: gltf.Extensions{compression: map[string]any{"fallback": true}}}
}

// roundTo rounds bounds as packing rounds positions.
func roundTo(step int, v []float64) {
	for i := range v {
		v[i] = math.Ldexp(math.RoundToEven(math.Ldexp(v[i], -step)), step)
	}
}

func flat2(v [][2]float32) (out []float32) {
	for i := range v {
		out = append(out, v[i][:]...)
	}
	return out
}

func flat3(v [][3]float32) (out []float32) {
	for i := range v {
		out = append(out, v[i][:]...)
	}
	return out
}

func flat4(v [][4]float32) (out []float32) {
	for i := range v {
		out = append(out, v[i][:]...)
	}
	return out
}
