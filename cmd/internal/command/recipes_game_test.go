package command

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/vpk"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/wad"
)

// install writes the game below home/.steam, and the map alone as alone/x.bsp.
func (r recipe) install(fixtures, dir string) error {
	data, err := os.ReadFile(filepath.Join(fixtures, r.from))
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(fixtures, "..", "docs", "guide", "games", r.page+".md"))
	if err != nil {
		return err
	}
	folder := regexp.MustCompile(`(?m)^    cd "\$HOME/(.*)"$`).FindSubmatch(text)
	if folder == nil {
		return fmt.Errorf("%s does not go to a folder of the home folder", r.page)
	}
	archives := map[string]map[string][]byte{"": {}}
	put := func(place, name string, data []byte) {
		archive := place
		if path.Ext(place) == "" {
			archive, name = "", path.Join(place, name)
		}
		if archives[archive] == nil {
			archives[archive] = map[string][]byte{}
		}
		archives[archive][name] = data
	}
	if at, inside, ok := strings.Cut(r.to, ":"); ok {
		put(at, inside, data)
	} else {
		put(path.Dir(r.to), path.Base(r.to), data)
	}
	for _, from := range r.assets {
		if err := r.eachAsset(filepath.Join(fixtures, from), func(name string, data []byte) { put(r.into, name, data) }); err != nil {
			return err
		}
	}
	if r.game != "" {
		archive := strings.Replace(r.into, "_dir.", ".", 1)
		put(r.game, "gameinfo.txt", fmt.Appendf(nil,
			"GameInfo { FileSystem { SearchPaths { game+mod %s game |gameinfo_path|. } } }", archive))
	}
	home := filepath.Join(dir, "home", filepath.FromSlash(string(folder[1])))
	for archive, files := range archives {
		if archive != "" {
			files = map[string][]byte{archive: pack(archive, files)}
		}
		for name, data := range files {
			if err := putFile(filepath.Join(home, name), data); err != nil {
				return err
			}
		}
	}
	return putFile(filepath.Join(dir, "alone", "x.bsp"), data)
}

// eachAsset calls put with each file of a folder but its maps, by its name in the game, or with a file.
func (r recipe) eachAsset(from string, put func(name string, data []byte)) error {
	return filepath.WalkDir(from, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) == ".bsp" {
			return err
		}
		name, err := filepath.Rel(from, file)
		if err != nil {
			return err
		}
		switch name = filepath.ToSlash(name); {
		case name == ".":
			name = filepath.Base(file)
		case filepath.Base(from) == "sprites":
			name = "sprites/" + name
		}
		if other, ok := r.renamed[name]; ok {
			name = other
		}
		data, err := os.ReadFile(file)
		put(name, data)
		return err
	})
}

// pack returns an archive of files by its extension: .pk3, .pak or .vpk.
func pack(archive string, files map[string][]byte) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	var pak []wad.File
	var valve []vpk.File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(files[name])
		}
		if err != nil {
			panic(err)
		}
		pak = append(pak, wad.File{Name: name, Data: files[name]})
		valve = append(valve, vpk.File{Name: name, Data: files[name], Chunk: vpk.Here})
	}
	switch path.Ext(archive) {
	case ".pak":
		return wad.Pak(pak...)
	case ".vpk":
		directory, _ := vpk.Write(2, valve...)
		return directory
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// putFile writes a file and the folders above it.
func putFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}
