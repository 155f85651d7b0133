package models_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/bsp"
	"github.com/bsp2gltf/bsp2gltf/models"
)

// Gather adds the models that props name to those of the map.
func ExampleGather() {
	const name = "../testdata/source/maps/models.bsp"
	file, err := os.Open(name)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		log.Fatal(err)
	}
	files, err := assets.Open(context.Background(), assets.Find(name))
	if err != nil {
		log.Fatal(err)
	}
	defer files.Close()
	ctx := context.Background()
	m, err := bsp.Decode(ctx, file, info.Size(), bsp.Options{Name: "models", Files: files})
	if err != nil {
		log.Fatal(err)
	}
	before := len(m.World.Models)
	if err := models.Gather(ctx, files, m.World, models.Options{}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(before, "models of the map,", len(m.World.Models)-before, "of its props:")
	for _, p := range m.World.Props[:3] {
		fmt.Println(p.Model, p.Index >= before)
	}
	// Output:
	// 1 models of the map, 5 of its props:
	// models/ours/table.mdl true
	// models/ours/gate.mdl true
	// models/ours/gate.mdl true
}
