package movers

import (
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// entity returns an entity with a class and other key-values.
func entity(class string, pairs ...string) world.Entity {
	e := world.Entity{Pairs: []world.Pair{{Key: "classname", Value: class}}, Model: world.NoModel}
	for i := 0; i < len(pairs); i += 2 {
		e.Pairs = append(e.Pairs, world.Pair{Key: pairs[i], Value: pairs[i+1]})
	}
	return e
}

// set returns the entities of a map after Set. The first has a model of 64 x 8 x 96 units, from 16 0 0 to 80 8 96.
func set(t *testing.T, f classes.Family, entities ...world.Entity) []world.Entity {
	t.Helper()
	if !strings.HasPrefix(entities[0].Class(), "prop_door_rotating") {
		entities[0].Model = 1
	}
	if f == classes.GoldSrc {
		for i := range entities {
			entities[i].AngleRule = world.AngleIsYaw
		}
	}
	w := &world.World{Models: []world.Model{{}, {Mins: [3]float32{16, 0, 0}, Maxs: [3]float32{80, 8, 96}}}, Entities: entities}
	if err := Set(w, f, limit.NewBudget(limit.Limits{})); err != nil {
		t.Fatal(err)
	}
	return w.Entities
}

// stands returns where an entity is when the map starts.
func stands(e *world.Entity) (p world.Place) {
	if e.Start != nil {
		return *e.Start
	}
	p.Origin, _ = e.Vector("origin")
	p.Angles = e.ModelAngles
	if e.Model == world.NoModel {
		p.Angles = e.Angles()
	}
	return p
}

// far returns the greatest difference between the numbers of two places.
func far(a, b world.Place) (d float32) {
	for k := range 3 {
		d = max(d, a.Origin[k]-b.Origin[k], b.Origin[k]-a.Origin[k], a.Angles[k]-b.Angles[k], b.Angles[k]-a.Angles[k])
	}
	return d
}

// at returns a place: three coordinates, and three angles or none.
func at(n ...float32) (p world.Place) {
	copy(p.Origin[:], n[:3])
	copy(p.Angles[:], n[3:])
	return p
}

// Each mover stands where its game puts it when the map starts.
func TestWhereMoversStart(t *testing.T) {
	const q, q2, q3, dp, hl, src = classes.Quake, classes.Quake2, classes.Quake3, classes.DarkPlaces, classes.GoldSrc, classes.Source
	for _, c := range []struct {
		family classes.Family
		class  string
		pairs  []string
		want   world.Place
	}{
		// Doors that slide: 64 units and 2 more where the engine's boxes count, less the lip.
		{hl, "func_door", nil, at(0, 0, 0)},
		{hl, "func_door", []string{"spawnflags", "1"}, at(64, 0, 0)},
		{hl, "func_door", []string{"spawnflags", "1", "lip", "4", "origin", "1 2 3"}, at(61, 2, 3)},
		{hl, "func_door", []string{"spawnflags", "1", "angles", "0 -1 0"}, at(0, 0, 96)},
		{hl, "func_door", []string{"spawnflags", "1", "angle", "-2", "lip", "-4"}, at(0, 0, -100)},
		{hl, "func_door", []string{"spawnpos", "1"}, at(0, 0, 0)},
		{hl, "func_water", []string{"spawnflags", "1", "angle", "90"}, at(0, 8, 0)},
		{q, "func_door", []string{"spawnflags", "1", "angle", "-1"}, at(0, 0, 96+2-8)},
		{q, "func_door", []string{"spawnflags", "1", "lip", "0"}, at(64+2-8, 0, 0)},
		{q, "func_door", []string{"spawnflags", "1", "angle", "315"}, at(22.3431, -22.3431, 0)}, // √½ · (√½ · |66 - 10| - 8)
		{q2, "func_door", []string{"spawnflags", "1", "lip", "0"}, at(64+2-8, 0, 0)},
		{q2, "func_door", []string{"spawnflags", "1", "lip", "3.9"}, at(64+2-3, 0, 0)},
		{q2, "func_door", []string{"spawnflags", "1", "angle", "315"}, at(32.3431, -32.3431, 0)}, // √½ · (√½ · (66 + 10) - 8)
		{q2, "func_water", []string{"spawnflags", "1", "angle", "-2"}, at(0, 0, -98)},
		{q3, "func_door", []string{"spawnflags", "1", "angle", "180", "lip", "0"}, at(-66, 0, 0)},
		{q3, "func_door", []string{"spawnflags", "1", "angle", "180"}, at(-58, 0, 0)},
		{dp, "func_door", []string{"spawnflags", "1", "lip", "0"}, at(64-8, 0, 0)},
		{src, "func_door", []string{"spawnpos", "1", "movedir", "-90 0 0"}, at(0, 0, 96)},
		{src, "func_door", []string{"spawnflags", "1", "movedir", "0 180 0", "lip", "1"}, at(-63, 0, 0)},
		{src, "func_door", []string{"spawnpos", "1", "angle", "-1"}, at(64, 0, 0)},
		{hl, "func_wall", []string{"spawnflags", "1"}, at(0, 0, 0)},

		// Doors that turn.
		{hl, "func_door_rotating", []string{"spawnflags", "1", "distance", "90", "origin", "5 6 7"}, at(5, 6, 7, 0, 90, 0)},
		{hl, "func_door_rotating", []string{"spawnflags", "67", "distance", "30"}, at(0, 0, 0, 0, 0, -30)},
		{hl, "func_door_rotating", []string{"spawnflags", "1", "distance", "90", "angles", "0 45 0"}, at(0, 0, 0, 0, 135, 0)},
		{src, "func_door_rotating", []string{"spawnflags", "129", "distance", "30", "angles", "1 2 3"}, at(0, 0, 0, 31, 2, 3)},
		{src, "func_door_rotating", []string{"spawnpos", "1", "distance", "30"}, at(0, 0, 0, 0, 30, 0)},
		{q2, "func_door_rotating", []string{"spawnflags", "1"}, at(0, 0, 0, 0, 90, 0)},
		{q2, "func_door_rotating", []string{"angles", "0 45 0"}, at(0, 0, 0)},
		{dp, "func_door_rotating", []string{"spawnflags", "1", "angle", "-45"}, at(0, 0, 0, 0, -45, 0)},
		{dp, "func_door_rotating", []string{"spawnflags", "129"}, at(0, 0, 0, 90, 0, 0)},
		{dp, "func_door_rotating", []string{"angle", "45"}, at(0, 0, 0)},
		{src, "prop_door_rotating", []string{"angles", "0 30 0"}, at(0, 0, 0, 0, 30, 0)},
		{src, "prop_door_rotating", []string{"angles", "0 30 0", "spawnpos", "1", "origin", "1 2 3"}, at(1, 2, 3, 0, -60, 0)},
		{src, "prop_door_rotating", []string{"angles", "0 30 0", "spawnflags", "1"}, at(0, 0, 0, 0, -60, 0)},
		{src, "prop_door_rotating", []string{"angles", "0 30 0", "spawnpos", "2", "distance", "-45"}, at(0, 0, 0, 0, 75, 0)},
		{src, "prop_door_rotating", []string{"angles", "0 30 0", "spawnpos", "2", "distance", "0"}, at(0, 0, 0, 0, 120, 0)},
		{src, "prop_door_rotating", []string{"angles", "0 30 0", "spawnpos", "3", "ajarangles", "0 40 0"}, at(0, 0, 0, 0, 40, 0)},
		{src, "prop_door_rotating", []string{"angles", "0 30 0", "spawnpos", "3"}, at(0, 0, 0, 0, 0, 0)}, // the key is zero
		{src, "prop_door_rotating_checkpoint", []string{"angles", "0 30 0", "spawnpos", "1"}, at(0, 0, 0, 0, -60, 0)},
		{q, "func_plat", []string{"lip", "16"}, at(0, 0, -90)}, // it has no such key
		{hl, "func_door", []string{"spawnflags", "1", "angles", "0 0 0", "angle", "-1"}, at(0, 0, 96)},
		{hl, "func_door", []string{"spawnflags", "1", "angles", "0 -1 0", "angle", "90"}, at(0, 8, 0)},
		{hl, "func_door", []string{"spawnflags", "1", "angle", "90", "angles", "0 180 0"}, at(-64, 0, 0)},
		{hl, "func_door", []string{"spawnflags", "1", "angle", "-2"}, at(0, 0, -96)},

		// These movers are driven by others.
		{hl, "momentary_door", []string{"spawnflags", "1", "lip", "4"}, at(60, 0, 0)},
		{hl, "momentary_door", []string{"angle", "90"}, at(0, 0, 0)},
		{src, "momentary_door", []string{"spawnflags", "1", "startposition", "0.5"}, at(0, 0, 0)},
		{src, "func_movelinear", []string{"startposition", "1", "movedistance", "100"}, at(0, 0, 0)},
		{hl, "momentary_rot_button", []string{"distance", "-90", "angles", "0 10 0"}, at(0, 0, 0, 0, 10, 0)},
		{src, "momentary_rot_button", []string{"distance", "90", "startposition", "0.5", "angles", "0 10 0"}, at(0, 0, 0, 0, 10, 0)},

		// Platforms: at the bottom, but with a name in some games.
		{q3, "func_plat", []string{"targetname", "p", "height", "192"}, at(0, 0, -192)},
		{q3, "func_plat", []string{"lip", "0"}, at(0, 0, -98)},
		{q3, "func_plat", []string{"height", "0"}, at(0, 0, 0)},
		{q3, "func_plat", nil, at(0, 0, -90)},
		{classes.Wolfenstein, "func_plat", nil, at(0, 0, -90)},
		{q, "func_plat", nil, at(0, 0, -90)},
		{q, "func_plat", []string{"height", "-20"}, at(0, 0, 20)},
		{q, "func_plat", []string{"targetname", "p"}, at(0, 0, 0)},
		{q2, "func_plat", []string{"lip", "16"}, at(0, 0, -82)},
		{q2, "func_plat", []string{"height", "0"}, at(0, 0, -90)},
		{q2, "func_plat", []string{"targetname", "p"}, at(0, 0, 0)},
		{dp, "func_plat", []string{"height", "5", "lip", "5"}, at(0, 0, -88)},
		{dp, "func_plat", []string{"targetname", "p"}, at(0, 0, 0)},
		{hl, "func_plat", []string{"angles", "0 90 0"}, at(0, 0, -90)},
		{hl, "func_plat", []string{"height", "40"}, at(0, 0, -40)},
		{hl, "func_plat", []string{"targetname", "p", "height", "40"}, at(0, 0, 0)},
		{src, "func_plat", []string{"height", "40", "angles", "0 90 0"}, at(0, 0, -40)},
		{hl, "func_platrot", []string{"height", "40", "rotation", "90"}, at(0, 0, -40)},
		{hl, "func_platrot", []string{"height", "40", "rotation", "90", "targetname", "p", "spawnflags", "64"}, at(0, 0, 0, 0, 0, 90)},
		{hl, "func_trackchange", []string{"height", "40", "rotation", "90"}, at(0, 0, 0, 0, 90, 0)},
		{hl, "func_trackautochange", []string{"height", "40", "rotation", "-90", "spawnflags", "8"}, at(0, 0, -40)},
		{hl, "func_trackchange", []string{"height", "40", "rotation", "-90", "spawnflags", "24"}, at(0, 0, 0)},

		// These entities move by themselves; the movement starts with the map.
		{q3, "func_bobbing", []string{"phase", "0.25"}, at(0, 0, -32)},
		{q3, "func_bobbing", []string{"phase", "0.75", "height", "10", "spawnflags", "1"}, at(10, 0, 0)},
		{q3, "func_bobbing", nil, at(0, 0, 0)},
		{dp, "func_bobbing", []string{"phase", "0.25", "spawnflags", "2"}, at(0, 32, 0)},
		{q3, "func_pendulum", []string{"phase", "0.25", "angles", "0 90 0"}, at(0, 0, 0, 0, 90, -30)},
		{hl, "func_pendulum", []string{"distance", "40", "angles", "0 90 0"}, at(0, 0, 0, 0, 90, 0)},
		{q3, "func_rotating", []string{"angle", "90"}, at(0, 0, 0)},
		{hl, "func_rotating", []string{"spawnorigin", "1 2 3"}, at(1, 2, 3)},
		{hl, "func_rotating", []string{"origin", "4 5 6", "spawnorigin", "1 2 3"}, at(1, 2, 3)},
		{hl, "func_rotating", []string{"spawnorigin", "1 2 3", "origin", "4 5 6"}, at(4, 5, 6)},
		{hl, "func_rotating", []string{"origin", "4 5 6", "spawnorigin", "0 0 0"}, at(4, 5, 6)},
		{hl, "func_rotating", []string{"angles", "0 45 0"}, at(0, 0, 0, 0, 45, 0)},
	} {
		got := set(t, c.family, entity(c.class, c.pairs...))
		if p := stands(&got[0]); far(p, c.want) > 1e-3 {
			t.Errorf("family %#x, %s %q: %v, want %v", c.family, c.class, c.pairs, p, c.want)
		}
	}
}

// The class decides whether a brush model is turned by its own angles.
func TestClassesThatAreTurned(t *testing.T) {
	for _, c := range []struct {
		family classes.Family
		class  string
		want   [3]float32
	}{
		{classes.GoldSrc, "func_door", [3]float32{}},
		{classes.GoldSrc, "func_plat", [3]float32{}},
		{classes.GoldSrc, "func_button", [3]float32{}},
		{classes.GoldSrc, "func_wall", [3]float32{}},
		{classes.GoldSrc, "func_illusionary", [3]float32{}},
		{classes.GoldSrc, "trigger_push", [3]float32{}},
		{classes.GoldSrc, "func_breakable", [3]float32{10, 0, 30}},
		{classes.GoldSrc, "func_door_rotating", [3]float32{10, 20, 30}},
		{classes.GoldSrc, "func_rotating", [3]float32{10, 20, 30}},
		{classes.GoldSrc, "momentary_rot_button", [3]float32{10, 20, 30}},
		{classes.GoldSrc, "func_pendulum", [3]float32{10, 20, 30}},
		{classes.GoldSrc, "func_train", [3]float32{10, 20, 30}},
		{classes.GoldSrc, "func_tank", [3]float32{10, 20, 30}},
		{classes.Quake, "func_door", [3]float32{}},
		{classes.Quake, "func_train", [3]float32{10, 20, 30}},
		{classes.Quake2, "func_train", [3]float32{}},
		{classes.Quake2, "func_rotating", [3]float32{10, 20, 30}},
		{classes.Quake3, "func_static", [3]float32{}},
		{classes.Raven, "func_static", [3]float32{10, 20, 30}},
		{classes.Source, "func_brush", [3]float32{10, 20, 30}},
		{classes.Titanfall, "func_brush", [3]float32{10, 20, 30}},
	} {
		got := set(t, c.family, entity(c.class, "angles", "10 20 30"))
		if got[0].ModelAngles != c.want || got[0].Start != nil && got[0].Start.Angles != c.want {
			t.Errorf("family %#x, %s: %v, %v, want %v", c.family, c.class, got[0].ModelAngles, got[0].Start, c.want)
		}
	}
	for _, c := range []struct {
		family classes.Family
		flags  string
		want   world.Place
	}{
		{classes.GoldSrc, "0", at(0, 0, 0, 10, 20, 30)}, {classes.GoldSrc, "128", at(0, 0, 0, 10, 0, 30)},
		{classes.Source, "0", at(0, 0, 0, 10, 20, 30)}, {classes.Source, "128", at(0, 0, 0)},
	} {
		e := set(t, c.family, entity("func_pushable", "angles", "10 20 30", "spawnflags", c.flags))[0]
		if got := stands(&e); got != c.want {
			t.Errorf("a pushable of family %#x with flags %s: %v", c.family, c.flags, got)
		}
	}
	// Source's classes clear their angles after their children are attached to them.
	e := set(t, classes.Source, entity("func_breakable", "angles", "10 20 30"))[0]
	if e.ModelAngles != [3]float32{10, 20, 30} || e.Start == nil || *e.Start != at(0, 0, 0) {
		t.Errorf("%+v", e)
	}
}

// A train whose path starts at 100,200,300.
func TestTrainsStandAtTheirFirstCorner(t *testing.T) {
	for _, c := range []struct {
		family classes.Family
		class  string
		pairs  []string
		want   world.Place
	}{
		{classes.Quake, "func_train", nil, at(100-15, 201, 301)},
		{classes.Quake2, "func_train", nil, at(100-15, 201, 301)},
		{classes.DarkPlaces, "func_train", nil, at(100-16, 200, 300)},
		{classes.Quake3, "func_train", []string{"origin", "5 6 7"}, at(100, 200, 300)},
		{classes.GoldSrc, "func_train", nil, at(100-48, 196, 252)},
		{classes.GoldSrc, "func_guntarget", nil, at(100-48, 196, 252)},
		{classes.GoldSrc, "func_train", []string{"angles", "0 90 0"}, at(100-48, 196, 252, 0, 90, 0)},
		{classes.Source, "func_train", nil, at(100-48, 196, 252)},
		{classes.Source, "func_train", []string{"parentname", "p"}, at(0, 0, 0)},
		{classes.GoldSrc, "func_door", nil, at(0, 0, 0)},
		// Names have the case of the text in some games only.
		{classes.Quake3, "func_train", []string{"target", "C1"}, at(100, 200, 300)},
		{classes.GoldSrc, "func_train", []string{"target", "C1"}, at(0, 0, 0)},
	} {
		e := entity(c.class, append(c.pairs, "target", "c1")...)
		got := set(t, c.family, e, entity("path_corner", "targetname", "c1", "origin", "100 200 300"),
			entity("path_corner", "targetname", "c1", "origin", "9 9 9"))
		if p := stands(&got[0]); far(p, c.want) > 1e-3 {
			t.Errorf("family %#x, %s %q: %v, want %v", c.family, c.class, c.pairs, p, c.want)
		}
	}
	for _, corner := range []world.Entity{
		entity("path_corner", "targetname", "c1"), entity("path_corner", "targetname", "c2", "origin", "1 2 3"),
	} {
		if got := set(t, classes.Quake, entity("func_train", "target", "c1", "origin", "4 5 6"), corner); got[0].Start != nil {
			t.Errorf("%+v", got[0].Start)
		}
	}
}

// A track train stands on its first track and looks to the point that its wheels are ahead. GoldSrc's are built to go west.
func TestTrackTrainsStandOnTheirTracks(t *testing.T) {
	// East 100, then north 100 and up 100; a branch from the second leads south.
	tracks := []world.Entity{
		entity("path_track", "targetname", "t1", "target", "t2", "origin", "0 0 0"),
		entity("path_track", "targetname", "t2", "target", "t3", "origin", "100 0 0", "altpath", "t4"),
		entity("path_track", "targetname", "t3", "origin", "100 100 100"),
		entity("path_track", "targetname", "t4", "origin", "100 -100 0"),
		entity("path_track", "targetname", "alone", "origin", "1 2 3"),
		entity("info_target", "targetname", "other", "origin", "1 2 3"),
	}
	const hl, src = classes.GoldSrc, classes.Source
	for _, c := range []struct {
		family classes.Family
		pairs  []string
		want   world.Place
	}{
		{hl, []string{"target", "t1", "wheels", "50", "height", "4"}, at(0, 0, 4, 0, 180, 0)},
		{src, []string{"target", "t1", "wheels", "50", "height", "4"}, at(0, 0, 4, 0, 0, 0)},
		{hl, []string{"target", "t2", "wheels", "10", "angles", "0 0 70"}, at(100, 0, 0, 45, 270, 0)},
		{src, []string{"target", "t2", "wheels", "10", "angles", "0 0 70"}, at(100, 0, 0, -45, 90, 0)},
		{src, []string{"target", "t2", "wheels", "10", "spawnflags", "1"}, at(100, 0, 0, 0, 90, 0)},
		{src, []string{"target", "t2", "wheels", "10", "spawnflags", "16", "angles", "1 2 3"}, at(100, 0, 0, 1, 2, 3)},
		// 200 ahead of the first is around the corner, 100 from it on the slope: 70.71 north and up.
		{src, []string{"target", "t1", "wheels", "200", "spawnflags", "1"}, at(0, 0, 0, 0, 35.2644, 0)},
		// At the end the line from the track before goes on.
		{src, []string{"target", "t3", "wheels", "10"}, at(100, 100, 100, -45, 90, 0)},
		{src, []string{"target", "alone", "wheels", "10"}, at(1, 2, 3, 90, 0, 0)},
		{hl, []string{"target", "alone", "wheels", "10", "spawnflags", "1"}, at(1, 2, 3, 0, 180, 0)},
		{hl, []string{"target", "other", "wheels", "10"}, at(0, 0, 0)},
		{hl, []string{"target", "nowhere"}, at(0, 0, 0)},
	} {
		got := set(t, c.family, append([]world.Entity{entity("func_tracktrain", c.pairs...)}, tracks...)...)
		if p := stands(&got[0]); far(p, c.want) > 1e-3 {
			t.Errorf("family %#x, %q: %v, want %v", c.family, c.pairs, p, c.want)
		}
	}
	// An open branch leads south.
	tracks[1] = entity("path_track", "targetname", "t2", "target", "t3", "origin", "100 0 0", "altpath", "t4", "spawnflags", "32768")
	got := set(t, src, append([]world.Entity{entity("func_tracktrain", "target", "t2", "wheels", "10")}, tracks...)...)
	if p := stands(&got[0]); far(p, at(100, 0, 0, 0, -90, 0)) > 1e-3 {
		t.Error(p)
	}
}

// Tracks that lie on one another in a circle end the walk.
func TestTracksInACircle(t *testing.T) {
	got := set(t, classes.GoldSrc, entity("func_tracktrain", "target", "a", "wheels", "10"),
		entity("path_track", "targetname", "a", "target", "b", "origin", "1 2 3"),
		entity("path_track", "targetname", "b", "target", "a", "origin", "1 2 3"))
	if p := stands(&got[0]); p.Origin != [3]float32{1, 2, 3} {
		t.Error(p)
	}
}

// No numbers of a map make a place that the world can't hold.
func TestHostileMovers(t *testing.T) {
	for _, pairs := range [][]string{
		{"spawnflags", "1", "lip", "-1e30", "angle", "-1"}, {"spawnflags", "1", "lip", "nan"},
		{"spawnflags", "1", "origin", "16777215 0 0", "lip", "-9000"},
		{"speed", "1e-30"}, {"spawnflags", "1e300"}, {"spawnflags", "-1"},
	} {
		for _, f := range []classes.Family{classes.Quake, classes.GoldSrc, classes.Source, classes.Quake3} {
			got := set(t, f, entity("func_door", pairs...))
			if got[0].Start != nil && !got[0].Start.Finite() {
				t.Errorf("%q: %v", pairs, got[0].Start)
			}
		}
	}
}
