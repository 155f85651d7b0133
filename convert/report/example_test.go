package report_test

import (
	"context"
	"fmt"
	"log"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
)

// A program that converts many maps looks for those with missing assets.
func Example() {
	job := convert.Job{Pipeline: pipeline.Default(), In: "../../testdata/features/maps/missing.bsp"} // no Out: nothing is written
	r, err := convert.Run(context.Background(), job)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("missing:", r.Materials.Missing[0].Material)
	for code, count := range r.IssueCounts {
		if !report.IsNote(code) {
			fmt.Println(code, count)
		}
	}
	// Output:
	// missing: textures/features/missing
}
