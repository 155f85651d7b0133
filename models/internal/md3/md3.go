// Package md3 reads Quake III's models, .md3 files of version 15.
//
// A model is a list of surfaces, each with one material (a shader), triangles, texture coordinates and a set of
// vertices for every frame. There are no bones: each frame is a pose. Positions are 16-bit numbers in 1/64 unit,
// normals two angles in 16 bits, texture coordinates floats shared by all frames.
//
// Blocks are in any order and are found by offsets: those in the header count from the file's start, those in a
// surface from the surface's start; a surface also has the offset of the next one. Tags (points to attach other
// models) and the frames' bounding boxes are not read.
package md3

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/world"
)

const (
	ident   = "IDP3"
	version = 15

	headerSize   = 108 // of the file and of a surface
	nameSize     = 64
	shaderSize   = 68 // a name and an unused number
	triangleSize = 12
	uvSize       = 8
	vertexSize   = 8

	unit = 1.0 / 64 // map units per step of a stored coordinate
)

// Decode returns the model of a file in one of its frames, and the shader and name of each of its surfaces.
//
// Surfaces are *world.Triangles without a lightmap; their Material is an index into shaders, for the caller to replace.
// A frame number out of range is clamped. Shaders are in the form of ShaderName, and empty if a skin has to supply
// them; names are the surfaces' names in .skin files: lower case, without the suffix for a level of detail. A surface
// without triangles is left out; a model that has only tags has no surfaces.
//
// It fails with limit.ErrCorrupt if the file breaks its format, with errors.ErrUnsupported for other versions, and with
// limit.ErrLimit if b is exceeded.
func Decode(name string, data []byte, frame int, b *limit.Budget) (m *world.Model, shaders, names []string, err error) {
	d := decoder{data: data, frame: frame, budget: b}
	if err := d.model(); err != nil {
		b.Release(d.reserved)
		return nil, nil, nil, fmt.Errorf("md3: %w", err)
	}
	d.m.Name = name
	return &d.m, d.shaders, d.names, nil
}

// Frames returns the names of the frames of a file that Decode has accepted, at most most of them, and whether it has
// more. A name outside the file is "".
func Frames(data []byte, most int) (list []string, more bool) {
	const size, nameAt = 56, 40 // of a frame's record; its name
	frames, at := int64(le.Int32(data[76:])), int64(le.Int32(data[92:]))
	for i := range min(frames, int64(most)) {
		name := ""
		if from := at + i*size + nameAt; from >= 0 && from+16 <= int64(len(data)) {
			name = entlump.Text(le.String(data[from:][:16]))
		}
		list = append(list, name)
	}
	return list, frames > int64(most)
}

// ShaderName returns a shader's name in the form used to look up scripts and images: lower case, forward slashes,
// without its extension. Only one extension is removed ("glass.tga.tga", european_fnt_v2.md3), as in the engine.
func ShaderName(s string) string {
	s = strings.ToLower(strings.ReplaceAll(entlump.Text(s), `\`, "/"))
	if i := strings.LastIndexByte(s, '.'); i > strings.LastIndexByte(s, '/') {
		s = s[:i]
	}
	return s
}

// decoder holds a model while it is read.
type decoder struct {
	data     []byte
	frame    int
	budget   *limit.Budget
	reserved int64 // bytes reserved in budget
	paid     int64 // bytes of data used by triangles and vertices of surfaces

	m              world.Model
	shaders, names []string
}

func (d *decoder) model() error {
	c := le.NewCursor("header", d.data)
	got, v := string(c.Bytes(4)), c.Int32()
	c.Bytes(nameSize + 4) // name, flags
	frames, _, surfaces := c.Int32(), c.Int32(), c.Int32()
	c.Bytes(3 * 4) // number of skins, offsets of frames and tags
	next, _ := int64(c.Int32()), c.Int32()
	if err := c.Err(); err != nil {
		return err
	}
	switch {
	case got != ident:
		return modelfile.Fault("ident", "header", "it starts with %q, not %q", got, ident)
	case v != version:
		return fmt.Errorf("version %d: %w", v, errors.ErrUnsupported)
	case frames < 1:
		return modelfile.Fault("count", "header", "%d frames", frames)
	case surfaces < 0:
		return modelfile.Fault("count", "header", "%d surfaces", surfaces)
	}
	d.frame = max(0, min(d.frame, int(frames)-1))
	for i := range int(surfaces) {
		size, err := d.surface(i, next)
		if err != nil {
			return err
		}
		next += size
	}
	d.box()
	return nil
}

// surface reads surface i at an offset in the file, and returns the offset of the next one from there.
func (d *decoder) surface(i int, offset int64) (next int64, err error) {
	where := fmt.Sprintf("surface %d", i)
	if offset < headerSize || offset > int64(len(d.data)) {
		return 0, modelfile.Fault("bounds", where, "its offset %d is outside the file of %d bytes", offset, len(d.data))
	}
	data := d.data[offset:]
	c := le.NewCursor(where, data)
	c.Bytes(4) // the ident, which the engine ignores
	name := surfaceName(le.String(c.Bytes(nameSize)))
	c.Bytes(4) // flags
	frames, shaders, vertices, triangles := c.Int32(), c.Int32(), c.Int32(), c.Int32()
	ofsTriangles, ofsShaders, ofsUV, ofsVertices, end := c.Int32(), c.Int32(), c.Int32(), c.Int32(), c.Int32()
	if err := c.Err(); err != nil {
		return 0, err
	}
	if end < headerSize {
		return 0, modelfile.Fault("bounds", where, "it ends at %d, in its header", end)
	}
	if frames < 1 || shaders < 0 {
		return 0, modelfile.Fault("count", where, "%d frames, %d shaders", frames, shaders)
	}
	if triangles == 0 {
		return int64(end), nil
	}

	// The offsets of blocks are checked. Surfaces must not share blocks, so that allocations stay in proportion to
	// the file's size.
	frame := int64(min(d.frame, int(frames)-1))
	var block [4][]byte
	for k, want := range [...]struct {
		what                  string
		offset, start, n, per int64
	}{
		{"shaders", int64(ofsShaders), 0, min(1, int64(shaders)), shaderSize},
		{"triangles", int64(ofsTriangles), 0, int64(triangles), triangleSize},
		{"texture coordinates", int64(ofsUV), 0, int64(vertices), uvSize},
		{"vertices", int64(ofsVertices), frame * int64(vertices), int64(vertices), vertexSize},
	} {
		at := want.offset + want.start*want.per
		if want.n < 0 || want.n > 0 && (want.offset < headerSize || at > int64(len(data)) || want.n*want.per > int64(len(data))-at) {
			return 0, modelfile.Fault("bounds", where, "%d %s at %d are outside its %d bytes", want.n, want.what, at, len(data))
		}
		if want.n > 0 {
			block[k] = data[at:][:want.n*want.per]
		}
	}
	d.paid += int64(triangles)*triangleSize + int64(vertices)*(uvSize+vertexSize)
	if d.paid > int64(len(d.data)) {
		return 0, modelfile.Fault("bounds", where, "it shares its bytes with other surfaces")
	}
	cost := limit.Bytes[world.Vertex](int(vertices)) + int64(triangles)*triangleSize
	if err := d.budget.Reserve(cost); err != nil {
		return 0, fmt.Errorf("%s: %w", where, err)
	}
	d.reserved += cost

	t := &world.Triangles{Vertices: make([]world.Vertex, vertices), Indices: make([]uint32, 3*int(triangles))}
	convert(t.Vertices, block[3], block[2])
	if err := join(t.Indices, block[1], uint32(vertices), where); err != nil {
		return 0, err
	}
	d.m.Surfaces = append(d.m.Surfaces, world.Surface{Shape: t, Material: len(d.shaders), Chart: world.NoChart, Fog: -1, Record: i})
	shader := ""
	if shaders > 0 {
		shader = ShaderName(le.String(block[0][:nameSize]))
	}
	d.shaders, d.names = append(d.shaders, shader), append(d.names, name)
	return int64(end), nil
}

// convert converts a frame's vertices and their texture coordinates.
func convert(out []world.Vertex, vertices, uvs []byte) {
	for i := range out {
		v, uv := vertices[i*vertexSize:][:vertexSize], uvs[i*uvSize:][:uvSize]
		o := &out[i]
		for k := range o.Position {
			o.Position[k] = float32(int16(binary.LittleEndian.Uint16(v[2*k:]))) * unit
		}
		// The low byte is the angle from +Z, the high byte the angle from +X around Z (Quake III Arena, tr_surface.c).
		polar, azimuth := &circle[v[6]], &circle[v[7]]
		o.Normal = [3]float32{azimuth.cos * polar.sin, azimuth.sin * polar.sin, polar.cos}
		o.UV = [2]float32{le.Float32(uv), le.Float32(uv[4:])}
		for k, f := range o.UV {
			if f-f != 0 {
				o.UV[k] = 0 // NaN or infinity: only the texture is wrong there
			}
		}
		o.Color = [4]float32{1, 1, 1, 1}
	}
}

// join reads triangles. In the file they are clockwise seen from the front, in the world counter-clockwise.
func join(out []uint32, data []byte, vertices uint32, where string) error {
	for i := 0; i < len(out); i += 3 {
		t := data[i*4:][:triangleSize]
		a, b, c := binary.LittleEndian.Uint32(t), binary.LittleEndian.Uint32(t[4:]), binary.LittleEndian.Uint32(t[8:])
		if most := max(a, b, c); most >= vertices {
			return modelfile.Fault("index-range", where, "triangle %d: vertex %d is outside its %d", i/3, int32(most), vertices)
		}
		out[i], out[i+1], out[i+2] = a, c, b
	}
	return nil
}

// box computes the model's bounds from its vertices. The frame records have bounds too, but not all exporters fill
// them.
func (d *decoder) box() {
	for i, s := range d.m.Surfaces {
		t := s.Shape.(*world.Triangles)
		if i == 0 && len(t.Vertices) > 0 {
			d.m.Mins, d.m.Maxs = t.Vertices[0].Position, t.Vertices[0].Position
		}
		for k := range t.Vertices {
			space.Extend(&d.m.Mins, &d.m.Maxs, t.Vertices[k].Position)
		}
	}
}

// surfaceName returns the name that .skin files use for a surface. Levels of detail end in "_" and one character, which
// the engine drops (tr_model.c, R_LoadMD3).
func surfaceName(s string) string {
	s = strings.ToLower(entlump.Text(s))
	if n := len(s); n > 2 && s[n-2] == '_' {
		s = s[:n-2]
	}
	return s
}

// circle has the sine and cosine of each stored angle. A full turn is 255 steps: the compiler of models (q3data)
// multiplies by 255/360. The engine's table makes it 255.75, which differs by half a degree at most.
var circle = func() (t [256]struct{ sin, cos float32 }) {
	for i := range t {
		s, c := math.Sincos(float64(i) * 2 * math.Pi / 255)
		t[i].sin, t[i].cos = float32(s), float32(c)
	}
	return t
}()
