package picture

import (
	"bytes"
	"encoding/binary"
	"image"
	"slices"
	"strings"
	"testing"
)

// halfs returns pixels for EncodeEXR, each different.
func halfs(w, h int) []byte {
	b := make([]byte, EXRPixel*w*h)
	for i := range b {
		b[i] = byte(i*i>>3) &^ 0x40
	}
	return b
}

// A tagged file holds the same pixels and says the text. In an OpenEXR file the blocks are where the table says.
func TestTaggedFilesAreTheSamePictures(t *testing.T) {
	const key = "bsp2gltf_map"
	value := strings.Repeat("0f", 32)
	for _, size := range [][2]int{{1, 1}, {40, 16}, {40, 37}, {300, 200}} {
		w, h := size[0], size[1]
		plain, err := EncodeEXR(t.Context(), halfs(w, h), w, h)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := Tag(&b, plain, key, value); err != nil {
			t.Fatal(err)
		}
		data := b.Bytes()
		grown := len(data) - len(plain)
		if grown != len(key)+len("string")+2+4+len(value) || Tagged(data, key) != value || Tagged(plain, key) != "" ||
			Tagged(data, "other") != "" {
			t.Fatalf("%v: %d bytes more, %q", size, grown, Tagged(data, key))
		}
		if Tagged(data[:min(len(data), maxTagged)], key) != value {
			t.Errorf("%v: the text is not at the start", size)
		}
		end, before := exrEnd(data), exrEnd(plain)
		for i := range (h + 15) / 16 {
			was, is := binary.LittleEndian.Uint64(plain[before+1+8*i:]), binary.LittleEndian.Uint64(data[end+1+8*i:])
			if is != was+uint64(grown) || !bytes.Equal(data[is:is+8], plain[was:was+8]) {
				t.Fatalf("%v: block %d was at %d and is at %d", size, i, was, is)
			}
		}
		if !bytes.HasSuffix(data, plain[before+1+8*((h+15)/16):]) {
			t.Errorf("%v: the blocks are others", size)
		}
	}
	im := image.NewNRGBA(image.Rect(0, 0, 9, 5))
	copy(im.Pix, halfs(9, 5))
	plain, err := EncodePNG(im, true, Fast)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Tag(&b, plain, key, value); err != nil {
		t.Fatal(err)
	}
	read, info, err := Decode(b.Bytes(), "", nil)
	if err != nil || !bytes.Equal(read.Pix, im.Pix) || !info.Passable || !Holds(b.Bytes(), PNG, 9, 5) {
		t.Errorf("%+v, %v", info, err)
	}
	if Tagged(b.Bytes(), key) != value || Tagged(plain, key) != "" || Tagged(b.Bytes(), "other") != "" {
		t.Errorf("%q", Tagged(b.Bytes(), key))
	}
	b.Reset()
	if err := Tag(&b, []byte("neither"), key, value); err != nil || b.String() != "neither" {
		t.Errorf("%q, %v", b.String(), err)
	}
}

// Tag and Tagged look at files that anybody may have put beside an output.
func FuzzTag(f *testing.F) {
	exr, err := EncodeEXR(f.Context(), halfs(4, 20), 4, 20)
	if err != nil {
		f.Fatal(err)
	}
	png, err := EncodePNG(image.NewNRGBA(image.Rect(0, 0, 2, 2)), true, Fast)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(exr)
	f.Add(exr[:60])
	f.Add(png)
	f.Add(png[:40])
	// Its header ends where another has no room.
	f.Add(append(appendAttribute(slices.Clone(exr[:8]), "a", "string", make([]byte, maxTagged-30)), 0, 0))
	f.Fuzz(func(t *testing.T, data []byte) {
		var b bytes.Buffer
		if err := Tag(&b, data, "k", "v"); err != nil || b.Len() < len(data) {
			t.Errorf("%d bytes of %d, %v", b.Len(), len(data), err)
		}
		if got := Tagged(b.Bytes(), "k"); got != "v" && b.Len() > len(data) {
			t.Errorf("it says %q", got)
		}
		Tagged(data, "k")
	})
}
