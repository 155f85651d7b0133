package images

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/jpeg"
	"image/png"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// makeAll makes an image of a file in every way that a task may ask for. The file's name says what it is read as.
func makeAll(ctx context.Context, b *limit.Budget, file string, data []byte) ([]Made, error) {
	files := fstest.MapFS{file: {Data: data}}
	layer := paint.Stage{Image: file, UV: pbr.Identity, Color: paint.White, Alpha: 1}
	works := []Work{
		File(file),
		Combined{&paint.Recipe{Stages: []paint.Stage{layer}}},
		Surface{Base: Source{File: file}, Over: Source{File: file}, Mask: Source{file, 1},
			Paint: paint.Surface{Detail: paint.Mix{UV: pbr.Identity, Factor: 1}, Glow: 1}},
		Gloss{Masks: [3]Mask{{File: file}}, Roughness: 1},
		Overpaint{Base: file, Over: file, Mix: paint.Mix{UV: pbr.Identity, Factor: 1, Tint: paint.White}},
		Indexed{File: file, WAL: true},
	}
	var tasks []Task
	for i, w := range works {
		tasks = append(tasks, Task{Work: w, Name: fmt.Sprint("image", i), Alpha: Shown})
	}
	return New(files, plain, b).All(ctx, tasks)
}

// pngHeader returns a whole PNG of 57 bytes that claims a size.
func pngHeader(width, height uint32) []byte {
	out := []byte("\x89PNG\r\n\x1a\n")
	chunk := func(id string, data ...byte) {
		out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
		out = append(append(out, id...), data...)
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[len(out)-len(data)-4:]))
	}
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)
	chunk("IHDR", append(head, 8, 6, 0, 0, 0)...)
	chunk("IDAT")
	chunk("IEND")
	return out
}

// walHeader returns a .wal file without pixels that claims a size.
func walHeader(width, height uint32) []byte {
	out := make([]byte, 100)
	binary.LittleEndian.PutUint32(out[32:], width)
	binary.LittleEndian.PutUint32(out[36:], height)
	binary.LittleEndian.PutUint32(out[40:], 100)
	return out
}

// Sizes whose products exceed 63 bits are issues of their images, whatever MaxPixels is.
func TestSizesThatNoFileHolds(t *testing.T) {
	for _, c := range []struct {
		file string
		data []byte
	}{
		{"a.png", pngHeader(1<<31-1, 1<<31-1)},
		{"a.png", pngHeader(1<<31-1, 1)},
		{"a.png", pngHeader(1<<24, 1<<24)},
		{"a.wal", walHeader(1<<32-1, 1<<32-1)},
		{"a.wal", walHeader(1<<16, 1<<16)},
		{"a.tga", []byte{17: 0, 2: 2, 12: 255, 13: 255, 14: 255, 15: 255, 16: 32}},
		{"a.vtf", append([]byte("VTF\x00\x07\x00\x00\x00\x02\x00\x00\x00\x50\x00\x00\x00\xff\xff\xff\xff"), make([]byte, 60)...)},
	} {
		if len(c.data) == 57 != (c.file == "a.png") {
			t.Errorf("%s has %d bytes", c.file, len(c.data))
		}
		for _, most := range []int64{0, 1 << 62} {
			list, err := makeAll(t.Context(), limit.NewBudget(limit.Limits{MaxPixels: most}), c.file, c.data)
			if err != nil {
				t.Errorf("%s: %v", c.file, err)
			}
			for i, m := range list {
				if len(m.Issues) == 0 || len(m.Images) > 0 {
					t.Errorf("%s, work %d: %d images, issues %v", c.file, i, len(m.Images), m.Issues)
				}
			}
		}
	}
}

// Any file gives images or issues, in every way that it can be used.
func FuzzMake(f *testing.F) {
	im := image.NewNRGBA(image.Rect(0, 0, 8, 4))
	for i := range im.Pix {
		im.Pix[i] = byte(7 * i)
	}
	var asPNG, asJPEG bytes.Buffer
	if png.Encode(&asPNG, im) != nil || jpeg.Encode(&asJPEG, im, nil) != nil {
		f.Fatal("the seeds can't be encoded")
	}
	ends := []string{".png", ".jpg", ".tga", ".wal", ".vtf", ".bmp", ".pcx", ".webp"}
	for i, data := range [][]byte{asPNG.Bytes(), asJPEG.Bytes(), {17: 0, 2: 2, 12: 1, 14: 1, 16: 24, 20: 9},
		append(walHeader(2, 2), 1, 2, 3, 4)} {
		f.Add(data, byte(i))
	}
	f.Add(pngHeader(1<<31-1, 1<<31-1), byte(0))
	f.Add(pngHeader(1<<15, 1<<15), byte(0))
	f.Fuzz(func(t *testing.T, data []byte, end byte) {
		b := limit.NewBudget(limit.Limits{MaxPixels: 1 << 12, MaxMemory: 16 << 20, MaxInflateTotal: 16 << 20})
		list, err := makeAll(t.Context(), b, "a"+ends[int(end)%len(ends)], data)
		if errors.Is(err, limit.ErrLimit) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range list {
			for _, made := range m.Images {
				if made.Width < 1 || made.Height < 1 || len(made.Data) == 0 {
					t.Fatalf("work %d: %d x %d pixels in %d bytes", i, made.Width, made.Height, len(made.Data))
				}
			}
		}
	})
}
