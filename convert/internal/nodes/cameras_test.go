package nodes

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestCameras(t *testing.T) {
	s, _ := putEntities(t, pipeline.Default(), entity(world.NoModel, "classname", "info_player_intermission", "origin", "0 0 64", "angles",
		"30 90 0"),
		entity(world.NoModel, "classname", "info_player_intermission", "origin", "0 0 0", "target", "x"),
		entity(world.NoModel, "classname", "info_notnull", "targetname", "x", "origin", "-10 0 0"))
	c := s.Cameras[0]
	// 90 degrees wide at 4:3 is 2 atan(3/4) = 73.74 degrees high.
	if math.Abs(c.YFov*180/math.Pi-73.7398) > 1e-4 || math.Abs(c.Aspect-4.0/3) > 1e-9 || !(c.ZNear > 0 && c.ZFar > c.ZNear) {
		t.Errorf("%+v", c)
	}
	// Yaw 90 is north, -Z here, and pitch 30 looks down.
	look := rotate(findNode(t, s, "info_player_intermission").Rotation, [3]float64{0, 0, -1})
	if !near(look, [3]float64{0, -0.5, -math.Sqrt(3) / 2}) {
		t.Errorf("it looks along %v", look)
	}
	if got := rotate(findNode(t, s, "info_player_intermission_2").Rotation, [3]float64{0, 0, -1}); !near(got, [3]float64{-1, 0, 0}) {
		t.Errorf("it looks along %v, want at its target", got)
	}
	if s.Cameras[1].Name != "info_player_intermission_2" {
		t.Errorf("the camera is called %q, not as its node", s.Cameras[1].Name)
	}
	s, _ = putEntities(t, set(t, "entities.cameras=false"), entity(world.NoModel, "classname", "info_player_intermission"))
	if len(s.Cameras) > 0 {
		t.Error("there is a camera")
	}
}

func TestCamerasOfSource(t *testing.T) {
	for _, test := range []struct {
		class, fov string
		want       float64 // degrees from top to bottom; 0 is no camera
	}{
		// The tangent of half the height is 3/4 of that of half the width: atan(0.75 tan 45°) = 36.87°.
		{"point_camera", "", 73.7398},
		{"Point_Camera", "90", 73.7398},
		{"point_viewcontrol", "60", 46.8265},  // 2 atan(0.75 tan 30°)
		{"point_devshot_camera", "", 59.8402}, // 2 atan(0.75 tan 37.5°)
		{"point_camera", "0", 73.7398},
		{"point_camera", "180", 73.7398},
		{"sky_camera", "90", 0},
	} {
		e, got := entity(world.NoModel, "classname", test.class, "FOV", test.fov), 0.0
		if c := cameraOf(&e); c != nil {
			got = cameraFor(&e, c, 1, extent{}).YFov * 180 / math.Pi
		}
		if math.Abs(got-test.want) > 1e-3 {
			t.Errorf("%s %q: %g degrees, want %g", test.class, test.fov, got, test.want)
		}
	}
}

// A map has a camera where its first player starts, also beside its own, if the options say so.
func TestCameraAtThePlayerStart(t *testing.T) {
	start := entity(world.NoModel, "classname", "info_player_start", "origin", "64 0 32", "angles", "20 90 0")
	other := entity(world.NoModel, "classname", "info_player_deathmatch", "origin", "0 0 0")
	s, _ := putEntities(t, set(t, "entities.start_camera=true"), start, other)
	if len(s.Cameras) != 1 {
		t.Fatalf("%d cameras", len(s.Cameras))
	}
	// 64 units are 2 metres, 32 are 1; the eye is 1.1 metres above. Yaw 90 is north, -Z here; the pitch is left out.
	n := findNode(t, s, "player_start_camera")
	if look := rotate(n.Rotation, [3]float64{0, 0, -1}); !near(look, [3]float64{0, 0, -1}) || !near(n.Translation, [3]float64{2, 2.1, 0}) {
		t.Errorf("at %v, looks along %v", n.Translation, look)
	}
	for _, test := range []struct {
		name string
		p    pipeline.Pipeline
		with world.Entity
		want int
	}{
		{"unasked", pipeline.Default(), start, 0},
		{"a map with a camera", set(t, "entities.start_camera=true"), entity(world.NoModel, "classname", "point_camera"), 2},
		{"no player start", set(t, "entities.start_camera=true"), entity(world.NoModel, "classname", "light"), 1},
	} {
		if s, _ := putEntities(t, test.p, test.with); len(s.Cameras) != test.want {
			t.Errorf("%s: %d cameras, want %d", test.name, len(s.Cameras), test.want)
		}
	}
}
