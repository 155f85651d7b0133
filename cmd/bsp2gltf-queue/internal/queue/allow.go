package queue

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/cmd/bsp2gltf-queue/internal/store"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// places are prefixes of the paths and URLs that jobs may name. An empty list allows everything.
type places []string

// place is a resolved name: an absolute path without symbolic links, or a key in a bucket. The bucket includes the
// URL's parameters, because another endpoint or profile would send the worker's credentials elsewhere.
type place struct{ bucket, path string }

// placeOf resolves the name of a file or folder. For a map in an archive it returns the archive's place.
func placeOf(name string) (place, error) {
	dir, local := store.FolderOf(name)
	if local {
		if archive, _, ok := inputfile.Split(dir); ok && !batch.IsURL(name) {
			dir = archive
		}
		if dir == "" || climbs(filepath.ToSlash(dir)) { // after a symbolic link, .. leads elsewhere than the text of the name says
			return place{}, fmt.Errorf("%.200q is no place, or climbs with ..: %w", name, limit.ErrUsage)
		}
		path, err := resolve(dir)
		return place{"", path}, err
	}
	bucket, key, err := store.Split(name)
	if err != nil {
		return place{}, err
	}
	host, query, _ := strings.Cut(bucket, "?")
	parameters, err := url.ParseQuery(query)
	if err != nil || climbs(key) {
		return place{}, fmt.Errorf("%.200q is no place in a store: %w", name, limit.ErrUsage)
	}
	return place{host + "?" + parameters.Encode(), "/" + key}, nil
}

// climbs reports whether a path or a key has a component "..".
func climbs(name string) bool { return slices.Contains(strings.Split(name, "/"), "..") }

// check returns an error if a name is below none of the places. In the message, may is what the job wants to do, and
// flag is the option that allows it.
func (p places) check(name, may, flag string) error {
	if len(p) == 0 {
		return nil
	}
	at, err := placeOf(name)
	if err != nil {
		return err
	}
	for _, prefix := range p {
		in, err := placeOf(prefix)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(in.path, at.path)
		if in.bucket == at.bucket && err == nil && filepath.IsLocal(rel) {
			return nil
		}
	}
	return fmt.Errorf("%.200s: this worker may not %s it (%s): %w", name, may, flag, limit.ErrUsage)
}

// resolve returns an absolute path without symbolic links. Its last components may be missing.
func resolve(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for at, rest := path, ""; ; at, rest = filepath.Dir(at), filepath.Join(filepath.Base(at), rest) {
		real, err := filepath.EvalSymlinks(at)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		if !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			return "", fmt.Errorf("%w: %w", limit.ErrInput, err)
		}
	}
}
