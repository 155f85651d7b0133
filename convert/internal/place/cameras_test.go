package place

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestCameras(t *testing.T) {
	s, _ := putEntities(t, pipeline.Default(), entity(world.NoModel, "classname", "info_player_intermission", "origin", "0 0 64", "angles", "30 90 0"),
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
