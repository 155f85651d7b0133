package convert

import (
	"io"

	"github.com/qmuntal/gltf"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

type (
	// Pipeline holds the settings of all stages.
	Pipeline = pipeline.Pipeline
	// Report describes the outcome of a conversion.
	Report = report.Report
	// Scene is the input of a writer.
	Scene = scene.Scene
	// OutFile is a file of an output.
	OutFile = scene.OutFile
	// Config is a pipeline with the source of each value.
	Config = pipeline.Config
	// Layer is a set of settings that override those of earlier layers.
	Layer = pipeline.Layer
)

// DefaultPipeline returns the pipeline of pipeline.yaml.
func DefaultPipeline() Pipeline { return pipeline.Default() }

// Load applies layers to the default pipeline; later layers override earlier ones.
func Load(layers ...Layer) (*Config, error) { return pipeline.Load(layers...) }

// PresetLayer returns the settings of a preset: blender, unity, godot, unreal, web or viewer.
func PresetLayer(name string) (Layer, error) { return pipeline.PresetLayer(name) }

// SetLayer returns a layer of one assignment, like "lightmap.padding=4".
func SetLayer(assignment string) Layer { return pipeline.SetLayer(assignment) }

// FileLayer returns the layer of a pipeline file. Relative paths in it are relative to its folder, and "~/" is the
// home folder.
func FileLayer(name string, text []byte) Layer { return pipeline.FileLayer(name, text) }

// GameLayer returns a layer of game folders and archives, which are searched before those of earlier layers.
func GameLayer(paths ...string) Layer { return pipeline.GameLayer(paths...) }

// Format describes an output format.
type Format struct {
	Name string // also the extension of the main file: "glb"
	Doc  string // short description
	Many bool   // writes several files, which standard output can't take
	MIME string // of the main file
}

// Formats returns the output formats, the default first.
func Formats() []Format {
	var all []Format
	for _, f := range write.Formats() {
		all = append(all, Format{f.Name, f.Doc, f.Many, f.MIME})
	}
	return all
}

// FormatNames returns the names of the output formats, the default first.
func FormatNames() []string { return write.FormatNames() }

// Files returns the files of a scene in a format, the main file, name.FORMAT, last. Images outside the main file go to the
// folder imageDir, in which {name} stands for name. The scene must not change until the files are written. It fails if the scene is not
// valid (scene.Validate).
func Files(s *Scene, format, name, imageDir string) ([]OutFile, error) {
	if err := scene.Validate(s); err != nil {
		return nil, err
	}
	f, err := write.FormatOf(format, "")
	if err != nil {
		return nil, err
	}
	return f.Files(s, name, imageDir)
}

// WriteGLB writes the scene as one binary file, without sidecars. It fails if the scene is not valid (scene.Validate), and for more than
// 4 GiB, the limit of the file's header.
func WriteGLB(w io.Writer, s *Scene) error {
	if err := scene.Validate(s); err != nil {
		return err
	}
	return write.WriteGLB(w, s)
}

// Document returns the scene as a document of the gltf library, with images and vertices in its one buffer, for its tools and encoder. It
// fails if the scene is not valid (scene.Validate).
func Document(s *Scene) (*gltf.Document, error) {
	if err := scene.Validate(s); err != nil {
		return nil, err
	}
	return write.Document(s)
}
