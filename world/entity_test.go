package world_test

import (
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

func entity(pairs ...string) *world.Entity {
	e := &world.Entity{}
	for i := 0; i < len(pairs); i += 2 {
		e.Pairs = append(e.Pairs, world.Pair{Key: pairs[i], Value: pairs[i+1]})
	}
	return e
}

func TestValueIsOfTheFirstPair(t *testing.T) {
	e := entity("ClassName", "light", "a", "", "classname", "lamp")
	if e.Class() != "light" || e.Value("A") != "" || e.Value("b") != "" {
		t.Error(e.Class(), e.Value("A"))
	}
	if _, ok := e.Lookup("a"); !ok {
		t.Error("an empty value is a value")
	}
	if _, ok := e.Lookup("b"); ok {
		t.Error("there is no b")
	}
}

// Numbers are read as C's atof does: what follows one does not matter.
func TestFloat(t *testing.T) {
	for text, want := range map[string]float64{
		"3": 3, " -2.5 ": -2.5, "1e3": 1000, "90 degrees": 90, "45deg": 45, "1.5.3": 1.5, "10em": 10, "2e": 2, ".5": 0.5, "+7": 7,
		"300,": 300,
	} {
		if got, ok := entity("k", text).Float("k"); !ok || got != want {
			t.Errorf("%q: %g %v, want %g", text, got, ok, want)
		}
	}
	for _, text := range []string{"", " ", "x", "-", ".", "e5", "inf", "-Inf", "nan", "infinity"} {
		if got, ok := entity("k", text).Float("k"); ok {
			t.Errorf("%q: %g", text, got)
		}
	}
	if _, ok := entity().Float("k"); ok {
		t.Error("no key")
	}
}

// Flags have 31 bits: 16777217 is 1<<24 and 1, which a float32 rounds.
func TestBits(t *testing.T) {
	for text, want := range map[string]int{
		"16777217": 1<<24 | 1, "2147483647": 1<<31 - 1, "67108864": 1 << 26, "3 x": 3, "5.9": 5, "": 0, "x": 0, "-1": 0, "1e99": 0, "nan": 0,
	} {
		if got := entity("k", text).Bits("k"); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

func TestVector(t *testing.T) {
	for text, want := range map[string][3]float32{"1 2 3": {1, 2, 3}, "\t-1  .5\n1e2 9": {-1, 0.5, 100}} {
		if got, ok := entity("k", text).Vector("k"); !ok || got != want {
			t.Errorf("%q: %v %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "1 2", "1 2 x", "nan 0 0", "0 inf 0"} {
		if got, ok := entity("k", text).Vector("k"); ok || got != [3]float32{} {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestAngles(t *testing.T) {
	for _, c := range []struct {
		e    *world.Entity
		want [3]float32
	}{
		{entity(), [3]float32{}},
		{entity("angle", "90"), [3]float32{0, 90, 0}},
		{entity("angle", "-1"), [3]float32{}}, // up
		{entity("angle", "-2"), [3]float32{}}, // down
		{entity("angle", "90", "angles", "10 20 30"), [3]float32{10, 20, 30}},
		{entity("angle", "90", "angles", "10 20"), [3]float32{0, 90, 0}},
	} {
		if got := c.e.Angles(); got != c.want {
			t.Errorf("%v: %v", c.e.Pairs, got)
		}
	}
}

func TestNames(t *testing.T) {
	if world.Direction.String() != "direction" || world.Flat.String() != "flat" || world.Fullbright.String() != "fullbright" {
		t.Error(world.Direction, world.Flat, world.Fullbright)
	}
}

// Each game reads its own way what two keys say of one thing.
func TestRulesOfAngles(t *testing.T) {
	first, last, yaw := world.AnglesFirst, world.AngleReplaces, world.AngleIsYaw
	for _, test := range []struct {
		rule world.AngleRule
		keys string
		want [3]float32
	}{
		{first, "angles 1 2 3 angle 90", [3]float32{1, 2, 3}},
		{first, "angle 90 angles 1 2 3", [3]float32{1, 2, 3}},
		{last, "angles 1 2 3 angle 90", [3]float32{0, 90, 0}},
		{last, "angle 90 angles 1 2 3", [3]float32{1, 2, 3}},
		{last, "angle 90 angle 45", [3]float32{0, 45, 0}},
		{last, "angles 1 2 3 angle -1", [3]float32{}},
		{yaw, "angles 1 2 3 angle 90", [3]float32{1, 90, 3}},
		{yaw, "angles 1 2 3 angle 0", [3]float32{1, 0, 3}},
		{yaw, "angle 90 angles 1 2 3", [3]float32{1, 2, 3}},
		{yaw, "angles 1 2 3 angle -1", [3]float32{-90, 0, 0}},
		{yaw, "angles 1 2 3 angle -2", [3]float32{90, 0, 0}},
		{yaw, "angle -45", [3]float32{90, 0, 0}},
	} {
		e := world.Entity{AngleRule: test.rule}
		f := strings.Fields(test.keys)
		for len(f) > 0 {
			n := map[string]int{"angle": 2, "angles": 4}[f[0]]
			e.Pairs = append(e.Pairs, world.Pair{Key: f[0], Value: strings.Join(f[1:n], " ")})
			f = f[n:]
		}
		if got := e.Angles(); got != test.want {
			t.Errorf("rule %d, %s: %v, want %v", test.rule, test.keys, got, test.want)
		}
	}
}
