package convert

import (
	"io"

	"github.com/qmuntal/gltf"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

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

// OutFiles returns the files of a scene in a format, the main file, name.FORMAT, last. Images outside the main file go to the
// folder imageDir, in which {name} stands for name. The scene must not change until the files are written. It fails if the scene is not
// valid (scene.Validate).
func OutFiles(s *scene.Scene, format, name, imageDir string) ([]scene.OutFile, error) {
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
func WriteGLB(w io.Writer, s *scene.Scene) error {
	if err := scene.Validate(s); err != nil {
		return err
	}
	return write.WriteGLB(w, s)
}

// Document returns the scene as a document of the gltf library, with images and vertices in its one buffer, for its tools and encoder. It
// fails if the scene is not valid (scene.Validate).
func Document(s *scene.Scene) (*gltf.Document, error) {
	if err := scene.Validate(s); err != nil {
		return nil, err
	}
	return write.Document(s)
}
