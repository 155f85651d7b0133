package models

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/keyvalues"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/phy"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Physics reads the collision models (.phy files) of the Source props that are solid by them, and sets the props'
// ConvexParts. For a model with joints the parts are placed by the bones of the prop's pose. A missing file is no
// issue: in the game such a prop has no collision. It fails if a limit is exceeded or ctx ends.
func Physics(ctx context.Context, files fs.FS, w *world.World) error {
	l := &library{ctx: ctx, files: files, budget: limit.From(ctx)}
	var names []string
	users := map[string][]int{} // props by file
	for i := range w.Props {
		p := &w.Props[i]
		name := clean(p.Model)
		if path.Ext(name) != ".mdl" || p.Level > 0 || !solid(p, entityOf(w, p)) {
			continue
		}
		name = strings.TrimSuffix(name, ".mdl") + ".phy"
		if users[name] == nil {
			names = append(names, name)
		}
		users[name] = append(users[name], i)
	}
	type read struct {
		solids []phy.Solid
		err    error
	}
	list, err := par.Map(ctx, len(names), func(i int) (r read, err error) {
		data, err := l.file(names[i])
		if err == nil {
			r.solids, r.err = phy.Decode(data, l.budget)
			err = r.err
		}
		if limit.Fatal(err) {
			return r, err
		}
		return r, ctx.Err()
	})
	if err != nil {
		return err
	}
	for i, r := range list {
		of := users[names[i]]
		if r.err != nil {
			report(w, "model-physics", &w.Props[of[0]], "%s: %v", names[i], r.err)
			continue
		}
		if len(r.solids) > 1 {
			if err := l.setConvexParts(w, of, r.solids); err != nil {
				return err
			}
			continue
		}
		for _, solid := range r.solids {
			for _, k := range of {
				w.Props[k].ConvexParts = solid.Parts
			}
		}
	}
	return nil
}

// solidClasses are the prefixes of the classes whose props collide by their physics (Source SDK 2013, props.cpp).
var solidClasses = []string{"prop_physics", "prop_dynamic", "prop_door_rotating"}

// byPhysics is SOLID_VPHYSICS, a value of Prop.Solid.
const byPhysics = 6

// solid reports whether a prop collides by its physics.
func solid(p *world.Prop, e *world.Entity) bool {
	if p.InSkybox {
		return false // a miniature, which nothing touches
	}
	if p.Kind != world.EntityProp {
		return p.Kind == world.StaticProp && p.Stored.Solid == byPhysics
	}
	for _, class := range solidClasses {
		if strings.HasPrefix(strings.ToLower(e.Class()), class) {
			return strings.TrimSpace(e.Value("solid")) != "0" && !strings.HasPrefix(strings.ToLower(e.Class()), "prop_dynamic_ornament")
		}
	}
	return false
}

// setConvexParts sets the ConvexParts of the props of a model with joints. prop_dynamic has a solid for each bone, or
// for those that the block bone_followers of its model's key-values lists (CDynamicProp::CreateBoneFollowers; Source
// SDK 2013, props.cpp). Other classes are ragdolls or not solid in this way: that is an issue, as is a model that
// can't be read.
func (l *library) setConvexParts(w *world.World, props []int, solids []phy.Solid) error {
	made := map[skeleton.Appearance][]world.ConvexPart{}
	for _, i := range props {
		p := &w.Props[i]
		name := clean(p.Model)
		if e := entityOf(w, p); p.Kind != world.EntityProp || !follows(e) {
			report(w, "model-physics", p, "%s: it has joints, which only prop_dynamic follows", name)
			continue
		}
		own := *l
		own.rig = skeleton.Options{Bones: true, Info: true}
		look := own.appearance(p)
		look.Moves = true
		parts, ok := made[look]
		if !ok {
			m, err := own.skeleton(name, look)
			if limit.Fatal(err) {
				return err
			}
			if err != nil {
				report(w, "model-physics", p, "%s: it has joints, and its bones can't be read: %v", name, err)
			} else if parts, err = solidsOnBones(solids, m, l.budget); err != nil {
				return err
			}
			made[look] = parts
		}
		p.ConvexParts = parts
	}
	return nil
}

// follows reports whether an entity's solids follow its bones.
func follows(e *world.Entity) bool {
	off := strings.TrimSpace(e.Value("DisableBoneFollowers"))
	return strings.HasPrefix(strings.ToLower(e.Class()), "prop_dynamic") && (off == "" || off == "0")
}

// skeleton reads a model with its bones, posed as in an appearance.
func (l *library) skeleton(name string, look skeleton.Appearance) (*world.Model, error) {
	data, err := l.file(name)
	if err != nil {
		return nil, err
	}
	s := &source{name: name, appearances: []skeleton.Appearance{look}, order: map[skeleton.Appearance]int{look: 0}}
	if err := formatOf(path.Ext(name), data).read(l, s, data); err != nil {
		return nil, err
	}
	return s.models[0].model, nil
}

// solidsOnBones returns the convex parts of solids, placed by the bones of a model's pose.
func solidsOnBones(solids []phy.Solid, m *world.Model, b *limit.Budget) (out []world.ConvexPart, err error) {
	if m == nil || m.Skeleton == nil {
		return nil, nil
	}
	wanted := followers(m.Info)
	stands := skeleton.WorldMatrices(m.Skeleton)
	for _, s := range solids {
		is := func(name string) bool { return strings.EqualFold(name, s.Bone) }
		bone := slices.IndexFunc(m.Skeleton.Bones, func(b world.Bone) bool { return is(b.Name) })
		if bone < 0 || len(wanted) > 0 && !slices.ContainsFunc(wanted, is) {
			continue
		}
		for _, p := range s.Parts {
			at, err := limit.Make[[3]float32](b, len(p.Positions), "convex parts")
			if err != nil {
				return nil, err
			}
			for k, v := range p.Positions {
				q := stands[bone].Point(v)
				at[k] = space.Vector32(q)
			}
			out = append(out, world.ConvexPart{Positions: at, Indices: p.Indices})
		}
	}
	return out, nil
}

// followers returns the names of the bones that a model's key-values list as followers, if any: mdlkeyvalue {
// bone_followers { ... } }.
func followers(t *world.ModelInfo) (out []string) {
	if t == nil {
		return nil
	}
	pairs, _, err := keyvalues.Parse("", []byte(t.KeyValues), nil, nil)
	if err != nil || len(pairs) == 0 {
		return nil
	}
	if list := keyvalues.Find(pairs[0].Pairs, "bone_followers"); list != nil {
		for _, bone := range list.Pairs {
			out = append(out, bone.Value)
		}
	}
	return out
}
