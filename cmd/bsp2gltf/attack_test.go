//go:build linux

package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
)

// attacks are small maps that ask for much memory.
var attacks = []struct {
	name  string
	build func() []byte
}{
	{"patches that share their control points", sharedPatches},
	{"ropes", func() []byte {
		return manyEntities(20000, "move_rope", "NextKey", "end", "Subdiv", "8", "Slack", "1000")
	}},
	{"displacements that share their points", sharedDisplacements},
	{"sprites", func() []byte { return manyEntities(60000, "env_sprite", "model", "sprites/a.vmt", "spawnflags", "1") }},
	{"props", func() []byte { return manyEntities(60000, "prop_dynamic", "model", "models/a.mdl") }},
	{"lamps", func() []byte { return manyEntities(60000, "light", "_light", "255 255 255 200") }},
	{"looks of one model", looksOfOneModel},
}

// What a map asks for is within MaxMemory; what the process takes beyond that, for garbage, code and stacks, is at most
// 256 MiB.
func TestMaxMemoryBoundsTheProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("a minute of attacks")
	}
	const most = 256 << 20
	dir := t.TempDir()
	command := commandIn(t, dir)
	for i, attack := range attacks {
		in := filepath.Join(dir, fmt.Sprintf("attack%d.bsp", i))
		if err := os.WriteFile(in, attack.build(), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(command, "--limit", fmt.Sprintf("MaxMemory=%d", most), "--timeout", "5m", in, filepath.Join(dir, "out.glb"))
		var out strings.Builder
		cmd.Stderr = &out
		err := cmd.Run()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		peak := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
		if code := cmd.ProcessState.ExitCode(); code != 0 && code != exitCode(limit.ErrLimit) {
			t.Errorf("%s: exit code %d: %s", attack.name, code, out.String())
		}
		t.Logf("%s: %d MiB, %v, %.200s", attack.name, peak>>20, cmd.ProcessState.UserTime(), out.String())
		if peak > most+256<<20 {
			t.Errorf("%s: the process took %d MiB", attack.name, peak>>20)
		}
	}
}

// commandIn is this program under the name of the command, in a folder.
func commandIn(t *testing.T, dir string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := filepath.Join(dir, "bsp2gltf")
	if err := os.Symlink(self, command); err != nil {
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
			points = append(points, ibsp.Vertex{XYZ: [3]float32{float32(20000 * x), float32(20000 * y), float32(40000 * (x % 2) * (y % 2))}})
		}
	}
	s := ibsp.NewPatch(0, side, side, points)
	m := &ibsp.Map{Entities: []ibsp.Entity{{{"classname", "worldspawn"}}}, Shaders: []ibsp.Shader{{Name: "textures/a"}}, Models: []ibsp.Model{{Surfaces: []ibsp.Surface{s}}}}
	file := repeat(m.Write(ibsp.Quake3), 8, ibsp.LumpSurfaces, 104, n, nil)
	models := int(binary.LittleEndian.Uint32(file[8+8*ibsp.LumpModels:]))
	binary.LittleEndian.PutUint32(file[models+28:], n)
	return file
}

// square is a face of a texture that is 64 units wide.
func square(m *vbsp.Map) int {
	return m.Polygon(m.Project(vbsp.Material{Name: "a", Width: 64, Height: 64}, [3]float32{0, 0, 1}), [][3]float32{{0, 0, 0}, {0, 64, 0}, {64, 64, 0}, {64, 0, 0}}...)
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

// manyEntities is a map with n entities of a class with keys and values, each at a place of its own.
func manyEntities(n int, class string, keys ...string) []byte {
	m := &vbsp.Map{Entities: []vbsp.Entity{{{"classname", "worldspawn"}}, {{"classname", "keyframe_rope"}, {"targetname", "end"}, {"origin", "0 0 4000"}}}}
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

// looksOfOneModel is a brush model of 2000 faces that 10,000 entities show, each in a colour of its own.
func looksOfOneModel() []byte {
	m := &vbsp.Map{Entities: []vbsp.Entity{{{"classname", "worldspawn"}}}}
	square(m)
	m.StartModel()
	for range 2000 {
		square(m)
	}
	for i := range 10000 {
		m.Entities = append(m.Entities, vbsp.Entity{{"classname", "func_brush"}, {"model", "*1"}, {"rendercolor", fmt.Sprintf("%d %d 9", i%250, i/250)}})
	}
	return m.Write(vbsp.Source2007)
}
