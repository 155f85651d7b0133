package source

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding/decodingtest"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
)

// sumFields returns the bytes that the fields of a row have together.
func sumFields(s string) (n int) {
	for _, f := range record.Fields(s) {
		n += f.Width * f.Count
	}
	return n
}

// The fields of each record add up to its size, and it is decoded without looking behind its end.
func TestRowsAddUp(t *testing.T) {
	t.Run("faces", decodingtest.Rows(append([]record.Layout[face]{faceV1, faceBeta17, faceBeta18, faceVampire, faceStrata},
		append(facesVindictus, facesVindictusLong...)...), []string{".night"}, 56, 68, 72, 104, 72, 72, 72, 76, 76, 76, 76))
	t.Run("texinfo", decodingtest.Rows([]record.Layout[texinfo]{texinfoV1, texinfoMessiah}, nil, 72, 96))
	t.Run("texdata", decodingtest.Rows([]record.Layout[valve.Texdata]{valve.TexdataV1}, nil, 32))
	t.Run("models", decodingtest.Rows([]record.Layout[valve.Model]{modelV1, modelMessiah}, nil, 48, 52))
	t.Run("planes", decodingtest.Rows([]record.Layout[plane]{planeV1}, nil, 20))
	t.Run("nodes", decodingtest.Rows([]record.Layout[node]{nodeV1, nodeWide}, nil, 32, 48))
	t.Run("leafs", decodingtest.Rows([]record.Layout[leaf]{leafV1, leafV0, leafVindictus, leafStrata}, nil, 32, 56, 56, 56))
	t.Run("indices", decodingtest.Rows([]record.Layout[int]{indexV1, indexWide}, nil, 2, 4))
	t.Run("dispinfo", decodingtest.Rows([]record.Layout[dispinfo]{dispinfoV1, dispinfoBeta, dispinfoDota22, dispinfoDota23, dispinfoVindictus,
		dispinfoStrata}, nil, 176, 172, 180, 184, 232, 232))
	t.Run("primitives", decodingtest.Rows([]record.Layout[primitive]{primitiveV1, primitiveInfra, primitiveStrata}, nil, 10, 16, 20))
	t.Run("brushes", decodingtest.Rows([]record.Layout[brush]{brushV1}, nil, 12))
	t.Run("sides", decodingtest.Rows([]record.Layout[brushSide]{brushSideV1, brushSideWide}, nil, 8, 16))
	t.Run("overlays", decodingtest.Rows([]record.Layout[overlay]{overlayV1, overlayDota, overlayStrata1, overlayVindictus, overlayStrata2,
		overlayStrata3}, []string{".tint"}, 352, 356, 356, 356, 360, 108))
	t.Run("water overlays", decodingtest.Rows([]record.Layout[overlay]{waterOverlayV1, waterOverlayStrata}, nil, 1120, 1124))
	t.Run("fades", decodingtest.Rows([]record.Layout[[2]float32]{fadeV1}, nil, 8))
	t.Run("lamps", decodingtest.Rows([]record.Layout[valve.Lamp]{valve.LampV0, valve.LampV1, valve.LampMessiah, valve.LampV2}, nil, 88,
		100, 92, 104))
	t.Run("waters", decodingtest.Rows([]record.Layout[waterBody]{waterBodyV1, waterBodyWide}, nil, 12, 12))
	t.Run("cubemaps", decodingtest.Rows([]record.Layout[cubemap]{cubemapV1}, nil, 16))
	t.Run("ambient", decodingtest.Rows([]record.Layout[ambientIndex]{ambientIndexV1, ambientIndexWide}, nil, 4, 8))
	t.Run("game lump", decodingtest.Rows(
		[]record.Layout[valve.GameEntry]{valve.GameEntryV1, gameEntryVindictus, gameEntryMessiah}, nil, 16, 20, 20))
	t.Run("pages", decodingtest.Rows([]record.Layout[pageInfo]{pageInfoV1}, nil, 8))
	for i, l := range lumps {
		if n := sumFields(l.fields); l.size > 0 && n > 0 && n != l.size {
			t.Errorf("lump %d (%s): the fields are %d bytes of %d", i, l.name, n, l.size)
		}
	}
}

// The bits of the column and of the row are by turns: 3 5 is 0b011 and 0b101, which is 0b100111.
func TestSwizzle(t *testing.T) {
	for _, c := range [][3]int{{0, 0, 0}, {1, 0, 1}, {0, 1, 2}, {3, 5, 0b100111}, {127, 127, 1<<14 - 1}, {128, 0, 1 << 14},
		{255, 127, 1<<15 - 1}} {
		if got := swizzled(c[0], c[1]); got != c[2] {
			t.Errorf("%d %d: %b, want %b", c[0], c[1], got, c[2])
		}
	}
}
