package corpustest

import (
	"context"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/convert/thumb"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
)

// The first views of maps drawn by lot, a few by default, and the share of them that may be poor. Test maps of a few faces are among them.
const (
	views     = 50
	fewViews  = 12
	poorViews = 0.08
)

// A first view shows something: it is not black, not blank and not of one colour. BSP2GLTF_CORPUS_OUT keeps the pictures, for a contact
// sheet, and BSP2GLTF_CORPUS_MAPS=. draws the longer lot, of all maps of OpenArena too.
func TestFirstViewsShowSomething(t *testing.T) {
	testkit.Real(t)
	dir := corpus(t)
	list := corpusMaps(t, dir, "source", "goldsrc", "quake1", "quake2", "quake3", "quake3-fbsp")
	if archives, _ := filepath.Glob("/usr/share/games/openarena/baseoa/*.pk3"); len(archives) > 0 {
		list = append(list, openArena(t)...)
	}
	lot := rand.New(rand.NewPCG(1, 2))
	lot.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	n := fewViews
	if os.Getenv("BSP2GLTF_CORPUS_MAPS") != "" {
		n = views
	}
	list = list[:min(len(list), n)]
	poor := 0
	for _, m := range list {
		im := firstView(t, m)
		if im == nil {
			continue // refused: other tests look at that
		}
		if why := poorView(im); why != "" {
			poor++
			t.Logf("%s %s: %s", m.group, m.name, why)
		}
	}
	if t.Logf("%d of %d views are poor", poor, len(list)); float64(poor) > max(1, poorViews*float64(len(list))) {
		t.Errorf("at most %.0f %% may be poor", 100*poorViews)
	}
}

func firstView(t *testing.T, m gameMap) (im *image.NRGBA) {
	t.Helper()
	config, err := pipeline.Load(pipeline.SetLayer("sky.mode=mesh"), pipeline.GameLayer(m.paths...))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = convert.Run(t.Context(), convert.Job{Pipeline: config.Pipeline, In: m.in,
		Show: func(ctx context.Context, s *scene.Scene) (err error) {
			im, err = thumb.Draw(ctx, s, thumb.Options{Width: 320, Height: 180, Texels: 128})
			return err
		}})
	if out := os.Getenv("BSP2GLTF_CORPUS_OUT"); out != "" && im != nil {
		f, err := os.Create(filepath.Join(out, m.group+"_"+m.name+".png"))
		if err == nil {
			err = png.Encode(f, im)
			_ = f.Close()
		}
		if err != nil {
			t.Error(err)
		}
	}
	return im
}

// poorView returns what is poor about a picture, or "".
func poorView(im *image.NRGBA) string {
	var bright []float64
	colours := map[[3]uint8]int{}
	for p := im.Pix; len(p) >= 4; p = p[4:] {
		bright = append(bright, 0.2126*float64(p[0])+0.7152*float64(p[1])+0.0722*float64(p[2]))
		colours[[3]uint8{p[0] >> 4, p[1] >> 4, p[2] >> 4}]++
	}
	n, sum, black, most := float64(len(bright)), 0.0, 0.0, 0
	for _, b := range bright {
		if sum += b; b < 10 {
			black++
		}
	}
	for _, count := range colours {
		most = max(most, count)
	}
	slices.Sort(bright)
	switch mean := sum / n; {
	case black > 0.45*n:
		return "mostly black"
	case mean < 28 || mean > 225:
		return "too dark or too bright"
	case float64(most) > 0.7*n:
		return "of one colour"
	case bright[len(bright)*95/100]-bright[len(bright)/20] < 12:
		return "without detail"
	}
	return ""
}
