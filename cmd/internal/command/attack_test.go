//go:build linux

package command

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
)

// attacks are maps that ask for much memory.
var attacks = []struct {
	name  string
	build func() []byte
	args  []string
}{
	{"displacements that share their points", sharedDisplacements, nil},
	{"looks of one model", looksOfOneModel, nil},
	{"lamps and props", lampsAndProps, []string{"--game=../../../testdata/source"}},
	{"lamps", func() []byte { return manyEntities(60000, "light", "_light", "255 255 255 200") }, nil},
	{"props", func() []byte { return manyEntities(60000, "prop_dynamic", "model", "models/a.mdl") }, nil},
	{"sprites", func() []byte { return manyEntities(60000, "env_sprite", "model", "sprites/a.vmt", "spawnflags", "1") }, nil},
	{"overlays", manyOverlays, nil},
	{"an entity of a million keys", func() []byte { return manyKeys(1, 1_000_000) }, nil},
	{"100 MB of key-values", func() []byte { return manyKeys(60_000, 120) }, nil},
	{"ropes", func() []byte {
		return manyEntities(20000, "move_rope", "NextKey", "end", "Subdiv", "8", "Slack", "1000")
	}, nil},
	{"light in vertices", sharedLight, []string{"--set=lightmap.carrier=vertex", "--set=lightmap.vertex_step=0.5"}},
	{"patches that share their control points", sharedPatches, nil},
}

// The memory that a map makes the program reserve stays within MaxMemory; what the process takes beyond that, for
// garbage, code and stacks, is at most 256 MiB. BSP2GLTF_ATTACKS=each tries all attacks, BSP2GLTF_ATTACKS=all the
// default of 2 GiB too, which takes minutes.
func TestMaxMemoryBoundsTheProcess(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector takes memory of its own")
	}
	limits := []int64{256 << 20}
	some := 2
	switch os.Getenv("BSP2GLTF_ATTACKS") {
	case "all":
		limits = append(limits, limit.Defaults.MaxMemory)
		fallthrough
	case "each":
		some = len(attacks)
	}
	dir := t.TempDir()
	command := commandOf(t)
	for i, attack := range attacks[:some] {
		in := filepath.Join(dir, fmt.Sprintf("attack%d.bsp", i))
		if err := os.WriteFile(in, attack.build(), 0o600); err != nil {
			t.Fatal(err)
		}
		debug.FreeOSMemory() // or it counts as the command's
		for _, most := range limits {
			args := append([]string{"--limit", fmt.Sprintf("MaxMemory=%d", most), "--timeout", "5m", in, filepath.Join(dir, "out.glb")},
				attack.args...)
			code, peak, took, out := measure(t, command, args...)
			t.Logf("%-40s of %4d MiB: %4d MiB, %.1f s, exit code %d", attack.name, most>>20, peak>>20, took.Seconds(), code)
			if code != 0 && code != exitCode(limit.ErrLimit) {
				t.Errorf("%s: exit code %d: %s", attack.name, code, out)
			}
			if peak > most+256<<20 {
				t.Errorf("%s: the process took %d MiB", attack.name, peak>>20)
			}
		}
	}
}

// measure runs a command and returns its exit code, the most memory that it had in bytes, its time on processors, and what it said.
func measure(t *testing.T, command string, args ...string) (code int, peak int64, took time.Duration, said string) {
	t.Helper()
	cmd := exec.Command(command, args...)
	var out strings.Builder
	cmd.Stderr = &out
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	p := cmd.ProcessState
	return p.ExitCode(), p.SysUsage().(*syscall.Rusage).Maxrss << 10, p.UserTime() + p.SystemTime(), out.String()
}

// The deadline is looked at while text is read, entities are placed and props are lit: what takes long ends in time.
func TestDeadlineIsLookedAt(t *testing.T) {
	dir := t.TempDir()
	command := commandOf(t)
	for name, data := range map[string][]byte{"keys": manyKeys(1, 1_000_000), "entities": manyKeys(20_000, 20), "props": lampsAndProps()} {
		in := filepath.Join(dir, name+".bsp")
		if err := os.WriteFile(in, data, 0o600); err != nil {
			t.Fatal(err)
		}
		code, _, took, out := measure(t, command, "--game=../../../testdata/source", "--timeout", "50ms", in, filepath.Join(dir, "out.glb"))
		if code != exitCode(context.DeadlineExceeded) || !strings.Contains(out, "not done within 50ms") || took > 5*time.Second {
			t.Errorf("%s: exit code %d after %v: %s", name, code, took, out)
		}
	}
}

// A --timeout ends what waits for the other end of a pipe that the user named, and leaves nothing behind.
func TestDeadlineEndsWhatWaitsForPipes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	command := commandOf(t)
	in := filepath.Join(dir, "in.bsp")
	if err := os.WriteFile(in, manyKeys(1, 1), 0o600); err != nil {
		t.Fatal(err)
	}
	var all errgroup.Group
	for _, flag := range []string{"--config", "--report"} {
		all.Go(func() error {
			pipe, out := filepath.Join(dir, "pipe"+flag), filepath.Join(dir, "out"+flag)
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				return err
			}
			code, _, _, said := measure(t, command, "--timeout", "500ms", flag, pipe, in, filepath.Join(out, "out.glb"))
			if code != exitCode(context.DeadlineExceeded) || !strings.Contains(said, "not done within 500ms") {
				t.Errorf("%s: exit code %d: %s", flag, code, said)
			}
			if left, err := os.ReadDir(out); len(left) > 0 || err == nil {
				t.Errorf("%s: left behind: %v", flag, left)
			}
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
}

// With few file descriptors a batch has fewer worker processes, and converts all maps.
func TestFewFileDescriptors(t *testing.T) {
	dir, command := t.TempDir(), commandOf(t)
	for i := range 3 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.bsp", i)), manyKeys(1, 1), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("sh", "-c", `ulimit -n 32; exec "$0" batch "$1" -o "$1/out" --jobs 3 --no-pictures`, command, dir)
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "3 maps converted") {
		t.Errorf("%v: %s", err, out)
	}
}

// What the system refuses is no bug of this program.
func TestErrorsOfTheSystem(t *testing.T) {
	if code := exitCode(&os.PathError{Op: "open", Path: "a", Err: syscall.EMFILE}); code != 66 {
		t.Errorf("too many open files: exit code %d, want 66", code)
	}
}

// commandOf returns the command that testscript puts into PATH: a copy of this program under the command's name. A link would not do, as
// a batch would start this program by its own name for each worker, and each would run all tests.
func commandOf(t *testing.T) string {
	t.Helper()
	command, err := exec.LookPath("bsp2gltf")
	if err != nil {
		t.Fatal(err)
	}
	return command
}

// repeat puts n copies of the first record of a lump at the end of a file, whose directory has an entry of a width for
// each lump behind a header of 8 bytes. change numbers them.
func repeat(file []byte, entry, lump, size, n int, change func(record []byte, i int)) []byte {
	at := int(binary.LittleEndian.Uint32(file[8+entry*lump:]))
	first := slices.Clone(file[at : at+size])
	for len(file)%4 != 0 {
		file = append(file, 0)
	}
	binary.LittleEndian.PutUint32(file[8+entry*lump:], uint32(len(file)))
	binary.LittleEndian.PutUint32(file[8+entry*lump+4:], uint32(n*size))
	for i := range n {
		record := slices.Clone(first)
		if change != nil {
			change(record, i)
		}
		file = append(file, record...)
	}
	return file
}

// sharedPatches are 12,500 patches of 3 x 3 control points, the same for all, that are so large that they are cut into 65 x 65.
func sharedPatches() []byte {
	const n, side = 12500, 3
	var points []ibsp.Vertex
	for y := range side {
		for x := range side {
			points = append(points, ibsp.Vertex{XYZ: [3]float32{float32(20000 * x), float32(20000 * y),
				float32(40000 * (x % 2) * (y % 2))}})
		}
	}
	s := ibsp.NewPatch(0, side, side, points)
	m := &ibsp.Map{Entities: []ibsp.Entity{{{"classname", "worldspawn"}}}, Shaders: []ibsp.Shader{{Name: "textures/a"}},
		Models: []ibsp.Model{{Surfaces: []ibsp.Surface{s}}}}
	file := repeat(m.Write(ibsp.Quake3), 8, ibsp.LumpSurfaces, 104, n, nil)
	models := int(binary.LittleEndian.Uint32(file[8+8*ibsp.LumpModels:]))
	binary.LittleEndian.PutUint32(file[models+28:], n)
	return file
}

// square returns a face of a texture that is 64 units wide.
func square(m *vbsp.Map) int {
	return m.Polygon(m.Project(vbsp.Material{Name: "a", Width: 64, Height: 64}, [3]float32{0, 0, 1}),
		[][3]float32{{0, 0, 0}, {0, 64, 0}, {64, 64, 0}, {64, 0, 0}}...)
}

// sharedDisplacements are 30,000 displacements of 17 x 17 points, the same for all.
func sharedDisplacements() []byte {
	const n = 30000
	m := &vbsp.Map{Entities: []vbsp.Entity{{{"classname", "worldspawn"}}}}
	m.Displace(square(m), 0, 4, func(int, int) ([3]float32, float32) { return [3]float32{0, 0, 8}, 0 })
	file := repeat(m.Write(vbsp.Source2007), 16, 7, 56, n, func(face []byte, i int) { binary.LittleEndian.PutUint16(face[12:], uint16(i)) })
	file = repeat(file, 16, 26, 176, n, func(disp []byte, i int) { binary.LittleEndian.PutUint16(disp[36:], uint16(i)) })
	models := int(binary.LittleEndian.Uint32(file[8+16*14:]))
	binary.LittleEndian.PutUint32(file[models+44:], n)
	return file
}

// manyEntities returns a map with n entities of a class with keys and values, each at a place of its own.
func manyEntities(n int, class string, keys ...string) []byte {
	m := &vbsp.Map{Entities: []vbsp.Entity{{{"classname", "worldspawn"}},
		{{"classname", "keyframe_rope"}, {"targetname", "end"}, {"origin", "0 0 4000"}}}}
	square(m)
	for i := range n {
		e := vbsp.Entity{{"classname", class}, {"origin", strconv.Itoa(i%200) + " " + strconv.Itoa(i/200) + " 9"}}
		for k := 0; k < len(keys); k += 2 {
			e = append(e, [2]string{keys[k], keys[k+1]})
		}
		m.Entities = append(m.Entities, e)
	}
	return m.Write(vbsp.Source2007)
}

// looksOfOneModel returns a brush model of 2000 faces that 10,000 entities show, each in a colour of its own.
func looksOfOneModel() []byte {
	m := &vbsp.Map{Entities: []vbsp.Entity{{{"classname", "worldspawn"}}}}
	square(m)
	m.StartModel()
	for range 2000 {
		square(m)
	}
	for i := range 10000 {
		m.Entities = append(m.Entities, vbsp.Entity{{"classname", "func_brush"}, {"model", "*1"},
			{"rendercolor", fmt.Sprintf("%d %d 9", i%250, i/250)}})
	}
	return m.Write(vbsp.Source2007)
}

// lampsAndProps are 10,000 tables among 10,000 lamps that all reach all of them.
func lampsAndProps() []byte {
	m := &vbsp.Map{Entities: []vbsp.Entity{{{"classname", "worldspawn"}}}}
	square(m)
	m.Rooms = []vbsp.Room{{Mins: [3]float32{-1024, -1024, -1024}, Maxs: [3]float32{1024, 1024, 1024}}}
	m.Probes = []vbsp.Probe{{At: [3]float32{0, 0, 64}}} // lamps light only props that probes light
	for side := range m.Probes[0].Cube {
		m.Probes[0].Cube[side] = vbsp.EncodeCube([3]float64{0.25, 0.25, 0.25})
	}
	m.StaticProps = &vbsp.StaticProps{Version: 6, Size: 64, Models: []string{"models/ours/table.mdl"}, Leaves: []uint16{0}}
	for i := range 10000 {
		at := [3]float32{float32(i % 100), float32(i / 100), 9}
		m.StaticProps.Props = append(m.StaticProps.Props, vbsp.StaticProp{Origin: at, NumLeaves: 1})
		m.WorldLights = append(m.WorldLights, vbsp.WorldLight{Origin: at, Intensity: [3]float32{1e6, 1e6, 1e6}, Type: vbsp.Point,
			Constant: 1})
	}
	return m.Write(vbsp.Source2007)
}

// manyOverlays are 15,000 overlays, each over 64 faces that all lie in one place.
func manyOverlays() []byte {
	m := &vbsp.Map{Entities: []vbsp.Entity{{{"classname", "worldspawn"}}}}
	var faces []int32
	for range 64 {
		faces = append(faces, int32(square(m)))
	}
	info := m.Align(vbsp.Material{Name: "o", Width: 64, Height: 64}, [3]float32{}, [3]float32{})
	for i := range 15000 {
		m.Overlays = append(m.Overlays, vbsp.Overlay{
			ID: int32(i), TexInfo: int16(info), Faces: faces, U: [2]float32{0, 1}, V: [2]float32{0, 1},
			Corners: [4][2]float32{{-31, -31}, {-31, 31}, {31, 31}, {31, -31}}, Origin: [3]float32{32, 32, 0}, Normal: [3]float32{0, 0, 1},
			Basis: [3]float32{1, 0, 0},
		})
	}
	return m.Write(vbsp.Source2007)
}

// manyKeys are n entities with as many keys each. The text is written as it is, which takes less memory than entities: what this
// process has when it starts the command counts as the command's.
func manyKeys(n, keys int) []byte {
	m := &vbsp.Map{Entities: []vbsp.Entity{{{"classname", "worldspawn"}}}}
	square(m)
	file := m.Write(vbsp.Source2007)
	at := len(file)
	file = slices.Grow(file, 32+n*(32+keys*18))
	file = append(file, "{\n\"classname\" \"worldspawn\"\n}\n"...)
	for i := range n {
		file = append(file, "{\n\"classname\" \"info_target\"\n"...)
		for k := range keys {
			file = strconv.AppendInt(append(file, "\"key"...), int64(k), 10)
			file = append(strconv.AppendInt(append(file, "\" \""...), int64(i), 10), "\"\n"...)
		}
		file = append(file, "}\n"...)
	}
	file = append(file, 0)
	binary.LittleEndian.PutUint32(file[8:], uint32(at))
	binary.LittleEndian.PutUint32(file[12:], uint32(len(file)-at))
	return file
}

// sharedLight are 12,500 squares that share their corners and a lightmap page of 128 x 128.
func sharedLight() []byte {
	const n = 12500
	var corners []ibsp.Vertex
	for _, p := range [][2]float32{{0, 0}, {0, 1}, {1, 1}, {1, 0}} {
		v := ibsp.Vertex{XYZ: [3]float32{4096 * p[0], 4096 * p[1], 0}, Normal: [3]float32{0, 0, 1}, ST: p}
		v.Light[0] = p
		corners = append(corners, v)
	}
	s := ibsp.NewPolygon(0, corners)
	s.Page[0], s.LightW, s.LightH = 0, 128, 128
	light := make([]byte, 128*128*3)
	for i := range light {
		light[i] = byte(i * i)
	}
	m := &ibsp.Map{Entities: []ibsp.Entity{{{"classname", "worldspawn"}}}, Shaders: []ibsp.Shader{{Name: "textures/a"}},
		Models: []ibsp.Model{{Surfaces: []ibsp.Surface{s}}}, Pages: [][]byte{light}}
	file := repeat(m.Write(ibsp.Quake3), 8, ibsp.LumpSurfaces, 104, n, nil)
	models := int(binary.LittleEndian.Uint32(file[8+8*ibsp.LumpModels:]))
	binary.LittleEndian.PutUint32(file[models+28:], n)
	return file
}
