package quakemdl

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/world"
)

const (
	md2Ident   = "IDP2"
	md2Version = 8

	md2SkinName  = 64
	md2FrameHead = 40 // scale, offset, name
)

// DecodeMD2 returns a Quake II model in one of its frames, and the stored file name of one of its skins, or "". A frame
// or skin number out of range is clamped.
//
// DecodeMD2 fails with limit.ErrCorrupt if the file breaks its format, with errors.ErrUnsupported for other versions,
// and with limit.ErrLimit if b is exceeded.
func DecodeMD2(name string, data []byte, frame, skin int, b *limit.Budget) (m *world.Model, picture string, err error) {
	if m, picture, err = decodeMD2(name, data, frame, skin, b); err != nil {
		return nil, "", fmt.Errorf("md2: %w", err)
	}
	return m, picture, nil
}

func decodeMD2(name string, data []byte, frame, skin int, b *limit.Budget) (m *world.Model, picture string, err error) {
	c := le.NewCursor("header", data)
	got, version := string(c.Bytes(4)), c.Int32()
	var n [15]int64 // Quake II, qfiles.h, dmdl_t
	for i := range n {
		n[i] = int64(c.Int32())
	}
	width, height, frameSize, skins, points, places, triangles, frames := n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[8]
	switch err := c.Err(); {
	case err != nil:
		return nil, "", err
	case got != md2Ident:
		return nil, "", modelfile.Fault("ident", "header", "it starts with %q, not %q", got, md2Ident)
	case version != md2Version:
		return nil, "", fmt.Errorf("version %d: %w", version, errors.ErrUnsupported)
	case width < 1 || height < 1:
		return nil, "", modelfile.Fault("size", "header", "a skin has %d x %d pixels", width, height)
	case frames < 1 || points < 0 || frameSize < md2FrameHead+points*pointSize:
		return nil, "", modelfile.Fault("count", "header", "%d frames of %d bytes, for %d vertices", frames, frameSize, points)
	}
	var block [4][]byte
	for k, t := range [...]struct {
		what        string
		at, n, size int64
	}{
		{"skins", n[9], skins, md2SkinName}, {"texture coordinates", n[10], places, 4}, {"triangles", n[11], triangles, 12},
		{"frames", n[12], frames, frameSize},
	} {
		if block[k], err = slice(data, t.what, t.at, t.n, t.size); err != nil {
			return nil, "", err
		}
	}
	if skins > 0 {
		picture = le.String(block[0][max(0, min(int64(skin), skins-1))*md2SkinName:][:md2SkinName])
	}
	reserved := cost(triangles, points)
	if err := b.Reserve(reserved); err != nil {
		return nil, "", err
	}
	defer func() {
		if err != nil {
			b.Release(reserved)
		}
	}()
	corners := make([]corner, 0, 3*triangles)
	for i := range triangles {
		t := block[2][12*i:]
		for k := range 3 {
			v, p := int64(binary.LittleEndian.Uint16(t[2*k:])), int64(binary.LittleEndian.Uint16(t[6+2*k:]))
			if v >= points || p >= places {
				return nil, "", modelfile.Fault("index-range", "triangles", "triangle %d: vertex %d of %d, texture coordinates %d of %d", i, v, points, p, places)
			}
			s, t := int16(binary.LittleEndian.Uint16(block[1][4*p:])), int16(binary.LittleEndian.Uint16(block[1][4*p+2:]))
			corners = append(corners, corner{int(v), [2]float32{float32(s) / float32(width), float32(t) / float32(height)}})
		}
	}
	f := block[3][max(0, min(int64(frame), frames-1))*frameSize:]
	head := le.NewCursor("frame", f[:md2FrameHead])
	at, err := frameAt(f[md2FrameHead:][:points*pointSize], vector(head), vector(head))
	if err != nil {
		return nil, "", err
	}
	return build(name, at, corners), picture, nil
}

// FramesMD2 returns the names of the frames of a Quake II model that DecodeMD2 has accepted, at most most of them,
// and whether it has more.
func FramesMD2(data []byte, most int) (list []string, more bool) {
	size, frames, at := int64(le.Int32(data[16:])), int64(le.Int32(data[40:])), int64(le.Int32(data[56:]))
	for i := range min(frames, int64(most)) {
		list = append(list, le.String(data[at+i*size+24:][:16]))
	}
	return list, frames > int64(most)
}
