package write

import (
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// InMemory returns a file with the content data.
func InMemory(name string, data []byte) scene.OutFile {
	return scene.OutFile{Name: name, Write: func(w io.Writer) error { _, err := w.Write(data); return err }}
}

// companions collects the files of an output other than its main file. A writer must add them before it uses their names,
// because a companion gets a different name if a file of another map has its name.
type companions struct {
	name     string // of the main file without extension; "" if companions are not possible
	imageDir string
	place    func(kind companionKind, f scene.OutFile) (string, error) // decides on a name; nil leaves names unchanged
	files    []scene.OutFile
	err      error // first error of place
}

// companionKind is the kind of a companion, which says what it belongs to.
type companionKind int

const (
	partFile    companionKind = iota // of this main file only: .bin, .mtl
	imageFile                        // in the image folder, which all formats of a map share
	sidecarFile                      // NAME_...: the same for every format of a map
)

// add adds a file and returns its final name.
func (c *companions) add(kind companionKind, f scene.OutFile) string {
	if c.place != nil && c.err == nil {
		name, err := c.place(kind, f)
		if err != nil {
			c.err = err
		} else {
			f.Name = name
		}
	}
	c.files = append(c.files, f)
	return f.Name
}

// newCompanions returns empty companions that keep their names, for an output that is not written to disk yet.
func newCompanions(name, imageDir string) (*companions, error) {
	if name == "" || strings.ContainsAny(name, `/\`) || !filepath.IsLocal(name) {
		return nil, fmt.Errorf("%.200q is no name of a file: %w", name, limit.ErrUsage)
	}
	dir, err := ImageFolder(name, imageDir)
	return &companions{name: name, imageDir: dir}, err
}

// ImageFolder returns the folder of the images: dir with {name} replaced by the output's name. Names that are unsafe for a folder
// get a hash, so that "my map" and "my_map" don't share a folder.
func ImageFolder(name, dir string) (string, error) {
	dir = strings.ReplaceAll(dir, "{name}", names.NewFileNames().Path(name))
	if dir != "" && (!fs.ValidPath(dir) || !filepath.IsLocal(filepath.FromSlash(dir))) {
		return "", fmt.Errorf("output.image_dir: %.200q does not lie beside the output: %w", dir, limit.ErrUsage)
	}
	return dir, nil
}

// ownFolders returns the folders of images that no output of another name uses: that of the settings, if it is such a one, and that of
// the default settings.
func ownFolders(name, imageDir string) (folders []string) {
	for _, dir := range []string{imageDir, pipeline.Default().Output.ImageDir} {
		folder, err := ImageFolder(name, dir)
		if err == nil && strings.Contains(dir, "{name}") && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	return folders
}
