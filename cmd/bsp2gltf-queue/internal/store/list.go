package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"gocloud.dev/blob"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
)

// List returns the maps that a URL names: a file, a folder with everything below it, a pattern with * and **, or an
// archive with a pattern of its maps, like x.pk3:maps/*.bsp. It fetches archives that may have maps; and for models
// it fetches the folder, because a model needs the files around it.
func (s *Stores) List(ctx context.Context, name string, models bool) ([]batch.Input, error) {
	bucket, key, err := Split(name)
	if err != nil {
		return nil, err
	}
	whole := key
	key, member := splitArchive(key)
	base, pattern := patternOf(key)
	if models || inputfile.IsModel(whole) && member == "" {
		return s.expand(ctx, name, whole, base, []string{strings.TrimPrefix(strings.TrimPrefix(whole, base), "/")}, isOfGame, true)
	}
	b, err := s.open(ctx, bucket)
	if err != nil {
		return nil, err
	}
	prefix := prefixOf(base)
	var all []batch.Input
	var others, archives []string
	for list := b.List(&blob.ListOptions{Prefix: prefix}); ; {
		o, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, storeError(name, err, limit.ErrInput)
		}
		switch {
		case o.IsDir:
		case !inputfile.IsMap(o.Key):
			others = append(others, o.Key)
			if ok, _ := doublestar.Match(pattern, o.Key); ok && inputfile.MayHoldMaps(o.Key) {
				archives = append(archives, strings.TrimPrefix(o.Key, prefix)+member)
			}
		default:
			if ok, _ := doublestar.Match(pattern, o.Key); ok {
				u := urlOf(name, key, o.Key)
				all = append(all, batch.Input{Path: plain(u), URL: u, Rel: strings.TrimPrefix(o.Key, prefix), Size: o.Size,
					Stamp: stampOf(o.Size, o.ModTime)})
			}
		}
	}
	addBeside(prefix, all, others)
	if len(archives) > 0 {
		keep := func(rel string) bool { // a VPK's numbered parts match no pattern, but its _dir.vpk needs them
			ok, _ := doublestar.Match(pattern, prefix+rel)
			return inputfile.IsArchive(rel) && (ok && inputfile.MayHoldMaps(rel) || !ok && !inputfile.MayHoldMaps(rel))
		}
		packed, err := s.expand(ctx, name, whole, base, archives, keep, false)
		if err != nil {
			return nil, err
		}
		all = append(all, packed...)
	}
	slices.SortFunc(all, func(a, b batch.Input) int { return strings.Compare(a.Rel, b.Rel) })
	return all, nil
}

// splitArchive splits a key behind the name of an archive: the archive's key, and the rest with its colon, or "" if
// there is no rest.
func splitArchive(key string) (archive, member string) {
	for i := range key {
		if key[i] == ':' && inputfile.IsArchive(key[:i]) {
			return key[:i], key[i:]
		}
	}
	return key, ""
}

// patternOf returns the folder to list for a key or a pattern of keys, and the pattern of its files.
func patternOf(key string) (base, pattern string) {
	base, rest := doublestar.SplitPattern(key)
	switch {
	case strings.ContainsAny(rest, "*[{"):
		return strings.TrimPrefix(base, "."), key
	case inputfile.IsMap(key) || inputfile.IsModel(key) || inputfile.MayHoldMaps(key):
		return strings.TrimPrefix(path.Dir(key), "."), key
	}
	return key, path.Join(key, "**")
}

// prefixOf returns the prefix of the keys in a folder.
func prefixOf(folder string) string {
	if folder == "" {
		return ""
	}
	return folder + "/"
}

// urlOf returns the URL of the key other, given the URL name of key.
func urlOf(name, key, other string) string {
	u, query, ok := strings.Cut(name, "?")
	at := strings.TrimSuffix(strings.TrimSuffix(u, "/"), key)
	if decoded, err := url.Parse(u); err == nil {
		at = (&url.URL{Scheme: decoded.Scheme, Host: decoded.Host}).String() + "/"
		if decoded.Scheme == "file" {
			at = (&url.URL{Scheme: "file", Path: strings.TrimSuffix(strings.TrimSuffix(decoded.Path, "/"), key)}).String()
			at = strings.TrimSuffix(at, "/") + "/"
		}
	}
	at += (&url.URL{Path: other}).EscapedPath()
	if ok {
		at += "?" + query
	}
	return at
}

// stampOf returns the stamp of a file in a store, in whole seconds: requests for a file have no finer time, although
// listings have.
func stampOf(size int64, at time.Time) batch.Stamp {
	return batch.Stamp{Size: size, MTime: at.Truncate(time.Second).UnixNano()}
}

// addBeside adds to the maps which other keys of a listing are files beside them.
func addBeside(prefix string, maps []batch.Input, others []string) {
	byStem := map[string]*batch.Input{}
	for i := range maps {
		byStem[inputfile.TrimExt(prefix+maps[i].Rel)] = &maps[i]
	}
	for _, other := range others {
		for i, c := range other {
			if in := byStem[other[:i]]; in != nil && !letter(c) {
				in.Beside = append(in.Beside, other)
				break
			}
		}
	}
}

// letter reports whether a character may be part of a map's name: the files of x.bsp are x.lit and x_l_0.lmp, and not xy.lit.
func letter(c rune) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' }

// maxBeside is how many files beside a map are fetched with it.
const maxBeside = 1000

// fetchInto fetches an input with the files beside it into a folder, and returns its path.
func (s *Stores) fetchInto(ctx context.Context, in *batch.Input, dir string, most int64) (string, error) {
	bucket, key, err := Split(in.URL)
	if err != nil {
		return "", err
	}
	b, err := s.open(ctx, bucket)
	if err != nil {
		return "", err
	}
	around := strings.TrimSuffix(key, path.Base(key)) // up to two parent folders are kept
	for strings.Count(around, "/") > 2 {
		_, around, _ = strings.Cut(around, "/")
	}
	top := strings.TrimSuffix(key, around+path.Base(key))
	keys := append([]string{key}, in.Beside[:min(len(in.Beside), maxBeside)]...)
	_, err = par.Map(ctx, len(keys), func(i int) (struct{}, error) {
		rel := filepath.FromSlash(strings.TrimPrefix(keys[i], top))
		if !filepath.IsLocal(rel) || !strings.HasPrefix(keys[i], inputfile.TrimExt(key)) {
			return struct{}{}, fmt.Errorf("%.200q is no name of a file here: %w", keys[i], limit.ErrInput)
		}
		return struct{}{}, patiently(ctx, func() error { return fetchKey(ctx, b, keys[i], filepath.Join(dir, rel), most) })
	})
	return filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(key, top))), err
}

// expand fetches those files of a folder that keep accepts, and returns the maps or models that names in it stand
// for.
func (s *Stores) expand(ctx context.Context, name, key, base string, names []string, keep func(string) bool,
	models bool) ([]batch.Input, error) {
	folder, err := s.games.folder(ctx, urlOf(name, key, base), keep)
	if err != nil {
		return nil, err
	}
	for i := range names {
		names[i] = filepath.Join(folder, filepath.FromSlash(names[i]))
	}
	inputs, problems := batch.Expand(ctx, batch.Sources{Args: names, Base: folder, Models: models})
	for _, p := range problems {
		if !errors.Is(p.Err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: %w", strings.TrimPrefix(strings.Replace(p.Path, folder, plain(urlOf(name, key, base)), 1), "/"), p.Err)
		}
	}
	for i := range inputs {
		in := &inputs[i]
		rel, err := filepath.Rel(folder, in.Path)
		if err != nil {
			return nil, err
		}
		in.URL = urlOf(name, key, path.Join(base, filepath.ToSlash(rel)))
		in.Local, in.Path = in.Path, plain(in.URL)
	}
	return inputs, nil
}
