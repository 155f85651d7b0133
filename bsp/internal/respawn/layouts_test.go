package respawn

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding/decodingtest"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
)

// The fields of each record add up to its size, and each value comes from one.
func TestRowsAddUp(t *testing.T) {
	t.Run("texture data", decodingtest.Rows([]record.Layout[valve.Texdata]{textureDataV1}, nil, 36))
	t.Run("models", decodingtest.Rows([]record.Layout[valve.Model]{modelV1}, nil, 32))
	t.Run("meshes", decodingtest.Rows([]record.Layout[mesh]{meshV1}, nil, 28))
	t.Run("material sorts", decodingtest.Rows([]record.Layout[materialSort]{materialSortV1}, nil, 12))
	t.Run("vertices", decodingtest.Rows([]record.Layout[meshVertex]{unlitV1, unlitTSV1, litFlatV1, litBumpV1}, nil, 20, 28, 36, 44))
	t.Run("light headers", decodingtest.Rows([]record.Layout[lightHeader]{lightHeaderV1}, nil, 8))
	t.Run("level info", decodingtest.Rows([]record.Layout[levelInfo]{levelInfoV1}, nil, 28))
	t.Run("lamps", decodingtest.Rows([]record.Layout[valve.Lamp]{lampV2, lampV3}, nil, 108, 112))
	t.Run("cubemaps", decodingtest.Rows([]record.Layout[[3]int32]{cubemapV1}, nil, 16))
	for _, p := range propLayouts {
		if err := decodingtest.Layout(p.size, valve.FieldsOf(p.fields), func(b []byte) any {
			t := valve.PropTable{Records: b, Count: 1, Size: p.size, Fields: p.fields}
			var out valve.StaticProp
			t.Read(0, &out)
			return out
		}); err != nil {
			t.Errorf("static props of version %d: %v", p.version, err)
		}
	}
	for i, l := range directory {
		n := 0
		for _, f := range record.Fields(l.fields) {
			n += f.Width * f.Count
		}
		if l.size > 0 && n > 0 && n != l.size {
			t.Errorf("%s: the fields are %d bytes of %d", lumpName(i), n, l.size)
		}
	}
}
