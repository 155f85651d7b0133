package write

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Format is a kind of output.
type Format struct {
	Name string // and the extension of its main file: "glb"
	Doc  string // what it is, in a few words
	Many bool   // it is several files, which standard output can't take
	MIME string // of its main file

	// prepare changes the pipeline to what the format shows; nil leaves it.
	Prepare func(pipeline.Pipeline) pipeline.Pipeline
	// write makes the files of a scene, the main file last. What lies beside it is added to the companions before it is named.
	write func(s *scene.Scene, c *companions) ([]scene.OutFile, error)
	// previous returns the texts in which an existing main file names the files beside it, and whether bsp2gltf wrote it.
	previous func(main, name string) (texts [][]byte, ours bool)
}

// formats has a row for each format; the first is the default. Nothing else lists them.
var formats = []Format{
	{Name: "glb", Doc: "glTF 2.0 as one binary file", MIME: "model/gltf-binary", write: glbFiles, previous: previousGLB},
	{Name: "gltf", Doc: "glTF 2.0 as JSON with a .bin and images", Many: true, MIME: "model/gltf+json", write: gltfFiles, previous: previousGLTF},
	{Name: "obj", Doc: "Wavefront OBJ with .mtl libraries and images", Many: true, MIME: "model/obj", write: objFiles, previous: previousOBJ},
	{Name: "html", Doc: "a page that shows the map, in one file", MIME: "text/html", Prepare: forPage, write: pageFiles, previous: previousPage},
}

// Formats are the kinds of output, the default first.
func Formats() []Format { return slices.Clone(formats) }

// FormatNames are the names of the formats, the default first.
func FormatNames() []string {
	names := make([]string, len(formats))
	for i := range formats {
		names[i] = formats[i].Name
	}
	return names
}

// FindFormat returns the format of a name, or nil.
func FindFormat(name string) *Format {
	for i := range formats {
		if formats[i].Name == name {
			return &formats[i]
		}
	}
	return nil
}

// FormatOf returns the format of a name, or where that is "" of an output's extension.
func FormatOf(name, out string) (*Format, error) {
	if name == "" {
		name = strings.ToLower(strings.TrimPrefix(filepath.Ext(out), "."))
	}
	if f := FindFormat(name); f != nil {
		return f, nil
	}
	return nil, fmt.Errorf("%.200q is not a format to write: %s: %w", name, strings.Join(FormatNames(), ", "), limit.ErrUsage)
}

// Files makes the files of a scene in this format, the main file, name.FORMAT, last. Images that are not inside it lie in the
// folder imageDir, in which {name} stands for name. The scene must not change before they are written.
func (f *Format) Files(s *scene.Scene, name, imageDir string) ([]scene.OutFile, error) {
	c, err := newCompanions(name, imageDir)
	if err != nil {
		return nil, err
	}
	return f.write(s, c)
}

// GLB returns the scene as a binary file named name.glb, which comes last, and what does not fit in: sidecars.
func GLB(s *scene.Scene, name, imageDir string) ([]scene.OutFile, error) {
	return FindFormat("glb").Files(s, name, imageDir)
}

// GLTF returns the scene as a .gltf file named name.gltf, its .bin, its images in the folder imageDir and its sidecars;
// the .gltf comes last.
func GLTF(s *scene.Scene, name, imageDir string) ([]scene.OutFile, error) {
	return FindFormat("gltf").Files(s, name, imageDir)
}

// OBJ returns the scene as name.obj with a library of materials and its images in the folder imageDir. OBJ has one
// set of texture coordinates and no light: where the scene has lightmaps, name.lightmap.obj is the same geometry with
// the lightmap's coordinates and its library shows the pages. There is an object for each entity and a group for each
// of its materials; entities that are only places, lights and cameras have no counterpart and stay out. name.obj
// comes last.
func OBJ(s *scene.Scene, name, imageDir string) ([]scene.OutFile, error) {
	return FindFormat("obj").Files(s, name, imageDir)
}

func previousGLB(main, _ string) ([][]byte, bool) {
	text := readJSONChunk(main)
	return [][]byte{text}, oursJSON(text)
}

func previousGLTF(main, _ string) ([][]byte, bool) {
	text := readStart(main, maxPrevious)
	return [][]byte{text}, oursJSON(text)
}

// oursJSON reports whether bsp2gltf wrote a glTF document. The asset may stand anywhere in it.
func oursJSON(text []byte) bool {
	return bytes.Contains(text, []byte(`"generator":"bsp2gltf `)) || bytes.Contains(text, []byte(`"generator": "bsp2gltf `))
}

// previousOBJ reads the start of an .obj, which names what belongs to it, and its libraries, which name the images.
func previousOBJ(main, name string) ([][]byte, bool) {
	head := readStart(main, 1<<16)
	if !bytes.HasPrefix(head, []byte("# bsp2gltf ")) {
		return nil, false
	}
	texts := [][]byte{head}
	for _, library := range []string{libraryName(name), lightLibraryName(name)} {
		texts = append(texts, readStart(filepath.Join(filepath.Dir(main), library), maxPrevious))
	}
	return texts, true
}
