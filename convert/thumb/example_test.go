package thumb_test

import (
	"context"
	"fmt"
	"image"
	"log"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/convert/thumb"
)

// A map is drawn from a place that shows it well, with its sky.
func ExampleDraw() {
	config, err := pipeline.Load(pipeline.SetLayer("sky.mode=mesh"))
	if err != nil {
		log.Fatal(err)
	}
	var im *image.NRGBA
	_, err = convert.Run(context.Background(), convert.Job{
		Pipeline: config.Pipeline, In: "../../testdata/demo/maps/demo.bsp",
		Show: func(ctx context.Context, s *scene.Scene) (err error) {
			im, err = thumb.Draw(ctx, s, thumb.Options{Width: 320, Height: 180})
			return err
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(im.Rect)
	// Output: (0,0)-(320,180)
}
