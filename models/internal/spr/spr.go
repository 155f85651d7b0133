// Package spr reads sprites, .spr files: Quake's (version 1), which use the game's palette, and Half-Life's (version
// 2), which have a palette and a render mode.
//
// A sprite is a list of frames, each a picture with the position of its upper left corner relative to the sprite's
// origin; a frame may also be a group of pictures shown in turn. A pixel is a map unit.
package spr

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/world"
)

const (
	ident = "IDSP"

	quake    = 1
	halfLife = 2

	materialCost = 1024 // estimated bytes of a sprite apart from its pixels
)

// The render modes of Half-Life's sprites. Half-Life SDK, engine/spritegn.h.
const (
	normal     = 0
	additive   = 1
	indexAlpha = 2
	alphaTest  = 3
)

// Decode returns a frame of a sprite as an upright card with one material, which contains its texture. A frame out of
// range is clamped; of a group the first picture is used. With an fps above 0 the material's texture is animated: the
// other frames follow, unless there are more than 256 or they differ in place or size.
//
// The card is visible from -X, where a viewer looks along +X, as for a sprite whose entity sets its direction, and
// from behind; most sprites turn to the viewer instead. It is not lit. The file's render mode determines the
// material's Blend and its texture.
//
// Decode fails with limit.ErrCorrupt if the file breaks its format, with errors.ErrUnsupported for other versions, and
// with limit.ErrLimit if b is exceeded.
func Decode(name string, data []byte, frame int, fps float64, b *limit.Budget) (*world.Model, world.Material, error) {
	m, material, err := decode(name, data, frame, fps, b)
	if err != nil {
		return nil, world.Material{}, fmt.Errorf("sprite: %w", err)
	}
	return m, material, nil
}

// facings are the ways in which sprites turn to the viewer, by the number in the header: about the vertical, parallel
// to the screen; about the vertical, to the viewer; to the viewer; fixed by the entity; to the viewer, with the
// entity's roll. Half-Life SDK, engine/spritegn.h, SPR_.
var facings = [...]world.Facing{world.AboutUpright, world.UprightToEye, world.ToViewer, world.Fixed, world.ToViewer}

// Facing returns how a sprite turns to the viewer.
func Facing(data []byte) world.Facing {
	const at = 8 // after the ident and the version
	if len(data) < at+4 {
		return world.Fixed
	}
	if n := binary.LittleEndian.Uint32(data[at:]); n < uint32(len(facings)) {
		return facings[n]
	}
	return world.Fixed
}

func decode(name string, data []byte, frame int, fps float64, b *limit.Budget) (*world.Model, world.Material, error) {
	m := world.Material{
		Name: strings.TrimSuffix(name, path.Ext(name)), Lighting: world.Fullbright, TwoSided: true,
		Texture: &world.Texture{},
	}
	c := le.NewCursor("header", data)
	frames, err := header(c, &m)
	if err != nil {
		return nil, m, err
	}
	frame = max(0, min(frame, frames-1))
	if frame > 0 {
		m.Name = fmt.Sprintf("%s/%d", m.Name, frame)
	}
	rest := *c
	p, err := skip(c, frame)
	if err != nil {
		return nil, m, err
	}
	m.Width, m.Height = p.width, p.height
	m.Texture.Width, m.Texture.Height, m.Texture.Pixels = p.width, p.height, p.pixels
	if fps > 0 && frames > 1 && frames <= maxFrames {
		if m.Texture.Next = following(&rest, m.Texture, &p, frame, frames); m.Texture.Next != nil {
			m.FPS = fps
		}
	}
	if err := b.Reserve(int64(1+len(m.Texture.Next)) * (int64(len(p.pixels)) + materialCost)); err != nil {
		return nil, m, err
	}
	for _, t := range append([]*world.Texture{m.Texture}, m.Texture.Next...) {
		t.Pixels = bytes.Clone(t.Pixels)
	}
	return card(name, float32(p.left), float32(p.top), float32(m.Width), float32(m.Height)), m, nil
}

// maxFrames is the most frames of an animation.
const maxFrames = 256

// following returns the frames after frame, then those before it, as textures that share the file's bytes. It returns
// none if the file is broken there, or if any has another place or size.
func following(c *le.Cursor, t *world.Texture, p *picture, frame, frames int) []*world.Texture {
	list := make([]*world.Texture, frames)
	for i := range list {
		next, err := one(c, i)
		if err != nil || next.left != p.left || next.top != p.top || next.width != p.width || next.height != p.height {
			return nil
		}
		same := *t
		same.Pixels, list[i] = next.pixels, &same
	}
	return append(list[frame+1:len(list):len(list)], list[:frame]...)
}

// header reads up to the first frame and returns the number of frames.
func header(c *le.Cursor, m *world.Material) (frames int, err error) {
	got, version := string(c.Bytes(4)), c.Int32()
	if err := c.Err(); err != nil {
		return 0, err
	}
	if got != ident {
		return 0, modelfile.Fault("ident", "header", "it starts with %q, not %q", got, ident)
	}
	if version != quake && version != halfLife {
		return 0, fmt.Errorf("version %d: %w", version, errors.ErrUnsupported)
	}
	c.Bytes(4) // how it faces
	format := int32(alphaTest)
	if version == halfLife {
		format = c.Int32()
	}
	c.Bytes(12) // radius, width, height
	frames = int(c.Int32())
	c.Bytes(8) // beam length, whether frames start at random times
	if version == halfLife {
		colors := int(binary.LittleEndian.Uint16(c.Bytes(2)))
		if c.Err() == nil && (colors < 1 || colors > 256) {
			return 0, modelfile.Fault("count", "palette", "%d colours", colors)
		}
		m.Texture.Palette = make([][3]uint8, 256) // some files have fewer colours (640hud4.spr): the others are black
		for i := range colors {
			copy(m.Texture.Palette[i][:], c.Bytes(3))
		}
	}
	if err := c.Err(); err != nil {
		return 0, err
	}
	if frames < 1 {
		return 0, modelfile.Fault("count", "header", "%d frames", frames)
	}
	m.Opacity = 1
	switch format {
	case normal:
	case additive:
		m.Blend = world.BlendAdd
	case indexAlpha:
		m.Blend, m.Texture.AlphaIndex = world.BlendAlpha, true
	case alphaTest:
		m.Blend, m.Texture.Hole = world.BlendMask, true
	default:
		return 0, modelfile.Fault("format", "header", "it is drawn in way %d", format)
	}
	return frames, nil
}

// picture is a frame: its upper left corner relative to the sprite's origin, its size, and its palette indices.
type picture struct {
	left, top     int32
	width, height int
	pixels        []byte
}

// skip reads frames up to frame and returns that one.
func skip(c *le.Cursor, frame int) (p picture, err error) {
	for i := 0; i <= frame && err == nil; i++ {
		p, err = one(c, i)
	}
	return p, err
}

// one reads frame i; of a group its first picture.
func one(c *le.Cursor, i int) (first picture, err error) {
	pictures := int32(1)
	if c.Int32() != 0 {
		pictures = c.Int32()
		if c.Err() == nil && (pictures < 1 || pictures > 1<<20) {
			return first, modelfile.Fault("count", "frames", "frame %d is a group of %d", i, pictures)
		}
		c.Bytes(4 * int(pictures)) // how long each is shown
	}
	for k := range pictures {
		x, y, width, height := c.Int32(), c.Int32(), c.Int32(), c.Int32()
		if err := c.Err(); err != nil {
			return first, err
		}
		if width < 1 || height < 1 || width > maxSide || height > maxSide || min(x, y) < -maxSide || max(x, y) > maxSide {
			return first, modelfile.Fault("size", "frames", "frame %d is %d x %d pixels at %d %d", i, width, height, x, y)
		}
		data := c.Bytes(int(width) * int(height))
		if err := c.Err(); err != nil {
			return first, err
		}
		if k == 0 {
			first = picture{x, y, int(width), int(height), data}
		}
	}
	return first, nil
}

// maxSide is the largest accepted width and height of a sprite in pixels, far more than any has.
const maxSide = 1 << 14

// card returns an upright rectangle with its front to -X and its left to +Y.
func card(name string, left, top, width, height float32) *world.Model {
	t := &world.Triangles{Indices: []uint32{0, 1, 2, 0, 2, 3}}
	for _, c := range [4][2]float32{{0, 1}, {1, 1}, {1, 0}, {0, 0}} {
		t.Vertices = append(t.Vertices, world.Vertex{
			Position: [3]float32{0, -(left + float32(c[0]*width)), top - float32(c[1]*height)},
			Normal:   [3]float32{-1, 0, 0}, UV: c, Color: [4]float32{1, 1, 1, 1},
		})
	}
	return &world.Model{
		Name: name, Mins: [3]float32{0, -(left + width), top - height}, Maxs: [3]float32{0, -left, top},
		Surfaces: []world.Surface{{Shape: t, Chart: world.NoChart, Fog: -1}},
	}
}

// Whole fails with limit.ErrCorrupt if a sprite of a known version ends before its last frame does.
func Whole(data []byte) error {
	c := le.NewCursor("header", data)
	frames, err := header(c, &world.Material{Texture: &world.Texture{}})
	if err == nil && frames > 0 {
		_, err = skip(c, frames-1)
	}
	return err
}
