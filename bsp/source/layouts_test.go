package source

import (
	"bytes"
	"fmt"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"testing"
)

// sumFields is how many bytes the fields of a row have.
func sumFields(s string) (n int) {
	for _, f := range lift.Fields(s) {
		n += f.Width * f.Count
	}
	return n
}

// The fields of each layout of static props add up to the size of its record, and what all start with to theirs.
func TestPropLayoutsAddUp(t *testing.T) {
	sum := func(fields []propField) (n int) {
		for _, f := range fields {
			n += f.size
		}
		return n
	}
	if n := sum(propHead); n != propHeadSize {
		t.Errorf("the head has %d bytes", n)
	}
	last := map[string]bool{}
	for _, p := range propLayouts {
		if n, of := sum(p.fields), sumFields(fieldsOf(p.fields)); n != p.size || of != p.size {
			t.Errorf("version %d, %d bytes (%s): the fields are %d", p.version, p.size, p.game, n)
		}
		key := fmt.Sprint(p.version, p.size, p.form)
		if last[key] {
			t.Errorf("version %d, %d bytes (%s): a layout before it takes all", p.version, p.size, p.game)
		}
		last[key] = p.fits == nil
	}
}

// The fields of each record add up to its size, and it is lifted without looking behind its end.
func TestRowsAddUp(t *testing.T) {
	t.Run("faces", addUp(append([]lift.Row[face]{faceV1, faceBeta17, faceBeta18, faceVampire, faceStrata}, append(facesVindictus, facesVindictusLong...)...), 56, 68, 72, 104, 72, 72, 72, 76, 76, 76, 76))
	t.Run("texinfo", addUp([]lift.Row[texinfo]{texinfoV1, texinfoMessiah}, 72, 96))
	t.Run("texdata", addUp([]lift.Row[texdata]{texdataV1}, 32))
	t.Run("models", addUp([]lift.Row[model]{modelV1, modelMessiah}, 48, 52))
	t.Run("planes", addUp([]lift.Row[plane]{planeV1}, 20))
	t.Run("nodes", addUp([]lift.Row[node]{nodeV1, nodeWide}, 32, 48))
	t.Run("leafs", addUp([]lift.Row[leaf]{leafV1, leafV0, leafVindictus, leafStrata}, 32, 56, 56, 56))
	t.Run("indices", addUp([]lift.Row[int]{indexV1, indexWide}, 2, 4))
	t.Run("edges", addUp([]lift.Row[edge]{edgeV1, edgeWide}, 4, 8))
	t.Run("dispinfo", addUp([]lift.Row[dispinfo]{dispinfoV1, dispinfoBeta, dispinfoDota22, dispinfoDota23, dispinfoVindictus, dispinfoStrata}, 176, 172, 180, 184, 232, 232))
	t.Run("primitives", addUp([]lift.Row[primitive]{primitiveV1, primitiveInfra, primitiveStrata}, 10, 16, 20))
	t.Run("brushes", addUp([]lift.Row[brush]{brushV1}, 12))
	t.Run("sides", addUp([]lift.Row[brushSide]{brushSideV1, brushSideWide}, 8, 16))
	t.Run("overlays", addUp([]lift.Row[overlay]{overlayV1, overlayDota, overlayStrata1, overlayVindictus, overlayStrata2, overlayStrata3}, 352, 356, 356, 356, 360, 108))
	t.Run("water overlays", addUp([]lift.Row[overlay]{waterOverlayV1, waterOverlayStrata}, 1120, 1124))
	t.Run("fades", addUp([]lift.Row[[2]float32]{fadeV1}, 8))
	t.Run("lamps", addUp([]lift.Row[lamp]{lampV0, lampV1, lampMessiah, lampV2}, 88, 100, 92, 104))
	t.Run("waters", addUp([]lift.Row[waterBody]{waterBodyV1, waterBodyWide}, 12, 12))
	t.Run("cubemaps", addUp([]lift.Row[cubemap]{cubemapV1}, 16))
	t.Run("ambient", addUp([]lift.Row[ambientIndex]{ambientIndexV1, ambientIndexWide}, 4, 8))
	t.Run("game lump", addUp([]lift.Row[gameEntry]{gameEntryV1, gameEntryVindictus, gameEntryMessiah}, 16, 20, 20))
	t.Run("detail sprites", addUp([]lift.Row[detailSprite]{detailSpriteV4}, 32))
	t.Run("detail props", addUp([]lift.Row[detailProp]{detailPropV4}, 52))
	t.Run("pages", addUp([]lift.Row[pageInfo]{pageInfoV1}, 8))
	for i, l := range lumps {
		if n := sumFields(l.fields); l.size > 0 && n > 0 && n != l.size {
			t.Errorf("lump %d (%s): the fields are %d bytes of %d", i, l.name, n, l.size)
		}
	}
}

func addUp[T any](rows []lift.Row[T], sizes ...int) func(*testing.T) {
	return func(t *testing.T) {
		for i, r := range rows {
			if n := sumFields(r.Fields); n != r.Size || r.Size != sizes[i] {
				t.Errorf("layout %d has fields of %d bytes and says %d, want %d", i, n, r.Size, sizes[i])
			}
			r.Lift(make([]byte, r.Size)[:r.Size:r.Size])
		}
	}
}

// Single bytes stay; what is not a whole record at the end stays.
func TestSwap(t *testing.T) {
	b := []byte{1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3}
	lift.Swap(b, "4 1*2 2")
	if want := []byte{4, 3, 2, 1, 5, 6, 8, 7, 4, 3, 2, 1, 5, 6, 8, 7, 1, 2, 3}; !bytes.Equal(b, want) {
		t.Errorf("% d, want % d", b, want)
	}
	lift.Swap(b, "") // without end, were it not for the check
}

// The bits of the column and of the row are by turns: 3 5 is 0b011 and 0b101, which is 0b100111.
func TestSwizzle(t *testing.T) {
	for _, c := range [][3]int{{0, 0, 0}, {1, 0, 1}, {0, 1, 2}, {3, 5, 0b100111}, {127, 127, 1<<14 - 1}, {128, 0, 1 << 14}, {255, 127, 1<<15 - 1}} {
		if got := swizzled(c[0], c[1]); got != c[2] {
			t.Errorf("%d %d: %b, want %b", c[0], c[1], got, c[2])
		}
	}
}

func TestOverlayRecordSizes(t *testing.T) { // doverlay_t and dwateroverlay_t
	if overlayV1.Size != 352 || waterOverlayV1.Size != 1120 {
		t.Errorf("%d and %d", overlayV1.Size, waterOverlayV1.Size)
	}
}

// Worked out by hand: of 90 and 300 units, 22.95 is what the half must rise for the rest to fall all the way, and the step
// that reaches it is 0.3 of 76.5 - 1: 23.65. Then linear is 1, quadratic 22.65, and 2/24.65 the scale. The three of real
// maps are as their compilers wrote them.
func TestFalloff(t *testing.T) {
	for _, c := range []struct {
		half, none float64
		want       attenuation
	}{
		{90, 300, attenuation{0.08113590627908707, 0.0009015100076794624, 0.00022688003082294017}},
		{300, 6000, attenuation{1, 0.0012719298247247934, 6.871345249237493e-06}},
		{300, 0, attenuation{0.030651336535811424, 0.00010217225644737482, 2.154107642127201e-05}}, // as 600
		{100, 100, attenuation{0, 0, 0.0002}},
		{1, 300, attenuation{2 / 1.85, 2 * 0.85 / 1.85, 0}}, // a straight line: it rises by 255/300 a unit
	} {
		got := falloff(c.half, c.none)
		near := func(a, b float64) bool { return a-b < 1e-4*b+1e-12 && b-a < 1e-4*b+1e-12 }
		if !near(got.constant, c.want.constant) || !near(got.linear, c.want.linear) || !near(got.quadratic, c.want.quadratic) {
			t.Errorf("%g and %g: %+v, want %+v", c.half, c.none, got, c.want)
		}
		if half := got.at(c.half); c.none > 300 && !near(half, 2) {
			t.Errorf("%g and %g: at the half it is %g", c.half, c.none, half)
		}
	}
}
