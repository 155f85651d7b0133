package assets

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
)

func TestFind(t *testing.T) {
	root := write(t, map[string]any{
		"q3/baseq3/maps/a.bsp": "", "q3/baseq3/pak0.pk3": []file{{"maps/b.bsp", ""}},
		"q3/missionpack/maps/c.bsp": "", "q3/missionpack/mp.pk3": []file{{"maps/d.bsp", ""}}, "q3/missionpack/x.pk3dir/maps/e.bsp": "",
		"q3/BaseOA/scripts/a.shader": "", "q3/main/readme.txt": "",
		"hl/valve/halflife.wad": "", "hl/cstrike/maps/h.bsp": "", "hl/cstrike_downloads/maps/i.bsp": "", "hl/cstrike_hd/models/a.mdl": "",
		"hl/valve_hd/maps/j.bsp": "",
		"home/f.bsp":             "", "home/g.pk3": []file{{"maps/g.bsp", ""}}, "home/z.zip": []file{{"maps/z.bsp", ""}},
	})
	for _, test := range []struct {
		path string
		want []string
	}{
		{"q3/baseq3/maps/a.bsp", []string{"q3/baseq3"}},
		{"q3/baseq3/pak0.pk3:maps/b.bsp", []string{"q3/baseq3"}},
		{"q3/missionpack/maps/c.bsp", []string{"q3/missionpack", "q3/baseq3", "q3/BaseOA"}},
		{"q3/missionpack/mp.pk3", []string{"q3/missionpack", "q3/baseq3", "q3/BaseOA"}},
		{"q3/missionpack/x.pk3dir/maps/e.bsp", []string{"q3/missionpack/x.pk3dir", "q3/missionpack", "q3/baseq3", "q3/BaseOA"}},
		{"hl/cstrike/maps/h.bsp", []string{"hl/cstrike", "hl/cstrike_downloads", "hl/cstrike_hd", "hl/valve"}},
		{"hl/cstrike_downloads/maps/i.bsp", []string{"hl/cstrike_downloads", "hl/cstrike", "hl/cstrike_hd", "hl/valve"}},
		{"hl/valve_hd/maps/j.bsp", []string{"hl/valve_hd", "hl/valve"}},
		{"home/f.bsp", []string{"home"}},
		{"home/g.pk3!maps/g.bsp", []string{"home"}},
		{"home/z.zip!maps/z.bsp", []string{"home/z.zip", "home"}},
		{"home/missing.pk3!g.bsp", []string{"home"}},
	} {
		t.Run(test.path, func(t *testing.T) {
			got := relative(t, root, Find(filepath.Join(root, test.path)))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}

	// Relative to the working directory, from inside.
	t.Chdir(filepath.Join(root, "q3", "missionpack", "maps"))
	if diff := cmp.Diff([]string{"..", filepath.Join("..", "..", "baseq3"), filepath.Join("..", "..", "BaseOA")},
		Find("c.bsp")); diff != "" {
		t.Error(diff)
	}
	t.Chdir("..")
	if diff := cmp.Diff([]string{".", filepath.Join("..", "baseq3"), filepath.Join("..", "BaseOA")},
		Find(filepath.Join("maps", "c.bsp"))); diff != "" {
		t.Error(diff)
	}
	mustOpen(t, Find(filepath.Join("maps", "c.bsp"))...)
}

func TestEveryArchiveFormatIsKnownByName(t *testing.T) {
	for _, f := range formats {
		if !inputfile.IsArchive("x" + f.ext) {
			t.Errorf("package inputfile does not know %s", f.ext)
		}
	}
	for _, ext := range []string{inputfile.Pk3, inputfile.Dpk, inputfile.Pkz, inputfile.Kpf, inputfile.Pak, inputfile.VPK,
		inputfile.GMA, inputfile.Zip, inputfile.Wad} {
		if formatOf("x"+ext) == nil {
			t.Errorf("nothing reads %s", ext)
		}
	}
}
