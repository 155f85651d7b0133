package bsp_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp"
	"github.com/bsp2gltf/bsp2gltf/limits"
)

// mapOf decodes a fixture, which stays open.
func mapOf(t *testing.T, ctx context.Context, name string) (*bsp.Map, error) {
	t.Helper()
	file, err := os.Open(filepath.Join("../testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	base := strings.TrimSuffix(filepath.Base(name), ".bsp")
	return bsp.Decode(ctx, file, info.Size(), bsp.Options{Name: base, Files: os.DirFS(filepath.Dir(filepath.Dir(file.Name())))})
}

// The entities are text in every format: their lump shows that it was found, decrypted, unpacked and taken from a file beside the map.
func TestLumpsAreReadInEveryFormat(t *testing.T) {
	for _, c := range []struct {
		name  string
		index int // of the entities
	}{
		{"features/maps/patches.bsp", 0}, {"features/maps/raven.bsp", 0}, {"features/maps/qfusion.bsp", 0}, {"features/maps/fakk2.bsp", 14},
		{"goldsrc/maps/version29.bsp", 0}, {"goldsrc/maps/version30.bsp", 0}, {"goldsrc/maps/blueshift.bsp", 1},
		{"goldsrc/maps/version38.bsp", 0}, {"goldsrc/maps/bsp2.bsp", 0}, {"goldsrc/maps/xash31.bsp", 0},
		{"source/maps/polygons.bsp", 0}, {"source/maps/lzma.bsp", 0}, {"source/maps/l4d2.bsp", 0},
		{"source/variants/console.bsp", 0}, {"source/variants/tactical20.bsp", 0},
		{"respawn/maps/titanfall.bsp", 0}, {"respawn/maps/beside.bsp", 0}, {"respawn/maps/titanfall_xbox.bsp", 0},
	} {
		m, err := mapOf(t, t.Context(), c.name)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		text, err := m.Lump(c.index)
		if err != nil || !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
			t.Errorf("%s: %.40q, %v", c.name, text, err)
		}
		for _, l := range m.Lumps {
			if data, err := m.Lump(l.Index); err != nil || l.Size > 0 && len(data) == 0 {
				t.Errorf("%s: lump %d (%s) of %d bytes: %d bytes, %v", c.name, l.Index, l.Name, l.Size, len(data), err)
			}
		}
		if _, err := m.Lump(1000); !errors.Is(err, limits.ErrUsage) || !strings.Contains(err.Error(), "no lump 1000") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestPackedLumpsAreUnpacked(t *testing.T) {
	m, err := mapOf(t, t.Context(), "source/maps/lzma.bsp")
	if err != nil {
		t.Fatal(err)
	}
	packed := 0
	for _, l := range m.Lumps {
		data, err := m.Lump(l.Index)
		if err != nil || bytes.HasPrefix(data, []byte("LZMA")) {
			t.Errorf("lump %d: %.20q, %v", l.Index, data, err)
		}
		if int64(len(data)) > l.Size {
			packed++
		}
	}
	if packed == 0 {
		t.Error("no lump of the fixture is packed")
	}
}

// lmp_l_0.lmp replaces a lump of lmp.bsp.
func TestALumpPatchReplacesItsLump(t *testing.T) {
	patch, err := os.ReadFile("../testdata/source/maps/lmp_l_0.lmp")
	if err != nil {
		t.Fatal(err)
	}
	m, err := mapOf(t, t.Context(), "source/maps/lmp.bsp")
	if err != nil {
		t.Fatal(err)
	}
	data, err := m.Lump(int(binary.LittleEndian.Uint32(patch[4:])))
	if err != nil || !bytes.Equal(data, patch[binary.LittleEndian.Uint32(patch):]) {
		t.Errorf("%.40q, %v", data, err)
	}
}

func TestLumpsKeepToTheLimitsAndAreTheCallers(t *testing.T) {
	ctx := limits.With(t.Context(), limits.Limits{})
	m, err := mapOf(t, ctx, "source/maps/lzma.bsp")
	if err != nil {
		t.Fatal(err)
	}
	before, _ := m.Lump(0)
	before[0] = 'x'
	for range 100 { // nothing stays reserved
		if data, err := m.Lump(0); err != nil || data[0] != '{' {
			t.Fatalf("%.20q, %v", data, err)
		}
	}
	if _, err := new(bsp.Map).Lump(0); !errors.Is(err, limits.ErrUsage) {
		t.Errorf("a map without a file: %v", err)
	}
	refused, err := bsp.Decode(t.Context(), strings.NewReader("IBSP\x04\x00\x00\x00"), 8, bsp.Options{})
	if refused == nil || err == nil {
		t.Fatal(err)
	}
	if _, err := refused.Lump(0); !errors.Is(err, limits.ErrUsage) {
		t.Errorf("a map whose format is not read: %v", err)
	}
}
