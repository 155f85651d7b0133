package convert_test

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// A map becomes a file in one call. Textures and scripts are found around the map.
func ExampleFile() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	p := pipeline.Default()
	report, err := convert.File(context.Background(), p, "../testdata/features/maps/lightpages.bsp", filepath.Join(dir, "lightpages.glb"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Input.Format.Game)
	fmt.Println(report.Surfaces.Kept, "of", report.Surfaces.Total, "faces")
	fmt.Println(len(report.Output.Files), "file")
	// Output:
	// Quake III Arena
	// 5 of 5 faces
	// 1 file
}

// The textures may come from any fs.FS. Here they are in a zip file; an embed.FS or a file system of your own does too.
func ExampleMap() {
	path := archive()
	defer os.Remove(path)
	textures, err := zip.OpenReader(path)
	if err != nil {
		log.Fatal(err)
	}
	defer textures.Close()
	file, err := os.Open("../testdata/features/maps/polygons.bsp")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		log.Fatal(err)
	}

	scene, report, err := convert.Map(context.Background(), pipeline.Default(), convert.Source{
		Name: "polygons", Reader: file, Size: info.Size(), Files: textures,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(scene.Nodes[0].Name, len(report.Materials.Missing))
	for _, im := range scene.Images {
		fmt.Println(im.Element, im.Name, im.MIME)
	}
	// Output:
	// polygons 0
	// texture textures/features/checker image/png
	// texture textures/features/uv image/png
	// lightmap lightmap_0 image/png
}

// The settings are a struct: change the fields that should differ.
func ExampleRun() {
	p := pipeline.Default()
	p.Lightmap.Carrier = "vertex" // shows in any viewer
	p.Sky.Mode = "none"
	p.Entities.Skip = []string{"info_*", "trigger_*"}

	// Out is empty: nothing is written.
	report, err := convert.Run(context.Background(), convert.Job{Pipeline: p, In: "../testdata/features/maps/lightpages.bsp"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Lightmap.Carrier, len(report.Lightmap.Pages), "pages,", report.Output.Images, "image")
	// Output:
	// vertex 0 pages, 1 image
}

// Edit changes the scene before it is written: here it adds a node, and paints all materials red.
func ExampleJob_edit() {
	report, err := convert.Run(context.Background(), convert.Job{
		Pipeline: pipeline.Default(), In: "../testdata/features/maps/polygons.bsp", Out: "-", Format: "glb", Stdout: io.Discard,
		Edit: func(_ context.Context, s *scene.Scene) error {
			marker := scene.NewNode("marker", 0) // a child of the root
			marker.Translation = [3]float64{0, 1, 0}
			s.Nodes = append(s.Nodes, marker)
			for i := range s.Materials {
				s.Materials[i].BaseColor = [4]float32{1, 0, 0, 1}
			}
			return nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(report.Output.Files), "file, written to standard output")
	// Output:
	// 1 file, written to standard output
}

// Document hands a scene on to the gltf library, for its tools and its encoder.
func ExampleDocument() {
	file, err := os.Open("../testdata/features/maps/polygons.bsp")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		log.Fatal(err)
	}
	s, _, err := convert.Map(context.Background(), pipeline.Default(), convert.Source{Name: "polygons", Reader: file, Size: info.Size()})
	if err != nil {
		log.Fatal(err)
	}
	doc, err := convert.Document(s)
	if err != nil {
		log.Fatal(err)
	}
	doc.Asset.Copyright = "the map's author"
	fmt.Println(doc.Scenes[0].Name, len(doc.Meshes) > 0)
	// Output:
	// polygons true
}

// archive makes a zip file of the features' textures and scripts.
func archive() string {
	file, err := os.CreateTemp("", "textures*.zip")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	w := zip.NewWriter(file)
	for _, dir := range []string{"textures/features", "scripts"} {
		list, err := os.ReadDir("../testdata/features/" + dir)
		if err != nil {
			log.Fatal(err)
		}
		for _, e := range list {
			data, err := os.ReadFile("../testdata/features/" + dir + "/" + e.Name())
			if err != nil {
				log.Fatal(err)
			}
			f, err := w.Create(dir + "/" + e.Name())
			if err != nil {
				log.Fatal(err)
			}
			if _, err := f.Write(data); err != nil {
				log.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	return file.Name()
}
