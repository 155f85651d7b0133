package bsp_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"log"
	"os"

	"github.com/bsp2gltf/bsp2gltf/bsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Decode a map of any family and count its faces by what they are made of.
func Example() {
	file, err := os.Open("../testdata/features/maps/patches.bsp")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		log.Fatal(err)
	}
	w, err := bsp.Decode(context.Background(), file, info.Size(), bsp.Options{Name: "patches"})
	if err != nil {
		log.Fatal(err)
	}
	polygons, patches, others := 0, 0, 0
	for _, m := range w.Models {
		for _, s := range m.Surfaces {
			switch s.Shape.(type) {
			case *world.Polygon:
				polygons++
			case *world.Patch:
				patches++
			default:
				others++
			}
		}
	}
	fmt.Println(w.Format.Ident, w.Format.Version)
	fmt.Println(polygons+patches+others == w.Faces, patches > 0)
	// Output:
	// IBSP 46
	// true true
}

// Lump returns what this module does not decode, unpacked: here the planes of a map, records of four floats.
func ExampleMap_Lump() {
	file, err := os.Open("../testdata/features/maps/polygons.bsp")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		log.Fatal(err)
	}
	m, err := bsp.Decode(context.Background(), file, info.Size(), bsp.Options{Name: "polygons"})
	if err != nil {
		log.Fatal(err)
	}
	for _, l := range m.Lumps {
		if l.Name != "planes" {
			continue
		}
		data, err := m.Lump(l.Index)
		if err != nil {
			log.Fatal(err)
		}
		planes := make([]struct {
			Normal   [3]float32
			Distance float32
		}, len(data)/16)
		if _, err := binary.Decode(data, binary.LittleEndian, planes); err != nil {
			log.Fatal(err)
		}
		fmt.Println(l.Index, len(planes), planes[0].Normal)
	}
	// Output:
	// 2 14 [1 0 0]
}
