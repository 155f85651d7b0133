package quakemdl

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// mdlKinds lists the kinds of files. Those of Hexen II's mission pack store separate indices of texture coordinates
// for triangles; in the others each vertex has its own coordinates.
var mdlKinds = []mdlKind{
	{"IDPO", 6, false},
	{"RAPO", 50, true},
}

// mdlKind is a kind of files.
type mdlKind struct {
	ident   string
	version int32
	places  bool // the header ends with the number of texture coordinates (newmdl_t); a triangle has six 16-bit numbers (dnewtriangle_t)
}

const (
	mdlHoles = 0x4000 // a flag of the model: index 255 of its skins is transparent (Hexen II and later ports of Quake)
)

// mdlHead is mdl_t (Quake, modelgen.h) or newmdl_t (Hexen II, genmodel.h).
type mdlHead struct {
	scale, offset               [3]float32
	skins, width, height        int
	vertices, triangles, frames int
	places                      int // texture coordinates
	apart                       bool
	flags                       uint32
}

// FrameMember is a member of a frame's group; a frame without a group has one.
type FrameMember struct {
	Frame, Member int
	Name          string  // as stored
	Seconds       float32 // how long each member of the group is shown, by the first one's time; 0 without a group
}

// maxSeconds is longer than any pose is shown.
const maxSeconds = 1e6

// FrameMembers returns the poses of a Quake model, at most most of them, and whether it has more. After an error it
// returns those before it.
func FrameMembers(data []byte, most int) (list []FrameMember, more bool, err error) {
	c := le.NewCursor("header", data)
	h, err := readHead(c)
	if err == nil {
		if _, err = findSkin(c, h, 0); err == nil {
			c.Bytes(12 * h.places)
			c.Bytes(16 * h.triangles)
			err = h.eachPose(c, func(p FrameMember, _ []byte) bool {
				more = len(list) == most
				if !more {
					list = append(list, p)
				}
				return !more
			})
		}
	}
	if err != nil {
		err = fmt.Errorf("mdl: %w", err)
	}
	return list, more, err
}

// DecodeMDL returns a Quake model in one of its frames, with the material of one of its skins. A frame or skin number
// out of range is clamped, and a member of a group out of range is the first.
//
// DecodeMDL fails with limit.ErrCorrupt if the file breaks its format, with errors.ErrUnsupported for other versions,
// and with limit.ErrLimit if b is exceeded.
func DecodeMDL(name string, data []byte, p FrameMember, skin int, b *limit.Budget) (*world.Model, world.Material, error) {
	m, material, err := decodeMDL(name, data, p, skin, b)
	if err != nil {
		return nil, world.Material{}, fmt.Errorf("mdl: %w", err)
	}
	return m, material, nil
}

func decodeMDL(name string, data []byte, p FrameMember, skin int, b *limit.Budget) (m *world.Model, material world.Material, err error) {
	c := le.NewCursor("header", data)
	h, err := readHead(c)
	if err != nil {
		return nil, material, err
	}
	p.Frame, skin = max(0, min(p.Frame, h.frames-1)), max(0, min(skin, h.skins-1))
	pixels, err := findSkin(c, h, skin)
	if err != nil {
		return nil, material, err
	}
	places, triangles := c.Bytes(12*h.places), c.Bytes(16*h.triangles)
	if err := c.Err(); err != nil {
		return nil, material, err
	}
	reserved := cost(int64(h.triangles), int64(h.vertices)) + int64(len(pixels))
	if err := b.Reserve(reserved); err != nil {
		return nil, material, err
	}
	defer func() {
		if err != nil {
			b.Release(reserved)
		}
	}()
	corners, err := h.corners(places, triangles)
	if err != nil {
		return nil, material, err
	}
	at, err := h.frame(c, p)
	if err != nil {
		return nil, material, err
	}
	m = build(name, at, corners)
	material = world.Material{Name: fmt.Sprintf("%s/%d", name, skin), Lighting: world.PerVertex, Width: h.width, Height: h.height}
	if pixels != nil {
		material.Texture = &world.Texture{Width: h.width, Height: h.height, Pixels: bytes.Clone(pixels), Hole: h.flags&mdlHoles != 0}
		if material.Texture.Hole {
			material.Blend, material.Opacity = world.BlendMask, 1
		}
	}
	return m, material, nil
}

// readHead reads the header and checks its numbers, so that sizes computed from them fit into an int.
func readHead(c *le.Cursor) (h mdlHead, err error) {
	got, version := string(c.Bytes(4)), c.Int32()
	h.scale, h.offset = vector(c), vector(c)
	c.Bytes(16) // radius, eye position
	for _, n := range []*int{&h.skins, &h.width, &h.height, &h.vertices, &h.triangles, &h.frames} {
		*n = int(c.Int32())
	}
	c.Bytes(4) // whether frames start at random times
	h.flags = c.Uint32()
	c.Bytes(4) // size
	if err := c.Err(); err != nil {
		return h, err
	}
	kind := slices.IndexFunc(mdlKinds, func(k mdlKind) bool { return k.ident == got })
	if kind >= 0 && mdlKinds[kind].version == version {
		if h.places, h.apart = h.vertices, mdlKinds[kind].places; h.apart {
			h.places = int(c.Int32())
		}
	}
	const most = 1 << 24
	switch {
	case kind < 0:
		return h, modelfile.Fault("ident", "header", "it starts with %q, not %q", got, mdlKinds[0].ident)
	case mdlKinds[kind].version != version:
		return h, fmt.Errorf("version %d: %w", version, errors.ErrUnsupported)
	case c.Err() != nil:
		return h, c.Err()
	case h.skins < 0 || h.frames < 1 || h.skins > most || h.frames > most:
		return h, modelfile.Fault("count", "header", "%d skins, %d frames", h.skins, h.frames)
	case h.width < 1 || h.height < 1 || h.width > 1<<14 || h.height > 1<<14:
		return h, modelfile.Fault("size", "header", "a skin has %d x %d pixels", h.width, h.height)
	case h.vertices < 0 || h.triangles < 0 || h.vertices > most || h.triangles > most:
		return h, modelfile.Fault("count", "header", "%d vertices, %d triangles", h.vertices, h.triangles)
	case h.places < 0 || h.places > most:
		return h, modelfile.Fault("count", "header", "%d texture coordinates", h.places)
	}
	return h, nil
}

// findSkin skips to a skin and returns its pixels, or nil if there are no skins. It leaves the cursor behind the last
// skin.
func findSkin(c *le.Cursor, h mdlHead, skin int) (pixels []byte, err error) {
	for i := range h.skins {
		pictures := 1
		if c.Int32() != 0 {
			if pictures, err = group(c); err != nil {
				return nil, err
			}
			c.Bytes(4 * pictures) // times at which pictures end
		}
		for k := range pictures {
			data := c.Bytes(h.width * h.height)
			if err := c.Err(); err != nil {
				return nil, err
			}
			if i == skin && k == 0 {
				pixels = data
			}
		}
	}
	return pixels, nil
}

// group reads the number of members of a group.
func group(c *le.Cursor) (int, error) {
	n := c.Int32()
	if err := c.Err(); err != nil {
		return 0, err
	}
	if n < 1 || n > 1<<20 {
		return 0, modelfile.Fault("count", "groups", "a group of %d", n)
	}
	return int(n), nil
}

// corners reads the triangles. A skin shows the model's front on its left half and its back on the right half; a
// vertex on the seam stores only its position on the front.
func (h mdlHead) corners(places, triangles []byte) ([]corner, error) {
	corners := make([]corner, 0, 3*h.triangles)
	for i := range h.triangles {
		t := triangles[16*i:]
		front := le.Int32(t) != 0
		for k := range 3 {
			v := int(le.Int32(t[4+4*k:]))
			place := v
			if h.apart {
				v, place = int(binary.LittleEndian.Uint16(t[4+2*k:])), int(binary.LittleEndian.Uint16(t[10+2*k:]))
			}
			if v < 0 || v >= h.vertices || place >= h.places {
				return nil, modelfile.Fault("index-range", "triangles", "triangle %d: vertex %d is outside its %d, or texture coordinates %d outside its %d", i,
					v, h.vertices, place, h.places)
			}
			p := places[12*place:]
			seam, s, t := le.Int32(p) != 0, float64(le.Int32(p[4:]))+0.5, float64(le.Int32(p[8:]))+0.5
			if seam && !front {
				s += float64(h.width) / 2
			}
			corners = append(corners, corner{v, [2]float32{float32(s / float64(h.width)), float32(t / float64(h.height))}})
		}
	}
	return corners, nil
}

// frame skips to a pose and returns the positions of its vertices.
func (h mdlHead) frame(c *le.Cursor, want FrameMember) ([][3]float32, error) {
	var found []byte
	err := h.eachPose(c, func(p FrameMember, points []byte) bool {
		if p.Frame > want.Frame {
			return false
		}
		if p.Frame == want.Frame && (p.Member == 0 || p.Member == want.Member) {
			found = points
		}
		return true
	})
	switch {
	case err != nil && found == nil:
		return nil, err
	case found == nil:
		return nil, modelfile.Fault("count", "frames", "there is no frame %d", want.Frame)
	}
	return frameAt(found, h.scale, h.offset)
}

// eachPose calls do with each pose and the bytes of its vertices, until it returns false.
func (h mdlHead) eachPose(c *le.Cursor, do func(p FrameMember, points []byte) bool) error {
	for i := range h.frames {
		poses, seconds := 1, float32(0)
		if c.Int32() != 0 {
			var err error
			if poses, err = group(c); err != nil {
				return err
			}
			c.Bytes(2 * pointSize)      // bounding box
			until := c.Bytes(4 * poses) // the time at which each pose ends
			if c.Err() == nil {
				seconds = le.Float32(until)
			}
			if !(seconds > 0 && seconds <= maxSeconds) {
				seconds = 0
			}
		}
		for k := range poses {
			c.Bytes(2 * pointSize) // bounding box
			name := c.Bytes(16)
			points := c.Bytes(pointSize * h.vertices)
			if err := c.Err(); err != nil {
				return err
			}
			if !do(FrameMember{i, k, le.String(name), seconds}, points) {
				return nil
			}
		}
	}
	return nil
}
