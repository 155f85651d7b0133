package thumb

import (
	"context"
	"image"
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert"
)

// converted returns the scene of a map of testdata.
func converted(t *testing.T, name string) (scene *convert.Scene) {
	t.Helper()
	config, err := convert.Load(convert.SetLayer("sky.mode=mesh"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = convert.Run(t.Context(), convert.Job{
		Pipeline: config.Pipeline, In: "../../testdata/" + name, Unhashed: true,
		Show: func(_ context.Context, s *convert.Scene) error { scene = s; return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return scene
}

// spread is how far the brightness of a picture's pixels is from its mean, and the mean.
func spread(im *image.NRGBA) (mean, deviation float64) {
	n, sum, squares := 0.0, 0.0, 0.0
	for i := 0; i < len(im.Pix); i += 4 {
		v := float64(im.Pix[i])
		n, sum, squares = n+1, sum+v, squares+v*v
	}
	mean = sum / n
	return mean, math.Sqrt(squares/n - mean*mean)
}

func TestPicturesShowTheMap(t *testing.T) {
	for _, name := range []string{"demo/maps/demo.bsp", "source/maps/showcase.bsp", "goldsrc/maps/surfaces.bsp"} {
		s := converted(t, name)
		for _, plan := range []bool{false, true} {
			im, err := Draw(t.Context(), s, Options{Width: 160, Height: 90, Plan: plan})
			if err != nil {
				t.Fatal(err)
			}
			if mean, deviation := spread(im); mean < 10 || deviation < 10 {
				t.Errorf("%s, plan %v: mean %.1f, deviation %.1f: next to nothing is seen", name, plan, mean, deviation)
			}
		}
	}
}

func TestEyeIsInMapUnits(t *testing.T) {
	e := MapEye{Position: [3]float64{32, 64, 96}, Pitch: 10, Yaw: 90}
	got := e.in(0.5)
	want := Eye{Position: [3]float64{16, 48, -32}, Pitch: -10 * math.Pi / 180, Yaw: 0} // yaw 90 is the map's Y, the scene's -Z
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestSpawnPoints(t *testing.T) {
	for class, want := range map[string]bool{
		"info_player_deathmatch": true, "info_player_start": true, "team_CTF_redspawn": true, "team_CTF_blueplayer": true,
		"info_ff_teamspawn": true, "worldspawn": false, "light": false, "func_despawn": false, "": false,
	} {
		if got := spawns(class); got != want {
			t.Errorf("%q: %v, want %v", class, got, want)
		}
	}
}
