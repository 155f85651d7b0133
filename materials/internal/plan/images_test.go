package plan

import (
	"slices"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// planOf returns a plan of a world without files.
func planOf(w *world.World) *Plan {
	pl := New(lookup.New(fstest.MapFS{}, limit.NewBudget(limit.Limits{})), FactsOf(w, false), len(w.Materials))
	for i := range w.Materials {
		pl.StartMaterial(i, &w.Materials[i])
	}
	return pl
}

// three returns a plan of three materials.
func three() *Plan {
	return planOf(&world.World{Materials: []world.Material{{Name: "a"}, {Name: "b"}, {Name: "c"}}})
}

func names(pl *Plan) (list []string) {
	for i := range pl.Images {
		list = append(list, pl.Images[i].Name)
	}
	return list
}

func TestEqualRequestsShareAJob(t *testing.T) {
	pl := three()
	pl.UseTexture("materials/t.vtf", images.Form{}, User{To: Alone(0)})
	pl.UseTexture("materials/t.vtf", images.Form{Frame: 1, Pixels: paint.Added}, User{To: Alone(0), Role: AsGlow})
	pl.UseTexture("materials/t.vtf", images.Form{}, User{To: Alone(1), Role: AsTexture})
	pl.UseTexture("p.png", images.Form{}, User{To: Alone(1), Role: AsNormal})
	pl.UseFile("p.png", User{To: Alone(2), Role: AsShining})
	if got, want := names(pl), []string{"t", "t_frame1_add", "p"}; !slices.Equal(got, want) {
		t.Fatalf("%q, want %q", got, want)
	}
	tasks := pl.Tasks()
	if len(pl.Images[0].Users) != 2 || tasks[0].Numbers || tasks[1].Numbers || !tasks[2].Numbers || !tasks[2].Glow || tasks[0].Glow ||
		tasks[2].Apart {
		t.Errorf("%+v", tasks)
	}
	pl.UseFile("q.png", User{To: Alone(2), Role: AsShining})
	if tasks := pl.Tasks(); !tasks[3].Apart {
		t.Errorf("%+v", tasks[3])
	}
}

// The texture's alpha is shown by a, ignored by b, which is opaque, and must not show in c, which is blended by something else.
func TestAnImageWithAndWithoutAlphaIsTwoTasks(t *testing.T) {
	for _, c := range []struct {
		name  string
		users []User
		want  map[string]images.Alpha // by image
		image [3]string               // by material
	}{
		{"shown alone", []User{{To: Alone(0), Alpha: true}}, map[string]images.Alpha{"t": images.Shown}, [3]string{"t"}},
		{"ignored alone", []User{{To: Alone(1)}}, map[string]images.Alpha{"t": images.Ignored}, [3]string{"", "t"}},
		{"removed alone", []User{{To: Alone(2)}}, map[string]images.Alpha{"t": images.Removed}, [3]string{"", "", "t"}},
		{"shown and ignored", []User{{To: Alone(0), Alpha: true}, {To: Alone(1)}}, map[string]images.Alpha{"t": images.Shown},
			[3]string{"t", "t"}},
		{"ignored and removed", []User{{To: Alone(1)}, {To: Alone(2)}}, map[string]images.Alpha{"t": images.Removed},
			[3]string{"", "t", "t"}},
		{"all", []User{{To: Alone(2)}, {To: Alone(0), Alpha: true}, {To: Alone(1)}},
			map[string]images.Alpha{"t": images.Shown, "t_opaque": images.Removed}, [3]string{"t", "t", "t_opaque"}},
		{"an emission has no alpha", []User{{To: Alone(0), Alpha: true}, {To: Alone(2), Role: AsGlow}},
			map[string]images.Alpha{"t": images.Shown}, [3]string{"t", "", "t"}},
		{"a frame has", []User{{To: Alone(0), Alpha: true}, {To: Alone(2), Role: AsFrame}},
			map[string]images.Alpha{"t": images.Shown, "t_opaque": images.Removed}, [3]string{"t", "", "t_opaque"}},
	} {
		pl := three()
		pl.Materials[0].Alpha, pl.Materials[2].Alpha = pbr.Blend, pbr.Blend
		for _, u := range c.users {
			pl.UseTexture("t.vtf", images.Form{}, u)
		}
		tasks := pl.Tasks()
		var image [3]string
		for i, task := range tasks {
			if a, ok := c.want[task.Name]; !ok || a != task.Alpha {
				t.Errorf("%s: task %s has alpha %d, want %d", c.name, task.Name, task.Alpha, a)
			}
			for _, u := range pl.Images[i].Users {
				image[u.To.Material] = task.Name
			}
		}
		if len(tasks) != len(c.want) || image != c.image {
			t.Errorf("%s: %d tasks, %q", c.name, len(tasks), image)
		}
	}
}

func TestRepaintTakesTheBase(t *testing.T) {
	pl := three()
	f := images.Form{Frame: 2}
	pl.UseTexture("t.vtf", f, User{To: Alone(0), Role: AsTexture})
	pl.UseTexture("t.vtf", f, User{To: Alone(1), Role: AsTexture})
	pl.Use(images.Combined{Recipe: &paint.Recipe{}}, "c_combined", User{To: Alone(2), Role: AsPicture})
	p := images.Overpaint{Over: "d.vtf", Mix: paint.Mix{Mode: paint.Covered}}
	if !pl.Repaint(Alone(0), p, "_masked", true) || pl.Repaint(Alone(2), p, "_masked", false) ||
		pl.Repaint(Target{Material: 1, Layer: 0}, p, "", false) {
		t.Error("what was repainted, or was not")
	}
	want := p
	want.Base, want.Form = "t.vtf", f
	last := pl.Images[len(pl.Images)-1]
	if last.Work != images.Work(want) || last.Name != "t_frame2_masked" ||
		last.Users[0] != (User{To: Alone(0), Role: AsMasked, Alpha: true}) || len(pl.Images[0].Users) != 1 {
		t.Errorf("%+v, the first has %d users", last, len(pl.Images[0].Users))
	}
}

func TestWithdrawnImagesAreNotMade(t *testing.T) {
	pl := three()
	pl.UseFile("a.png", User{To: Alone(0)})
	pl.UseFile("b.png", User{To: Alone(0)})
	pl.UseFile("b.png", User{To: Alone(1)})
	pl.UseFile("l.png", User{To: Target{Material: 0, Layer: 0}})
	pl.Withdraw(map[Target]bool{Alone(0): true})
	if got := names(pl); !slices.Equal(got, []string{"b", "l"}) || len(pl.Images[0].Users) != 1 {
		t.Errorf("%q, %+v", got, pl.Images)
	}
}
