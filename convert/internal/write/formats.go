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
	"github.com/bsp2gltf/bsp2gltf/models"
)

// Format is an output format.
type Format struct {
	Name string // also the extension of its main file, like "glb"
	Doc  string // short description
	Many bool   // the output is several files, so it can't go to standard output
	// Whole means that the main file contains what other formats put into sidecars. It has the same bytes on disk and
	// on standard output.
	Whole bool
	MIME  string // type of the main file
	Opens bool   // a viewer: its scene states a start view and what is missing (Scene.SetStartView, SetMissing)

	// Prepare adapts the pipeline to the format; nil leaves it unchanged.
	Prepare func(pipeline.Pipeline) pipeline.Pipeline
	// write returns the files of a scene, the main file last. It adds each companion to c before it uses the companion's name.
	write func(s *scene.Scene, c *companions) ([]scene.OutFile, error)
	// previous returns the texts in which an existing main file names its companions, and whether bsp2gltf wrote that
	// file.
	previous func(main, name string) (texts [][]byte, ours bool)
}

// formats has a row for each format; the first is the default. Other lists of formats are made from it.
var formats = []Format{
	{Name: "glb", Doc: "glTF 2.0 as one binary file", MIME: "model/gltf-binary", write: glbFiles, previous: previousGLB},
	{Name: "gltf", Doc: "glTF 2.0 as JSON with a .bin and images", Many: true, MIME: "model/gltf+json", write: gltfFiles,
		previous: previousGLTF},
	{Name: "obj", Doc: "Wavefront OBJ with .mtl libraries and images", Many: true, MIME: "model/obj", Prepare: forOBJ, write: objFiles,
		previous: previousOBJ},
	{Name: "html", Doc: "a page that shows the map, in one file", Whole: true, MIME: "text/html", Opens: true, Prepare: forPage, write: pageFiles,
		previous: previousPage},
}

// Formats returns the output formats, the default first.
func Formats() []Format { return slices.Clone(formats) }

// FormatNames returns the names of the formats, the default first.
func FormatNames() []string {
	names := make([]string, len(formats))
	for i := range formats {
		names[i] = formats[i].Name
	}
	return names
}

// FindFormat returns the format with a name, or nil.
func FindFormat(name string) *Format {
	for i := range formats {
		if formats[i].Name == name {
			return &formats[i]
		}
	}
	return nil
}

// FormatOf returns the format with a name or, if name is "", the format for the extension of out.
func FormatOf(name, out string) (*Format, error) {
	if name == "" {
		name = strings.ToLower(strings.TrimPrefix(filepath.Ext(out), "."))
	}
	if f := FindFormat(name); f != nil {
		return f, nil
	}
	return nil, fmt.Errorf("%.200q is not a format to write: %s: %w", name, strings.Join(FormatNames(), ", "), limit.ErrUsage)
}

// Files returns the files of a scene in this format: companions first, the main file, name.FORMAT, last. Images that
// are not embedded go to the folder imageDir, in which {name} stands for name. The scene must not change until the
// files are written.
func (f *Format) Files(s *scene.Scene, name, imageDir string) ([]scene.OutFile, error) {
	c, err := newCompanions(name, imageDir)
	if err != nil {
		return nil, err
	}
	return f.write(s, c)
}

// forOBJ adapts a pipeline to .obj. OBJ has no skins, and no materials that are invisible from behind: a sky box
// around the map would hide it.
func forOBJ(p pipeline.Pipeline) pipeline.Pipeline {
	if p.Sky.Mode == pipeline.SkyAuto {
		p.Sky.Mode = pipeline.SkyNode
	}
	return withoutSkins(p)
}

// withoutSkins adapts a pipeline to a format without skins: models get their pose at the map's start.
func withoutSkins(p pipeline.Pipeline) pipeline.Pipeline {
	p.Model.Skeleton, p.Models.Animations = false, models.AnimationsNone
	return p
}

func previousGLB(main, _ string) ([][]byte, bool) {
	text := readJSONChunk(main)
	return [][]byte{text}, oursJSON(text)
}

func previousGLTF(main, _ string) ([][]byte, bool) {
	text := readStart(main, maxPrevious)
	return [][]byte{text}, oursJSON(text)
}

// oursJSON reports whether bsp2gltf wrote a glTF document, by its generator, which may stand anywhere in the text.
func oursJSON(text []byte) bool {
	return bytes.Contains(text, []byte(`"generator":"bsp2gltf `)) || bytes.Contains(text, []byte(`"generator": "bsp2gltf `))
}

// previousOBJ reads the start of an .obj, which names its companions, and its libraries, which name the images.
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
