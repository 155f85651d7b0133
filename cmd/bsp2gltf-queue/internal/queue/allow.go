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

// places are prefixes of paths and URLs that jobs may name. None allow everything.
//
// A path is below a prefix if it is so with all symbolic links followed. A URL of S3 is below a prefix if its bucket and its
// parameters are the same: an endpoint or a profile of its own would send the worker's credentials elsewhere.
type places []place

// place is a prefix: a folder or file on disk, or a key in a bucket.
type place struct {
	path        string
	bucket, key string // bucket is "" for a path
}

// parsePlaces returns the places that prefixes name. It fails with ErrUsage if one is no place.
func parsePlaces(prefixes []string) (places, error) {
	var all places
	for _, prefix := range prefixes {
		p, err := placeOf(prefix)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// placeOf returns the place that a name in a job stands for. For a map in an archive it is the archive.
func placeOf(name string) (place, error) {
	if dir, ok := store.FolderOf(name); ok {
		if dir == "" {
			return place{}, fmt.Errorf("an empty name is no place: %w", limit.ErrUsage)
		}
		if archive, _, ok := inputfile.Split(dir); ok && !batch.IsURL(name) {
			dir = archive
		}
		if climbs(filepath.ToSlash(dir)) { // after a symbolic link, .. leads elsewhere than the name says
			return place{}, fmt.Errorf("%.200q climbs with ..: %w", name, limit.ErrUsage)
		}
		return place{path: dir}, nil
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
	return place{bucket: host + "?" + parameters.Encode(), key: key}, nil
}

// climbs reports whether a path or a key has a component "..".
func climbs(name string) bool { return slices.Contains(strings.Split(name, "/"), "..") }

// check returns an error if a name is in none of the places. May says what the job wants, and flag is the one that allows it.
func (p places) check(name, may, flag string) error {
	if len(p) == 0 {
		return nil
	}
	at, err := placeOf(name)
	if err != nil {
		return err
	}
	for _, prefix := range p {
		if in, err := prefix.holds(at); err != nil || in {
			return err
		}
	}
	return fmt.Errorf("%.200s: this worker may not %s it (%s): %w", name, may, flag, limit.ErrUsage)
}

// holds reports whether another place is this one or below it.
func (p place) holds(other place) (bool, error) {
	if p.bucket != "" || other.bucket != "" {
		return p.bucket == other.bucket && (p.key == "" || p.key == other.key || strings.HasPrefix(other.key, p.key+"/")), nil
	}
	folder, err := resolve(p.path)
	if err != nil {
		return false, err
	}
	path, err := resolve(other.path)
	if err != nil {
		return false, err
	}
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel), nil
}

// resolve returns an absolute path without symbolic links. Its end may be missing.
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
