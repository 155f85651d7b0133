package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
)

// variant is a branch of the format: how it is recognised, and how it differs from the plain one.
type variant struct {
	version uint32
	game    string
	many    bool    // the game is one of several, which the map's contents may distinguish
	order   *order  // order of the directory's entries; nil is offsets first
	layouts layouts // layouts of its records
	// mark reports whether the map has a feature that only this variant has, described by why. The variant requires it; nil
	// for no requirement.
	mark func(*file) bool
	why  string

	entities int              // a second lump of entity text, or 0
	escapes  entlump.Escapes  // of its entity text
	blends   int              // lump of blend weights for all points of displacements, or 0
	pages    bool             // light is in pages of palette indices
	forms    []valve.PropForm // layouts of static props; nil for the common ones
}

// layouts lists the layouts of records by lump. The layout that fits the map is used; if several fit equally, the
// one with the directory's version, else the first.
type layouts struct {
	faces         []record.Layout[face]
	texinfos      []record.Layout[texinfo]
	models        []record.Layout[valve.Model]
	edges         []record.Layout[record.Edge]
	nodes         []record.Layout[node]
	leafs         []record.Layout[leaf]
	leafFaces     []record.Layout[int]
	leafBrushes   []record.Layout[int]
	sides         []record.Layout[brushSide]
	disps         []record.Layout[dispinfo]
	normalIndices []record.Layout[int]
	primitives    []record.Layout[primitive]
	primIndices   []record.Layout[int]
	waters        []record.Layout[waterBody]
	overlays      []record.Layout[overlay]
	waterOverlays []record.Layout[overlay]
	longOverlays  bool // those of version 3 share a list of faces
	ambient       []record.Layout[ambientIndex]
	lamps         []record.Layout[valve.Lamp]
	gameEntries   []record.Layout[valve.GameEntry]
}

// plain holds the layouts of Source SDK 2013. Neither the version of the map nor of the lump determines the layout of
// lamps.
var plain = layouts{
	faces: []record.Layout[face]{faceV1}, texinfos: []record.Layout[texinfo]{texinfoV1}, models: []record.Layout[valve.Model]{modelV1},
	edges: []record.Layout[record.Edge]{record.EdgeV1},
	nodes: []record.Layout[node]{nodeV1}, leafs: []record.Layout[leaf]{leafV1}, leafFaces: []record.Layout[int]{indexV1},
	leafBrushes: []record.Layout[int]{indexV1},
	sides:       []record.Layout[brushSide]{brushSideV1}, disps: []record.Layout[dispinfo]{dispinfoV1},
	normalIndices: []record.Layout[int]{indexV1},
	primitives:    []record.Layout[primitive]{primitiveV1}, primIndices: []record.Layout[int]{indexV1},
	waters:   []record.Layout[waterBody]{waterBodyV1},
	overlays: []record.Layout[overlay]{overlayV1}, waterOverlays: []record.Layout[overlay]{waterOverlayV1},
	ambient: []record.Layout[ambientIndex]{ambientIndexV1},
	lamps:   []record.Layout[valve.Lamp]{valve.LampV1, valve.LampV0}, gameEntries: []record.Layout[valve.GameEntry]{valve.GameEntryV1},
}

// with returns a changed copy of the layouts.
func (l layouts) with(change func(*layouts)) layouts {
	change(&l)
	return l
}

// old holds the layouts of version 19, whose leafs may contain their light.
var old = plain.with(func(l *layouts) { l.leafs = []record.Layout[leaf]{leafV0, leafV1} })

// before holds the layouts of versions 17 and 18. According to the format documents their leafs have no light; both
// forms are read.
var before = plain.with(func(l *layouts) { l.leafs = []record.Layout[leaf]{leafBeta, leafV0} })

// vindictus has 32-bit numbers nearly everywhere.
func vindictus() layouts {
	return plain.with(func(l *layouts) {
		l.faces, l.edges, l.nodes, l.leafs = facesVindictus, []record.Layout[record.Edge]{record.EdgeWide}, []record.Layout[node]{nodeWide},
			[]record.Layout[leaf]{leafVindictus}
		l.leafFaces, l.leafBrushes = []record.Layout[int]{indexWide}, []record.Layout[int]{indexWide}
		l.sides = []record.Layout[brushSide]{brushSideWide}
		l.disps, l.overlays, l.gameEntries = []record.Layout[dispinfo]{dispinfoVindictus}, []record.Layout[overlay]{overlayVindictus},
			[]record.Layout[valve.GameEntry]{gameEntryVindictus}
	})
}

// strata has new versions of many lumps; its first maps have plain versions of some.
func strata() layouts {
	return layouts{
		faces: []record.Layout[face]{faceStrata, faceV1}, texinfos: plain.texinfos, models: plain.models,
		edges: []record.Layout[record.Edge]{record.EdgeWide, record.EdgeV1},
		nodes: []record.Layout[node]{nodeWide, nodeV1}, leafs: []record.Layout[leaf]{leafStrata, leafV1},
		leafFaces:   []record.Layout[int]{indexWide, indexV1},
		leafBrushes: []record.Layout[int]{indexWide, indexV1}, sides: []record.Layout[brushSide]{brushSideWide, brushSideV1},
		disps: []record.Layout[dispinfo]{dispinfoStrata, dispinfoV1}, normalIndices: []record.Layout[int]{indexWide, indexV1},
		primitives: []record.Layout[primitive]{primitiveStrata, primitiveV1}, primIndices: []record.Layout[int]{indexWide, indexV1},
		waters:        []record.Layout[waterBody]{waterBodyWide, waterBodyV1},
		overlays:      []record.Layout[overlay]{overlayV1, overlayStrata1, overlayStrata2},
		waterOverlays: []record.Layout[overlay]{waterOverlayStrata, waterOverlayV1}, longOverlays: true,
		ambient: []record.Layout[ambientIndex]{ambientIndexWide, ambientIndexV1},
		lamps:   []record.Layout[valve.Lamp]{valve.LampV1, valve.LampV0, valve.LampV2}, gameEntries: plain.gameEntries,
	}
}

// dota returns the layouts of Dota 2's betas, with the given displacements.
func dota(d record.Layout[dispinfo]) layouts {
	return plain.with(func(l *layouts) {
		l.disps, l.overlays = []record.Layout[dispinfo]{d, dispinfoV1}, []record.Layout[overlay]{overlayDota, overlayV1}
	})
}

// messiah is the version of Dark Messiah: 20, and 4 in the upper half.
const messiah = 4<<16 | 20

// The games of maps that are known only by version.
const (
	games19 = "Half-Life 2 or Counter-Strike: Source, as released"
	games20 = "Half-Life 2, its episodes, Counter-Strike: Source, Team Fortress 2, Portal, Left 4 Dead or Garry's Mod"
	games21 = "Portal 2, Counter-Strike: Global Offensive or Alien Swarm"
)

// variants lists all variants. If several of a version fit a map equally, the first is chosen; a mark counts like a lump that fits.
func variants() []variant {
	return []variant{
		{version: 17, game: "Half-Life 2's beta", escapes: entlump.QuoteEscapes, layouts: before.with(func(l *layouts) {
			l.faces, l.disps = []record.Layout[face]{faceBeta17}, []record.Layout[dispinfo]{dispinfoBeta, dispinfoV1}
		})},
		{version: 17, game: "Vampire: The Masquerade – Bloodlines", escapes: entlump.QuoteEscapes,
			layouts: before.with(func(l *layouts) { l.faces = []record.Layout[face]{faceVampire} })},
		{version: 18, game: "Half-Life 2's beta", layouts: before.with(func(l *layouts) { l.faces = []record.Layout[face]{faceBeta18} })},
		{version: 18, game: "Half-Life: Source", layouts: before},
		{version: 19, many: true, game: games19, layouts: old},
		{version: 19, game: "Half-Life 2 for Xbox", layouts: old, mark: (*file).hasPages, why: "has its light in pages of palette indices",
			pages: true},
		{version: 20, many: true, game: games20, layouts: plain},
		{version: 20, game: "Vindictus", layouts: vindictus(), forms: valve.VindictusForms},
		{version: 20, game: "Vindictus", layouts: vindictus().with(func(l *layouts) { l.faces = facesVindictusLong }),
			forms: valve.VindictusForms},
		{version: 20, game: "Black Mesa", layouts: plain, blends: lumpOverlayLevels, mark: (*file).hasMesaBlends,
			why: "has weights for each point of its displacements in lump 61"},
		{version: messiah, game: "Dark Messiah of Might and Magic", layouts: plain.with(func(l *layouts) {
			l.leafs = []record.Layout[leaf]{leafV1, leafV0}
			l.lamps = []record.Layout[valve.Lamp]{valve.LampMessiah, valve.LampV1, valve.LampV0}
			l.gameEntries = []record.Layout[valve.GameEntry]{valve.GameEntryV1, gameEntryMessiah}
		})},
		{version: messiah, game: "Dark Messiah of Might and Magic, single player", layouts: plain.with(func(l *layouts) {
			l.texinfos, l.models, l.leafs = []record.Layout[texinfo]{texinfoMessiah}, []record.Layout[valve.Model]{modelMessiah},
				[]record.Layout[leaf]{leafV1, leafV0}
			l.gameEntries, l.lamps = []record.Layout[valve.GameEntry]{gameEntryMessiah, valve.GameEntryV1},
				[]record.Layout[valve.Lamp]{valve.LampV1, valve.LampV0, valve.LampMessiah}
		})},
		{version: 21, many: true, game: games21, layouts: plain},
		{version: 21, game: "Left 4 Dead 2", order: versionsFirst, layouts: plain},
		{version: 22, game: "Jabroni Brawl: Episode 3, INFRA, Tactical Intervention or Dota 2's beta", layouts: plain},
		{version: 22, game: "INFRA", layouts: plain.with(func(l *layouts) { l.primitives = []record.Layout[primitive]{primitiveInfra} })},
		{version: 22, game: "Dota 2's beta", layouts: dota(dispinfoDota22)},
		{version: 22, game: tacticalIntervention, layouts: plain, entities: 24, mark: (*file).hasMoreEntities,
			why: "has entities in lump 24, too"},
		{version: 23, game: "Dota 2's beta", layouts: dota(dispinfoDota23)},
		{version: 25, game: "Strata Source: Momentum Mod, Portal: Revolution or Portal 2: Community Edition", layouts: strata()},
		{version: 27, game: "Contagion", order: versionsFirst, layouts: plain},
		{version: 27, game: "Contagion", layouts: plain},
		{version: 42, game: "Desolation", layouts: plain},
	}
}

// refused lists known but unsupported versions.
var refused = []struct {
	version uint32
	game    string
}{
	{100, "Counter-Strike Online 2"},
}

// candidates returns the variants of the map's version, and fails if there is none.
func (m *file) candidates() ([]*variant, error) {
	var list []*variant
	all := variants()
	for i := range all {
		if all[i].version == uint32(m.version) {
			list = append(list, &all[i])
		}
	}
	if len(list) > 0 {
		return list, nil
	}
	what := "a Source engine map"
	for _, r := range refused {
		if r.version == uint32(m.version) {
			what = "a map of " + r.game
		}
	}
	if m.big {
		what += " for a big-endian console"
	}
	return nil, fmt.Errorf("this is %s, %s version %s: %w", what, m.ident(), decoding.VersionText(m.version), errors.ErrUnsupported)
}

// fittedVariant is a map's variant, with its lumps in the layouts that fit.
type fittedVariant struct {
	variant *variant
	lists   lists
	told    string // how the variant was recognised
}

// chooseVariant returns the variant whose layouts fit the map's lumps best. If several fit equally, it returns the
// first, or the one that the options name. It leaves out the lump patches that don't fit.
func (m *file) chooseVariant(ctx context.Context) (*fittedVariant, error) {
	best, named := m.bestVariant(ctx)
	for ctx.Err() == nil {
		again, err := leaveOutUnfit(m, &best.lists)
		if err != nil {
			return nil, err
		}
		if !again {
			break
		}
		best, named = m.bestVariant(ctx)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, p := range m.patches {
		m.dc.Issue("lump-patch", lumpName(p.lump), "is taken from %s", p.data.Name)
	}
	if err := m.knownFaces(&best.lists); err != nil {
		return nil, err
	}
	if best.variant.why != "" {
		best.told += ", and " + best.variant.why
	}
	if odd := best.lists.odd(); odd != "" {
		best.told += ", and has " + odd
	}
	if len(named) > 1 && m.isNamed(best.variant) {
		best.told += ", which " + strings.Join(slices.Compact(named), " and ") + " fit alike: the game is the one that is named"
	}
	return &best, nil
}

// bestVariant returns the variant whose layouts fit best, and the games of all variants that fit equally well.
func (m *file) bestVariant(ctx context.Context) (best fittedVariant, named []string) {
	top := -1
	for _, v := range m.variants {
		l, score := m.try(ctx, v)
		switch {
		case score < 0 || score < top:
			continue
		case score > top:
			named = nil
		case !m.isNamed(v) || m.isNamed(best.variant):
			named = append(named, v.game)
			continue
		}
		best, top = fittedVariant{variant: v, lists: l}, score
		named = append(named, v.game)
	}
	return best, named
}

// isNamed reports whether the options name the variant's game.
func (m *file) isNamed(v *variant) bool {
	return m.o.Game != "" && strings.HasPrefix(strings.ToLower(v.game), strings.ToLower(m.o.Game))
}

// knownFaces returns an error if no layout divides the lump of faces into whole records, and the models' number of
// faces implies another record size.
func (m *file) knownFaces(l *lists) error {
	length := len(m.lumps[m.light.faces].Data)
	var sizes []string
	for _, v := range m.variants {
		for _, r := range v.layouts.faces {
			if length%r.Size == 0 {
				return nil
			}
			if s := fmt.Sprint(r.Size); !slices.Contains(sizes, s) {
				sizes = append(sizes, s)
			}
		}
	}
	n := 0
	for i := range l.models.Count() {
		r := l.models.At(i)
		n = max(n, r.FirstFace+r.Faces)
	}
	if n <= 0 || length%n != 0 || length/n < leastFace || length/n%4 != 0 {
		return nil // it is broken
	}
	return fmt.Errorf("this is a Source engine map, %s version %s, with faces of %d bytes, and not of %s: %w",
		m.ident(), decoding.VersionText(m.version), length/n, strings.Join(sizes, " or "), errors.ErrUnsupported)
}

// leastFace is the size of the smallest known face record, in Desolation's newer engine (srctools).
const leastFace = 40

// The marks of variants.

// hasPages reports whether the light is that of Half-Life 2 for Xbox (Source SDK of Episode One, utils/vrad).
func (m *file) hasPages() bool {
	pages, infos := m.entries[lumpPages].length, m.entries[lumpPageInfos].length
	return m.entries[lumpLighting].length == 0 && pages > 0 && pages%pageSize == 0 && infos%int64(pageInfoV1.Size) == 0
}

// hasMesaBlends reports whether lump 61 has weights. In other games it has the levels of overlays, which takes precedence
// if both are possible.
func (m *file) hasMesaBlends() bool {
	n := len(m.lumps[lumpOverlayLevels].Data)
	return n > 0 && n == blendSize*(len(m.lumps[lumpDispverts].Data)/20) && n != 4*(len(m.lumps[lumpOverlays].Data)/overlayV1.Size)
}

// hasMoreEntities reports whether lump 24 is entity text. It is not in other games of this version.
func (m *file) hasMoreEntities() bool {
	text := bytes.Trim(m.lumps[lumpMoreEntities].Data, "\x00 \t\r\n")
	return bytes.HasPrefix(text, []byte("{")) && bytes.HasSuffix(text, []byte("}"))
}
