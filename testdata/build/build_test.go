package main

import (
	"bytes"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
)

// underRace is set by race_test.go: baking takes ten times as long there.
var underRace bool

// The committed fixtures are those that the code builds. Pictures are compared by what they show, since the standard library may
// pack them better some day. The baked maps and painted textures, which take ten times as long as all others, are compared where
// BSP2GLTF_FIXTURES is all, and on amd64 only: elsewhere Go fuses multiplication and addition.
func TestCommittedFilesAreFresh(t *testing.T) {
	wanted := func(name string) bool {
		if os.Getenv("BSP2GLTF_FIXTURES") != "all" || underRace || runtime.GOARCH != "amd64" {
			return strings.HasPrefix(name, "features/") || strings.HasPrefix(name, "source/maps/") && !strings.Contains(name, "showcase")
		}
		return true
	}
	compared := 0
	for name, fresh := range files(wanted) {
		compared++
		old, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
		if err != nil {
			t.Error(err)
			continue
		}
		if bytes.Equal(old, fresh) {
			continue
		}
		switch filepath.Ext(name) {
		case ".png":
			samePicture(t, name, old, fresh, 0)
		case ".jpg":
			samePicture(t, name, old, fresh, 24)
		default:
			t.Errorf("%s: not what is built: go run ./testdata/build", name)
		}
	}
	if compared < 60 {
		t.Errorf("only %d files were compared", compared)
	}
}

func samePicture(t *testing.T, name string, a, b []byte, within int) {
	t.Helper()
	p, _, err := image.Decode(bytes.NewReader(a))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	q, _, err := image.Decode(bytes.NewReader(b))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if p.Bounds() != q.Bounds() {
		t.Errorf("%s: size %v, built %v", name, p.Bounds(), q.Bounds())
		return
	}
	for y := range p.Bounds().Dy() {
		for x := range p.Bounds().Dx() {
			r, g, bl, al := p.At(x, y).RGBA()
			r2, g2, b2, a2 := q.At(x, y).RGBA()
			for _, d := range [4]int{int(r) - int(r2), int(g) - int(g2), int(bl) - int(b2), int(al) - int(a2)} {
				if d > within*257 || d < -within*257 {
					t.Errorf("%s: pixel %d, %d differs", name, x, y)
					return
				}
			}
		}
	}
}

func TestFoldersAreSmall(t *testing.T) {
	for folder, most := range map[string]int64{"demo": 2_500_000, "source": 2_000_000} {
		var total int64
		err := filepath.Walk(filepath.Join("..", folder), func(_ string, info os.FileInfo, err error) error {
			if err == nil && !info.IsDir() {
				total += info.Size()
			}
			return err
		})
		if err != nil || total > most {
			t.Errorf("%s: %d bytes, want at most %d: %v", folder, total, most, err)
		}
	}
}

// Every index of a built map stays inside its lump, and triangles are clockwise seen from the front.
func TestBuiltMapsAreSound(t *testing.T) {
	maps := 0
	for name, f := range features() {
		if !strings.HasSuffix(name, ".bsp") {
			continue
		}
		maps++
		file := f()
		lumps := 17
		switch string(file[:4]) {
		case "RBSP", "FBSP":
			lumps = 18
		case "FAKK", "EF2!":
			continue // have another directory
		}
		for i := range lumps {
			if offset, length := ibsp.Lump(file, i); offset < 8+8*lumps || offset+length > len(file) {
				t.Errorf("%s: lump %d is bytes %d to %d of %d", name, i, offset, offset+length, len(file))
			}
		}
	}
	if maps < 15 {
		t.Errorf("only %d maps", maps)
	}
	for _, m := range []*ibsp.Map{polygonsMap(), meshesMap(), patchesMap(), brushModelsMap()} {
		for _, x := range m.Models {
			for i, s := range x.Surfaces {
				for k := 0; k+2 < len(s.Indices); k += 3 {
					a, b, c := s.Vertices[s.Indices[k]], s.Vertices[s.Indices[k+1]], s.Vertices[s.Indices[k+2]]
					if n := to64(b.XYZ).sub(to64(a.XYZ)).cross(to64(c.XYZ).sub(to64(a.XYZ))); n.dot(to64(a.Normal)) > 1e-3 {
						t.Errorf("%s: surface %d: triangle %d is counter-clockwise", m.Entities[0][1][1], i, k/3)
					}
				}
			}
		}
	}
}
