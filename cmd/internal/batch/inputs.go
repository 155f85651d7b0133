package batch

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/internal/filetype"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/regular"
	"github.com/bsp2gltf/bsp2gltf/internal/safename"
	"github.com/bsp2gltf/bsp2gltf/models"
)

// Input is a map to convert.
type Input struct {
	Path   string   // a file, or a member of an archive as x.pk3:maps/y.bsp
	Rel    string   // path in the tree of inputs, with forward slashes: maps/y.bsp, x.pk3/maps/y.bsp
	Inner  string   // the part of Rel inside an archive: maps/y.bsp; "" for a file
	Size   int64    // bytes, uncompressed; an estimate for a packed map (.bsp.bz2)
	Stamp  Stamp    // of the file, or of the archive
	Ext    bool     // the output's name keeps the input's extension: x.md3.glb
	URL    string   // of a file in a store, with the parameters that Path omits; "" for other files
	Beside []string // keys of the files beside one in a store, which are fetched with it
	Local  string   // path of a copy of a model from a store, in a copy of its game's folder; "" otherwise
}

// Stamp identifies a file by size and time, to detect changes without reading it.
type Stamp struct {
	Size  int64 `json:"size"`
	MTime int64 `json:"mtime"` // nanoseconds since 1970
}

func stampOf(i fs.FileInfo) Stamp { return Stamp{i.Size(), i.ModTime().UnixNano()} }

// Problem is a path at which no map was found, and why.
type Problem struct {
	Path string
	Err  error
}

// Sources names the maps to convert.
type Sources struct {
	Args   []string  // files, folders, globs, archives, members of archives; "-" is a list on Stdin, a path on each line
	Base   string    // the folder that Rel is relative to for files inside it; "" uses the folder or glob that was named
	Skip   string    // a folder to leave out: the output folder
	List   io.Reader // standard input
	Models bool      // folders and archives stand for the models in them, not for the maps
	Stores Stores
	// LeftOut is called, if not nil, for each archive in a folder whose format can't be read, if the folder has other
	// maps.
	LeftOut func(path, why string)
	// Timeout bounds the reading of each archive; 0 means no bound.
	Timeout time.Duration
}

// expansion collects the maps that were found so far.
type expansion struct {
	Sources
	ctx      context.Context
	inputs   []Input
	problems []Problem
	files    []string // files that were named one by one
	urls     []string // of stores
}

// Find returns the maps that the sources name, sorted by Rel and without duplicates, and a problem for each source
// that can't be read. It fails only if a store can't be reached. The limits of ctx apply to all archives together.
//
// A folder stands for all *.bsp files below it and in archives below it. With Models it stands for all models, except
// files that are only parts of other models. Rel is relative to the folder; for a glob, to the part before its first
// wildcard; for files that are named one by one, to the deepest folder that contains them all.
func Find(ctx context.Context, s Sources) ([]Input, []Problem, error) {
	ctx, _ = limit.Begin(ctx)
	e := &expansion{Sources: s, ctx: ctx}
	for _, arg := range s.Args {
		if arg == "-" {
			e.list()
		} else {
			e.arg(arg)
		}
	}
	for _, u := range e.urls {
		if err := e.store(ctx, u); err != nil {
			return nil, nil, err
		}
	}
	inputs, problems := e.finish()
	return inputs, problems, ctx.Err()
}

// Expand is Find without stores.
func Expand(ctx context.Context, s Sources) ([]Input, []Problem) {
	s.Stores = nil
	inputs, problems, _ := Find(ctx, s) // it fails only for stores
	return inputs, problems
}

// store adds the maps that a URL names.
func (e *expansion) store(ctx context.Context, u string) error {
	if e.Stores == nil {
		e.problem(u, limit.Errorf(limit.ErrUsage, "is in a store"))
		return nil
	}
	found, err := e.Stores.List(ctx, u, e.Models)
	if err == nil && len(found) == 0 {
		name, _, _ := strings.Cut(u, "?")
		e.problem(name, limit.Errorf(fs.ErrNotExist, "holds no %ss", e.noun()))
		return nil
	}
	e.inputs = append(e.inputs, found...)
	return err
}

// finish adds the files that were named one by one, and sorts.
func (e *expansion) finish() ([]Input, []Problem) {
	base := e.Base
	if base == "" {
		base = commonFolder(e.files)
	}
	for _, f := range e.files {
		e.file(base, f)
	}
	if len(e.inputs)+len(e.problems) == 0 {
		e.withoutMaps()
	}
	slices.SortFunc(e.inputs, func(a, b Input) int { return cmp.Or(cmp.Compare(a.Rel, b.Rel), cmp.Compare(a.Path, b.Path)) })
	e.inputs = slices.CompactFunc(e.inputs, func(a, b Input) bool { return a.Rel == b.Rel && samePath(a.Path, b.Path) })
	keepExtensions(e.inputs)
	return e.inputs, e.problems
}

// withoutMaps reports what named archives contain instead of maps.
func (e *expansion) withoutMaps() {
	for _, f := range e.files {
		if _, member, ok := inputfile.Split(f); !ok || member != "" || e.Models {
			continue
		}
		m, err := assets.OpenMap(e.ctx, f)
		if err == nil { // a map has appeared since
			m.Close()
			continue
		}
		e.problem(f, err)
	}
}

// keepExtensions makes the outputs of models differ whose names differ only in the extension, like Nexuiz' gib1.mdl
// and gib1.md3.
func keepExtensions(inputs []Input) {
	first := map[string]int{} // by name without extension, in lower case: the first input
	for i := range inputs {
		in := &inputs[i]
		stem := strings.ToLower(inputfile.TrimExt(in.Rel))
		k, twice := first[stem]
		switch {
		case !twice:
			first[stem] = i
		case !strings.EqualFold(inputs[k].Rel, in.Rel) && inputfile.IsModel(inputs[k].Rel) && inputfile.IsModel(in.Rel):
			inputs[k].Ext, in.Ext = true, true
		}
	}
}

// samePath reports whether two paths name the same file or the same member of an archive.
func samePath(a, b string) bool {
	return a == b || filepath.Clean(a) == filepath.Clean(b) || absolute(a) == absolute(b)
}

func absolute(p string) string {
	if IsURL(p) {
		return p
	}
	if abs, err := filepath.Abs(p); err == nil {
		return abs
	}
	return p
}

// list reads paths from standard input.
func (e *expansion) list() {
	if e.List == nil {
		return
	}
	lines := bufio.NewScanner(e.List)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if l := strings.TrimSuffix(lines.Text(), "\r"); l != "" {
			e.arg(l)
		}
	}
	if err := lines.Err(); err != nil {
		e.problem("standard input", fmt.Errorf("%w: %w", limit.ErrInput, err))
	}
}

func (e *expansion) problem(path string, err error) {
	e.problems = append(e.problems, Problem{path, err})
}

// arg adds the maps that one argument names.
func (e *expansion) arg(arg string) {
	if IsURL(arg) {
		e.urls = append(e.urls, arg)
		return
	}
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		e.folder(arg)
	case err == nil:
		e.files = append(e.files, arg)
	default:
		if _, _, ok := inputfile.Split(arg); ok {
			e.files = append(e.files, arg)
		} else if strings.ContainsAny(arg, "*?[{") {
			e.glob(arg)
		} else {
			e.problem(arg, inputError(err))
		}
	}
}

// inputError removes the name of the system call from a file system error.
func inputError(err error) error {
	var p *fs.PathError
	switch {
	case !errors.As(err, &p):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return p.Err
	}
	return limit.Errorf(limit.ErrInput, "%w", p.Err)
}

// folder adds all maps below a folder, which may be a symbolic link. It does not follow links to folders below it.
func (e *expansion) folder(dir string) {
	before := len(e.inputs) + len(e.problems)
	var closed []string // archives whose format can't be read
	// With a separator at the end, WalkDir follows a link.
	top := strings.TrimRight(dir, string(filepath.Separator)) + string(filepath.Separator)
	err := filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			e.problem(filepath.Clean(p), inputError(err))
			if d != nil && d.IsDir() {
				return filepath.SkipDir
			}
		case d.IsDir() && e.Skip != "" && p != top && samePath(p, e.Skip):
			return filepath.SkipDir
		case !d.IsDir() && e.wanted(p):
			if !e.part(p) {
				e.file(cmp.Or(e.Base, dir), p)
			}
		case !d.IsDir() && inputfile.MayHoldMaps(p):
			e.archive(cmp.Or(e.Base, dir), p, "**", false)
		case !d.IsDir() && inputfile.Foreign(p) != "":
			closed = append(closed, p)
		}
		return nil
	})
	if err != nil {
		e.problem(dir, inputError(err))
	}
	if len(e.inputs)+len(e.problems) > before {
		for _, p := range closed {
			if e.LeftOut != nil {
				e.LeftOut(p, "is "+inputfile.Foreign(p))
			}
		}
		return
	}
	e.problem(dir, limit.Errorf(fs.ErrNotExist, "holds no %ss", e.noun()))
	for _, p := range closed {
		e.problem(p, limit.Errorf(errors.ErrUnsupported, "is %s", inputfile.Foreign(p)))
	}
}

// glob adds the files that match a pattern. It skips folders that match.
func (e *expansion) glob(pattern string) {
	base, _ := doublestar.SplitPattern(filepath.ToSlash(pattern))
	found, err := doublestar.FilepathGlob(pattern, doublestar.WithFilesOnly())
	if err != nil {
		e.problem(pattern, fmt.Errorf("%w: %w", limit.ErrUsage, err))
		return
	}
	if len(found) == 0 {
		e.problem(pattern, limit.Errorf(fs.ErrNotExist, "matches no file"))
	}
	for _, p := range found {
		if e.Skip != "" && strings.HasPrefix(absolute(p), absolute(e.Skip)+string(filepath.Separator)) {
			continue
		}
		if !e.part(p) {
			e.file(cmp.Or(e.Base, filepath.FromSlash(base)), p)
		}
	}
}

// packedRatio estimates the size of a map from its packed size: bzip2 compresses to between a third and an eighth.
const packedRatio = 8

// file adds a map, all maps of an archive, or the maps of an archive that match the pattern after the colon.
func (e *expansion) file(base, p string) {
	if archive, member, ok := inputfile.Split(p); ok {
		e.archive(base, archive, cmp.Or(member, "**"), member != "")
		return
	}
	info, err := os.Stat(p)
	if err == nil && !info.Mode().IsRegular() {
		err = limit.Errorf(limit.ErrInput, "%s", inputfile.NotRegular(info))
	}
	if err == nil {
		err = NotAMap(p)
	}
	if err == nil {
		var f *os.File
		if f, err = regular.Open(p); err == nil {
			f.Close()
		}
	}
	if err != nil {
		e.problem(p, inputError(err))
		return
	}
	size := info.Size()
	if inputfile.IsPacked(p) {
		size *= packedRatio
	}
	e.add(base, p, p, "", size, stampOf(info))
}

// NotAMap returns an error if a file's name shows that it is neither a map nor a model, or nil. Without this check a
// conversion would first ask whether its output may be replaced, and would call a file of a few bytes an incomplete
// map.
func NotAMap(name string) error {
	if inputfile.IsMap(name) || inputfile.IsModel(name) || inputfile.IsArchive(name) {
		return nil
	}
	if what := inputfile.Foreign(name); what != "" {
		return limit.Errorf(errors.ErrUnsupported, "is %s", what)
	}
	f, err := regular.Open(name)
	if err != nil {
		return nil // the conversion reports it
	}
	defer f.Close()
	head := make([]byte, 8)
	n, _ := io.ReadFull(f, head)
	what, todo := filetype.ByName(name, head[:n])
	switch {
	case what == "":
		return nil
	case todo != "":
		what += ": " + todo
	}
	return limit.Errorf(errors.ErrUnsupported, "not a map, but %s", what)
}

// archive adds the maps of an archive that match a pattern, or its models if the pattern has a model's extension. If
// none match, it records a problem only if wanted is set, because most archives of a game contain no maps.
func (e *expansion) archive(base, archive, pattern string, wanted bool) {
	info, err := os.Stat(archive)
	if err != nil {
		e.problem(archive, inputError(err))
		return
	}
	list := assets.Maps
	if e.Models || inputfile.IsModel(pattern) {
		list = func(ctx context.Context, archive string) ([]assets.Member, error) {
			return assets.List(ctx, archive, inputfile.IsModel)
		}
	}
	members, err := within(e.Timeout, func() ([]assets.Member, error) { return list(e.ctx, archive) })
	if err != nil {
		e.problem(archive, err)
		return
	}
	pattern = strings.ToLower(filepath.ToSlash(pattern))
	found := false
	for _, m := range members {
		if ok, err := doublestar.Match(pattern, m.Name); err != nil || !ok && m.Name != pattern {
			continue
		}
		found = true
		if m.Name != pattern && e.part(archive+":"+m.Name) {
			continue
		}
		e.add(base, archive+":"+m.Name, archive, m.Name, m.Size, stampOf(info))
	}
	if !found && wanted {
		e.problem(archive, limit.Errorf(fs.ErrNotExist, "holds no %s %.200q", e.noun(), pattern))
	}
}

// wanted reports whether a file of this name is one that folders and archives stand for.
func (e *expansion) wanted(name string) bool {
	if e.Models {
		return inputfile.IsModel(name)
	}
	return inputfile.IsMap(name)
}

// noun names the kind of file that folders and archives stand for.
func (e *expansion) noun() string {
	if e.Models {
		return "model"
	}
	return "map"
}

// part reports, by a file's content, whether it is only a part of another model. In an archive it opens only members
// that are named like GoldSrc's parts (barneyT.mdl has textures, barney01.mdl sequences of barney.mdl), because
// opening each of thousands takes long. A file that can't be read is not a part.
func (e *expansion) part(p string) bool {
	stem, ok := strings.CutSuffix(strings.ToLower(p), ".mdl")
	_, _, packed := inputfile.Split(p)
	if !ok || packed && !strings.HasSuffix(stem, "t") && strings.TrimRight(stem, "0123456789") == stem {
		return false
	}
	part, err := within(e.Timeout, func() (bool, error) {
		m, err := assets.OpenMap(e.ctx, p)
		if err != nil {
			return false, err
		}
		defer m.Close()
		return models.IsPart(m)
	})
	return err == nil && part
}

// within returns the result of f, or context.DeadlineExceeded if f takes longer than most, for example because it
// waits for a network disk; f then continues in the background. If most is 0, there is no bound.
func within[T any](most time.Duration, f func() (T, error)) (T, error) {
	if most <= 0 {
		return f()
	}
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-time.After(most):
		var none T
		return none, fmt.Errorf("not read within %s: %w", most, context.DeadlineExceeded)
	}
}

// add adds a map. Its Rel is the path of its file relative to base.
func (e *expansion) add(base, p, file, member string, size int64, stamp Stamp) {
	rel, err := filepath.Rel(absolute(cmp.Or(base, ".")), absolute(file))
	if err != nil || !filepath.IsLocal(rel) {
		rel = filepath.Base(file)
	}
	inner := strings.TrimPrefix(path.Clean("/"+member), "/")
	rel = path.Join(filepath.ToSlash(rel), inner)
	e.inputs = append(e.inputs, Input{Path: p, Rel: rel, Inner: inner, Size: size, Stamp: stamp})
}

// commonFolder returns the deepest folder that holds all files.
func commonFolder(files []string) string {
	common := ""
	for i, f := range files {
		if archive, _, ok := inputfile.Split(f); ok {
			f = archive
		}
		dir := filepath.Dir(absolute(f))
		if i == 0 {
			common = dir
		}
		for common != dir && !strings.HasPrefix(dir, strings.TrimSuffix(common, string(filepath.Separator))+string(filepath.Separator)) {
			common = filepath.Dir(common)
		}
	}
	return common
}

// Output returns the name of the input's output file, relative to the output folder. It is valid on every system.
// Names from archives and stores are made safe; files and folders keep their names as far as every system allows.
func (i *Input) Output(format string) string {
	trim := inputfile.TrimExt
	if i.Ext {
		trim = func(name string) string { return name }
	}
	inner := i.Inner
	if i.URL != "" {
		inner = i.Rel
	}
	outer := strings.TrimSuffix(strings.TrimSuffix(i.Rel, inner), "/")
	switch {
	case inner == "":
		return safename.FilePath(trim(outer)) + "." + format
	case outer == "":
		return safename.Path(trim(inner)) + "." + format
	}
	return safename.FilePath(outer) + "/" + safename.Path(trim(inner)) + "." + format
}

// Collision is a group of inputs whose outputs would be the same file.
type Collision struct {
	Output string
	Inputs []string
}

// Collisions returns the outputs that several inputs share. It ignores case, because some file systems do.
func Collisions(inputs []Input, format string) []Collision {
	byName := map[string][]string{}
	for i := range inputs {
		name := strings.ToLower(inputs[i].Output(format))
		byName[name] = append(byName[name], inputs[i].Path)
	}
	var all []Collision
	for name, paths := range byName {
		if len(paths) > 1 {
			all = append(all, Collision{name, paths})
		}
	}
	slices.SortFunc(all, func(a, b Collision) int { return cmp.Compare(a.Output, b.Output) })
	return all
}
