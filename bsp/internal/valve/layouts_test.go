package valve

import (
	"fmt"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding/decodingtest"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
)

// The fields of each layout of static props add up to the size of its record, and what all start with to theirs.
func TestPropLayoutsAddUp(t *testing.T) {
	n := 0
	for _, f := range propHead {
		n += f.Size
	}
	if n != propHeadSize {
		t.Errorf("the head has %d bytes", n)
	}
	last := map[string]bool{}
	for _, p := range propLayouts() {
		if err := decodingtest.Layout(p.size, FieldsOf(p.fields), func(b []byte) any {
			t := PropTable{Records: b, Count: 1, Size: p.size, Fields: p.fields}
			var out StaticProp
			t.Read(0, &out)
			return out
		}, ".Tint"); err != nil {
			t.Errorf("version %d, %d bytes (%s): %v", p.version, p.size, p.game, err)
		}
		key := fmt.Sprint(p.version, p.size, p.form)
		if last[key] {
			t.Errorf("version %d, %d bytes (%s): a layout before it takes all", p.version, p.size, p.game)
		}
		last[key] = p.fits == nil
	}
}

func TestRowsAddUp(t *testing.T) {
	t.Run("detail sprites", decodingtest.Rows([]record.Layout[DetailSprite]{DetailSpriteV4}, nil, 32))
	t.Run("detail props", decodingtest.Rows([]record.Layout[DetailProp]{DetailPropV4}, nil, 52))
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
