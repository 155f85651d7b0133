package source

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// entityParts are the files of entities beside a map, NAME_env.ent and so on, where the map does not list them.
var entityParts = []string{"env", "fx", "script", "snd", "spawn"}

// maxEntityParts is far above what a map lists.
const maxEntityParts = 32

// listedParts are the files of entities that the map lists, behind a word that is none of them: "01* env spawn".
func (d *decoder) listedParts() []string {
	words := strings.Fields(strings.TrimRight(string(d.respawn.lumps[lumpEntityParts].Data), "\x00"))
	if len(words) < 2 || !strings.HasPrefix(words[0], "01") {
		return entityParts
	}
	return words[1:min(len(words), 1+maxEntityParts)]
}

// entityFiles adds the entities of the files beside the map to those of the map.
func (d *decoder) entityFiles(context.Context) error {
	text := bytes.TrimRight(d.lumps[lumpEntities].Data, "\x00")
	seen := map[string]bool{}
	for _, part := range d.listedParts() {
		if seen[part] {
			continue
		}
		seen[part] = true
		more, found, err := d.beside("_" + part + ".ent")
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		if err := d.Borrow(int64(len(text) + len(more) + 1)); err != nil {
			return err
		}
		if head, rest, ok := bytes.Cut(more, []byte("\n")); ok && bytes.HasPrefix(head, []byte("ENTITIES")) {
			more = rest
		}
		text = slices.Concat(text, []byte("\n"), bytes.TrimRight(more, "\x00"))
	}
	d.lumps[lumpEntities].Data = text
	return nil
}

// respawnLamps lifts the lamps, and the sun where it is not one of them: then the map still says where its light goes, and
// of what colour it is the entity that it was.
func (d *decoder) respawnLamps(ctx context.Context) error {
	d.lists.lamps = choose(&trial{ctx: ctx, d: d}, d.light.lamps, d.variant.lamps, known)
	if err := d.lamps(ctx); err != nil {
		return err
	}
	normal := lift.UnitOrZero(d.respawn.level.sun)
	if normal == ([3]float32{}) || slices.ContainsFunc(d.w.Lights, func(l world.Light) bool { return l.Kind == world.SunLight }) {
		return nil
	}
	if normal[2] > 0 { // the sun is above
		normal = [3]float32{0 - normal[0], 0 - normal[1], 0 - normal[2]}
	}
	sun, entity := lamp{kind: emitSun, intensity: [3]float32{1, 1, 1}}, world.NoEntity
	for i := range d.w.Entities {
		if e := &d.w.Entities[i]; strings.EqualFold(e.Class(), "light_environment") {
			sun, entity = d.entityLamp(e)[0], i
			break
		}
	}
	sun.normal = normal
	light, ok := sun.light()
	if !ok {
		return nil
	}
	d.addLamp(light, entity)
	return d.Reserve(lampSize)
}

// respawnCubemaps lifts the places of cubemaps. The map says neither their sizes nor their files.
func (d *decoder) respawnCubemaps(context.Context) error {
	records := optionalList(d, &lift.List[[3]int32]{Row: respawnCubemapV1, Lump: d.respawn.lumps[lumpCubemaps]})
	if err := d.Reserve(int64(len(records)) * 48); err != nil {
		return err
	}
	for i, at := range records {
		c := world.Cubemap{Origin: [3]float32{float32(at[0]), float32(at[1]), float32(at[2])}}
		if !lift.Sane(c.Origin[:]...) {
			d.Issue("cubemap", fmt.Sprintf("cubemap %d", i), "it is at %d", at)
			continue
		}
		d.w.Cubemaps = append(d.w.Cubemaps, c)
	}
	return nil
}
