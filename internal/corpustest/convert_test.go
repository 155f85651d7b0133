package corpustest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
)

// Maps of Debian's openarena-data and openarena-oacmp1.
func TestOpenArenaConverts(t *testing.T) { convertAll(t, openArena(t)) }

// The corpus's maps of the Quake III family.
func TestCorpusConverts(t *testing.T) {
	convertAll(t, corpusMaps(t, corpus(t), "quake3", "quake3-fbsp"))
}

// The corpus's maps of Quake, Quake II and GoldSrc, with the archives of textures beside them.
func TestQuakesFamilyConverts(t *testing.T) {
	dir := corpus(t)
	list := corpusMaps(t, dir, "goldsrc", "quake1", "quake2")
	for i := range list {
		list[i].paths = []string{filepath.Join(dir, "goldsrc", "wads_shared")}
	}
	convertAll(t, list)
}

// Maps of other engines, and files that are none, are refused in one line that tells what they are.
func TestCorpusRefusesOtherMaps(t *testing.T) {
	refused := corpusMaps(t, corpus(t), "othersibsp", "malformed", "source")
	refused = slices.DeleteFunc(refused, func(m gameMap) bool { return readsSource(t, m.in) })
	for _, m := range refused {
		r, err := convert.Run(context.Background(),
			convert.Job{Pipeline: pipeline.Default(), In: m.in, Out: filepath.Join(t.TempDir(), "out.glb")})
		switch {
		case errors.Is(err, errors.ErrUnsupported) == strings.Contains(m.name, "lfs_pointer"): // a pointer is no map of another kind
			t.Errorf("%s: %v, want unsupported, or corrupt for a pointer to a file", m.name, err)
		case r != nil:
			t.Errorf("%s: there is a report", m.name)
		case strings.ContainsAny(err.Error(), "\r\n") || len(err.Error()) > 300:
			t.Errorf("%s: not one line: %q", m.name, err)
		}
		t.Logf("%-40s %v", m.name, err)
	}
}

// The bytes do not depend on the number of cores.
func TestSameBytesOnOneCore(t *testing.T) {
	var list []gameMap
	for _, name := range []string{"features/maps/patches.bsp", "demo/maps/demo.bsp", "features/maps/external.bsp",
		"features/maps/deluxe.bsp"} {
		list = append(list, gameMap{group: "testdata", name: mapName(name),
			in: filepath.Join("..", "..", "testdata", filepath.FromSlash(name))})
	}
	few := []string{"oa_dm6", "oa_shouse"}
	t.Run("testdata", func(t *testing.T) { sameBytes(t, list) })
	t.Run("openarena", func(t *testing.T) {
		sameBytes(t, slices.DeleteFunc(openArena(t), func(m gameMap) bool { return !slices.Contains(few, m.name) }))
	})
	t.Run("corpus", func(t *testing.T) { sameBytes(t, corpusMaps(t, corpus(t), "quake3-fbsp")) })
}

func sameBytes(t *testing.T, list []gameMap) {
	sums := func(m gameMap, format string, cores int) map[string][32]byte {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		dir := t.TempDir()
		p := pipeline.Default()
		p.Game.Paths = m.paths
		r, err := convert.Run(context.Background(), convert.Job{Pipeline: p, In: m.in, Out: filepath.Join(dir, "out."+format)})
		if err != nil {
			t.Errorf("%s on %d cores: %v", m.name, cores, err)
			return nil
		}
		found := map[string][32]byte{}
		for _, f := range r.Output.Files {
			data, err := os.ReadFile(f.Name)
			if err != nil {
				t.Error(err)
			}
			found[strings.TrimPrefix(f.Name, filepath.ToSlash(dir))] = sha256.Sum256(data)
		}
		return found
	}
	for i, m := range list {
		formats := []string{"glb"}
		if i == 0 {
			formats = []string{"glb", "gltf", "obj"}
		}
		for _, format := range formats {
			one, many := sums(m, format, 1), sums(m, format, max(4, runtime.NumCPU()))
			if len(one) != len(many) {
				t.Errorf("%s: %d files on one core, %d on many", m.name, len(one), len(many))
			}
			for name, sum := range one {
				if many[name] != sum {
					t.Errorf("%s: %s is not the same on one core and on many", m.name, name)
				}
			}
			t.Logf("%s %s: %d files", m.name, format, len(one))
		}
	}
}

// convertAll converts maps one after another, checks each output against its report and against the files, and logs
// a table.
func convertAll(t *testing.T, list []gameMap) {
	var text bytes.Buffer
	sum := newSummary()
	fmt.Fprintf(&text, "%d maps\n%-34s %-7s %6s %13s %9s %9s %5s %6s %7s %6s\n", len(list),
		"map", "format", "MB in", "faces kept/of", "triangles", "materials", "pages", "issues", "MB out", "ms")
	for _, m := range list {
		dir := t.TempDir()
		if keep := os.Getenv("BSP2GLTF_CORPUS_OUT"); keep != "" {
			dir = filepath.Join(keep, m.group)
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		p := pipeline.Default()
		p.Lightmap.Styles = "layers" // each is compared for itself
		p.Game.Paths = m.paths
		out := filepath.Join(dir, m.name+".glb")
		start := time.Now()
		r, err := convert.Run(context.Background(), convert.Job{Pipeline: p, In: m.in, Out: out})
		took := time.Since(start)
		if r != nil {
			keepReport(t, r, filepath.Join(dir, m.name+".json"))
		}
		if err != nil {
			t.Errorf("%s: %v", m.name, err)
			fmt.Fprintf(&text, "%-34s FAILED: %v\n", m.name, err)
			continue
		}
		checkReport(t, m, r)
		checkGLB(t, m, r, out)
		sum.add(m, r, took)
		fmt.Fprintf(&text, "%-34s %-7s %6.2f %6d %6d %9d %4d %4d %5d %6d %7.2f %6d\n", m.name,
			fmt.Sprintf("%s %d", r.Input.Format.Ident, r.Input.Format.Version), float64(r.Input.Size)/1e6,
			r.Surfaces.Kept, r.Surfaces.Total, r.Output.Triangles, r.Materials.Found, r.Materials.Total,
			len(r.Lightmap.Pages), issueCount(r), float64(outputSize(r))/1e6, took.Milliseconds())
		if os.Getenv("BSP2GLTF_CORPUS_OUT") == "" {
			os.Remove(out) // the temporary folders live until the test ends
		}
	}
	sum.write(&text)
	t.Log(text.String())
}

func keepReport(t *testing.T, r *report.Report, name string) {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Error(err)
	}
}

func issueCount(r *report.Report) (n int) {
	for _, c := range r.IssueCounts {
		n += c
	}
	return n
}

// outputSize is the bytes of all files that were written.
func outputSize(r *report.Report) (n int64) {
	for _, f := range r.Output.Files {
		n += f.Size
	}
	return n
}
