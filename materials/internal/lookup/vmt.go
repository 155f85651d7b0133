package lookup

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/filetype"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Entry is the result of looking up a material's name.
type Entry struct {
	Material *vmt.Material // nil if there is none
	File     string
	Brush    bool     // the compiler made it for flat surfaces, where the second texture is not visible
	Missed   []string // missing files
}

// VMT returns the material file of a name: its own, or the one from which the map's compiler made it.
func (fl *Files) VMT(name string) *Entry {
	name = Fold(name)
	if e := fl.vmts[name]; e != nil {
		return e
	}
	e := &Entry{}
	fl.vmts[name] = e
	for {
		e.File = "materials/" + strings.TrimSuffix(name, ".vmt") + ".vmt"
		material, err := fl.parseVMT(e)
		if err == nil {
			e.Material = material
			return e
		}
		if !errors.Is(err, fs.ErrNotExist) {
			fl.Report(world.Issue{Code: "material-broken", Where: e.File, Detail: strings.TrimPrefix(err.Error(), e.File+": ")})
		}
		original, patched := unpatched(name)
		if !patched {
			return e
		}
		e.Brush = e.Brush || strings.Contains(name, wvtPatch)
		name = original
	}
}

// parseVMT parses the file of e and records the missing files.
func (fl *Files) parseVMT(e *Entry) (*vmt.Material, error) {
	read := func(file string) ([]byte, error) {
		data, err := fl.Text(file)
		if errors.Is(err, fs.ErrNotExist) && !slices.Contains(e.Missed, file) {
			e.Missed = append(e.Missed, file)
		}
		return data, err
	}
	data, err := read(e.File)
	if err != nil {
		return nil, err
	}
	m, err := vmt.Parse(e.File, data, fl.Budget, read)
	if err != nil {
		return nil, err
	}
	for _, is := range m.Issues {
		fl.Report(world.Issue{Code: is.Code, Where: fmt.Sprintf("%s:%d", is.File, is.Line), Detail: is.Detail})
	}
	return m, nil
}

// Text reads a file of at most MaxEntry bytes. An invalid path counts as a missing file.
func (fl *Files) Text(file string) ([]byte, error) {
	if !fs.ValidPath(file) {
		return nil, fmt.Errorf("%.200q: %w", file, fs.ErrNotExist)
	}
	info, err := fs.Stat(fl.FS, file)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%.200q is a folder: %w", file, fs.ErrNotExist)
	}
	if err := limit.Check("MaxEntry", fl.Budget.Limits.MaxEntry, info.Size()); err != nil {
		return nil, err
	}
	data, err := fs.ReadFile(fl.FS, file)
	if err == nil {
		err = filetype.Undelivered(data)
	}
	return data, err
}

const wvtPatch = "_wvt_patch"

// unpatched returns the name of the material from which the map's compiler made another, if the name shows it:
// maps/MAP/NAME_X_Y_Z has the reflections of a position, NAME_wvt_patch is for flat surfaces, NAME_depth_N is water.
// Source SDK 2013, utils/vbsp: cubemap.cpp, worldvertextransitionfixup.cpp, materialpatch.cpp.
func unpatched(name string) (original string, ok bool) {
	rest, ok := strings.CutPrefix(name, "maps/")
	if !ok {
		return "", false
	}
	_, rest, ok = strings.Cut(rest, "/")
	if !ok {
		return "", false
	}
	original = rest
	if s, ok := cutNumbers(original, 3); ok {
		if original = s; strings.HasPrefix(original, "maps/") { // it was patched twice
			return original, true
		}
	}
	original = strings.TrimSuffix(original, wvtPatch)
	if s, ok := cutNumbers(original, 1); ok && strings.HasSuffix(s, "_depth") {
		original = strings.TrimSuffix(s, "_depth")
	}
	return original, original != rest
}

// cutNumbers removes n whole numbers, each after a "_", from the end of a name.
func cutNumbers(name string, n int) (string, bool) {
	for range n {
		at := strings.LastIndexByte(name, '_')
		if at < 0 {
			return name, false
		}
		if _, err := strconv.Atoi(name[at+1:]); err != nil {
			return name, false
		}
		name = name[:at]
	}
	return name, name != ""
}
