package report

import "strings"

// Code describes one issue code. Codes are stable; the details of an issue are meant for people.
type Code struct {
	Name  string
	Note  bool   // the code only describes how something is shown; nothing is wrong or lost
	Means string // as in docs/reference/report.md
}

// Codes returns all codes of issues.
func Codes() (all []Code) {
	for _, row := range codes {
		for _, name := range strings.Fields(row.names) {
			all = append(all, Code{name, row.note, row.means})
		}
	}
	return all
}

// codes are all codes of issues, by what they mean.
var codes = []struct {
	names string // with blanks between
	note  bool
	means string
}{
	{"shader-approximated", true, "the material does not show everything in its script: docs/internals/materials.md"},
	{"mover-still", true, "entities that the game moves stand still: docs/internals/motion.md"},
	{"sky-second", true, "one of several skies is a node without a mesh"},
	{"sky-guessed", true, "a sky's images are missing; it is drawn in the colours of the map's light"},
	{"sky-painted", true, "a sky that the game paints is drawn from the keys of its entity"},
	{"detail-textures", true, "the fine patterns that a GoldSrc map's NAME_detail.txt lays over its textures are not shown"},
	{"sky-box", true, "the far box of a sky has no images; its clouds are shown alone"},
	{"shader-directive shader-value shader-argument shader-number shader-many shader-stage shader-brace shader-quote shader-comment shader-condition", false,
		"a mistake in a shader script; `where` is file and line"},
	{"script-unreadable", false, "a script can't be read"},
	{"image-broken", false, "an image can't be read; its materials are placeholders"},
	{"image-oversized", false, "an image exceeds the limit for one image; its materials are placeholders"},
	{"image-cut", false, "an image ends too early: the rest is empty; a VTF shows its largest complete mip"},
	{"material-broken", false, "a Valve material can't be read"},
	{"kv-brace kv-value kv-include kv-binary", false, "a mistake in a Valve material; `where` is file and line"},
	{"normal-missing glow-missing reflection-missing", false,
		"a normal map, or a mask for glow or reflections, was not found and is left out"},
	{"shader-unknown", true, "an unknown Valve shader, shown like LightmappedGeneric"},
	{"parameter-unread", true, "a parameter of a Valve material is not read"},
	{"sky-nearbox", false, "the near box of a sky is not shown"},
	{"face-material face-vertices face-indices face-empty face-number face-patch face-shape face-unused", false, "a face was left out"},
	{"face-texinfo face-edges face-primitives face-displacement face-model", false,
		"a Source face was left out"},
	{"face-degenerate", true, "triangles without area, or the whole face, were left out"},
	{"model-range model-overlap model-faces model-box", false, "a brush model's surfaces or box are wrong"},
	{"model-missing model-format model-broken skin-missing", false, "an entity's model file or skin is missing or can't be read"},
	{"model-skin model-part", false, "a prop names a skin or body part that its model lacks; the first is shown"},
	{"model-checksum", true, "a model's files are of different builds; they are read anyway"},
	{"model-animation", true,
		"a model's pose can't be read, or no sequence suits a character; another pose is shown"},
	{"model-skeleton", true, "broken bones, attachments or hit boxes are left out; vertices without a bone move with the first"},
	{"model-traits", true, "broken key-values, names of body parts or bone controllers, or variants beyond 1024, are left out"},
	{"model-flexes", true, "broken morph targets of a face, or those beyond 1024, are left out"},
	{"model-layer", true, "layers that sequences add are left out: docs/internals/models.md"},
	{"sequence-missing", false, "`model.sequences` names a sequence that the model lacks"},
	{"model-sequence", true, "sequences are left out: they only add to others, have no data, are too long, or can't be read"},
	{"character-missing", true, "a class's model, which the game's code names, is missing"},
	{"sprite-missing", false, "sprites or grass lack their image; once per material, with their number"},
	{"rope", false, "a rope has no second end"},
	{"cubemap-missing", false, "`materials.cubemaps` asks for images that are missing"},
	{"pakfile", false, "the archive in the map can't be read"},
	{"name-taken", true, "a foreign file has the name; the new file gets another"},
	{"sidecar-left-out", true, "files beside the output are not written to standard output"},
	{"prop-light", false, "the light grid, or the light stored for a prop, could not light a model: docs/internals/props.md"},
	{"prop-light-cut", true, "the light on this many props exceeded white and was scaled down"},
	{"lightmap-missing lightmap-image lightmap-size", false, "lightmap pages are missing, unreadable or cut short"},
	{"light-style", false, "light styles that were left out"},
	{"light-grid", false, "the light grid does not fit the map"},
	{"fog", false, "a fog volume has no position"},
	{"game-unused", true, "a folder or archive of `--game` has none of the needed files"},
	{"incomplete", false, "the file ends before this part of it (`--allow-incomplete`; Titanfall's files of lumps)"},
	{"lump-broken", false, "a lump that the map can do without is left out"},
	{"lump-patch", false, "a lump is from a file beside the map (`NAME_l_0.lmp`), or that file is broken"},
	{"light-stride", false, "the map's flags announce extra bytes per luxel, which its offsets contradict"},
	{"light-range", false, "a face's light lies outside the lighting lump; the face gets its mean light, or none"},
	{"light-missing", false, "the map lacks the light that `lightmap.light` chooses; the other is used"},
	{"light ambient", false, "a lamp, or samples of ambient light, were left out"},
	{"normals", false, "too few compiled normals; surfaces are shaded flat"},
	{"displacement-removed", true, "a displacement lacks triangles that its map has tagged as removed"},
	{"multiblend", false, "a displacement lacks the weights of its layers"},
	{"texdata-name", false, "a material has no name"},
	{"overlay decal", false, "an overlay or decal is left out; `detail` gives the reason"},
	{"decal-nowhere decal-limit", false, "a decal reaches no surface; decals cover too many surfaces"},
	{"skybox", false, "a sky_camera shows no 3D skybox"},
	{"prop props-layout", false, "a prop is left out, or is of an unknown layout of which only the start is read"},
	{"brush cubemap water", false, "a brush, a cubemap position or a body of water is left out"},
	{"game-unknown", false, "`game.name` names no game of the map's format"},
	{"split-cells", true, "`output.split: areas`, but the map has no areas or visibility; it is cut into cells"},
	{"collision-missing", false, "the map has no collision solids, or they can't be read (Titanfall)"},
	{"model-physics", false, "a prop's collision (`.phy`) is left out: it is broken, or its joints let the model fall"},
	{"brush-degenerate brush-planes brush-limit", false,
		"a brush's collision is empty or unbounded, has too many planes, or exceeds the limit for all brushes"},
	{"overlay-host overlay-number overlay-limit overlay-tint", false,
		"an overlay has no surface below it, has an invalid corner, exceeds the limit, or is shown without its tint"},
	{"no-faces", false, "only entities are converted"},
	{"texture-broken texture-count", false, "a texture in the map is left out; the lump is too short for its textures"},
	{"wad-missing palette-missing", false, "a texture archive that the map names, or the game's palette, is missing"},
	{"light-file light-directions light-size light-layout light-meaning", false,
		"light from a file beside the map, or its directions, is left out, or read by a guess"},
	{"bspx xash-version lump-unsupported", false, "BSPX blocks, an extra header, or a lump is not read"},
	{"lightmap", false, "pages of light styles and directions beyond `MaxAtlasPages` were left out"},
	{"truncated count bounds empty", false, "an optional lump is cut short, has a bad size or offset, or is empty"},
	{"entity-text entity-worldspawn entity-model", false, "a mistake in the entity text"},
	{"entity-effect", true, "the game draws more for this class of entities, or key of worldspawn: docs/reference/formats.md"},
	{"entity-file", false, "entities from a file beside the map are left out"},
	{"archive-unreadable folder-unreadable overlay-unreadable entry-name entry-checksum", false,
		"a folder or archive can't be read, or an entry in it is invalid"},
	{"archive-cut chunk-missing entry-cut entry-lost entry-repeated game-paths game-unreadable gameinfo", false,
		"a defect in a Source game's archives or search paths: docs/internals/game-folders.md"},
}

// notes is the set of codes whose Note is true.
var notes = func() map[string]bool {
	notes := map[string]bool{}
	for _, c := range Codes() {
		notes[c.Name] = c.Note
	}
	return notes
}()
