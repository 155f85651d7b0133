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

// InMemory returns a file with this name and content.
func InMemory(name string, data []byte) scene.OutFile {
	return scene.OutFile{Name: name, Write: func(w io.Writer) error { _, err := w.Write(data); return err }}
}

// companions collects the files of an output other than its main file. A writer must add a companion before it writes
// a reference to it: the name may change if another map's file already has it.
type companions struct {
	name     string // the main file's, without extension; "" if the output can have no companions
	imageDir string
	place    func(kind companionKind, f scene.OutFile) (string, error) // returns the final name; nil keeps names as they are
	files    []scene.OutFile
	err      error // first error of place
}

// companionKind is what a companion belongs to.
type companionKind int

const (
	partFile    companionKind = iota // this main file only: .bin, .mtl
	imageFile                        // the image folder, which all formats of a map share
	sidecarFile                      // NAME_...: the map; the same for every format
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

// newCompanions returns companions that keep their names, for an output whose place on disk is not known.
func newCompanions(name, imageDir string) (*companions, error) {
	if name == "" || strings.ContainsAny(name, `/\`) || !filepath.IsLocal(name) {
		return nil, fmt.Errorf("%.200q is no name of a file: %w", name, limit.ErrUsage)
	}
	dir, err := ImageFolder(name, imageDir)
	return &companions{name: name, imageDir: dir}, err
}

// ImageFolder returns the folder of the images: dir with {name} replaced by the output's name (names.Stem).
func ImageFolder(name, dir string) (string, error) {
	dir = strings.ReplaceAll(dir, "{name}", names.Stem(name))
	if dir != "" && (!fs.ValidPath(dir) || !filepath.IsLocal(filepath.FromSlash(dir))) {
		return "", fmt.Errorf("output.image_dir: %.200q does not lie beside the output: %w", dir, limit.ErrUsage)
	}
	return dir, nil
}

// ownFolders returns the image folders that no output of another name uses: the one in the settings, if it contains
// the name, and the default one.
func ownFolders(name, imageDir string) (folders []string) {
	for _, dir := range []string{imageDir, pipeline.Default().Output.ImageDir} {
		folder, err := ImageFolder(name, dir)
		if err == nil && strings.Contains(dir, "{name}") && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	return folders
}
