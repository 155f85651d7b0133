package images

import (
	"image"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
)

// plain are the default options, but for the effort of PNG files.
var plain = Options{Output: Output{Keep: true, Encoding: picture.Encoding{Format: picture.PNG, Effort: picture.Fast, Quality: 90}}}

// encodedAs returns plain options with files of a format, and none that pass through.
func encodedAs(f picture.Format, quality int) Options {
	o := plain
	o.Output.Keep, o.Output.Encoding.Format, o.Output.Encoding.Quality = false, f, quality
	return o
}

// made makes tasks. Images are named by their works' files if a task has no name.
func made(t testing.TB, files fstest.MapFS, o Options, tasks ...Task) []Made {
	t.Helper()
	return madeWithin(t, limit.NewBudget(limit.Limits{}), files, o, tasks...)
}

// madeWithin makes tasks within a budget that suffices.
func madeWithin(t testing.TB, b *limit.Budget, files fstest.MapFS, o Options, tasks ...Task) []Made {
	t.Helper()
	for i := range tasks {
		if reads := tasks[i].Work.Reads(); tasks[i].Name == "" && len(reads) > 0 {
			tasks[i].Name = Name(reads[0])
		}
	}
	list, err := New(files, o, b).All(t.Context(), tasks)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// decoded decodes an image.
func decoded(t testing.TB, im *Image) *image.NRGBA {
	t.Helper()
	out, _, err := picture.Decode(im.Data, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
