package valve

import (
	"maps"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// shader describes how a shader's materials differ from those of LightmappedGeneric.
type shader struct {
	unlit   bool         // light does not affect it
	second  bool         // the vertices' alpha blends in a second texture
	fourWay bool         // of second: up to four textures have their own weights
	vertex  bool         // it is for models: its reflections have no own Fresnel term
	blend   paint.Pixels // how its pixels change the background, if that is not a plain blend
	clear   bool         // its alpha makes it transparent, even if the material does not state that
	water   bool
	glass   bool   // without a texture it is nearly clear
	black   bool   // its colour is always black
	solid   bool   // it writes an alpha of 1
	plain   bool   // it takes no colour
	decal   bool   // it always lies on another surface, and applies $alpha once
	base    string // the parameter that names its texture, if that is not $basetexture
	bright  bool   // $overbrightfactor and $addself multiply its colour, and it adds by its alpha
	approx  string // the part that is not shown
	packed  bool   // $mraotexture holds its metalness, roughness and occlusion in red, green and blue
	nothing bool   // it draws nothing visible
}

// shaders are the known shaders. Source SDK 2013, materialsystem/stdshaders; the shaders of later games and of mods are
// closed, and derived from their materials and VDC's pages.
var shaders = map[string]shader{
	"lightmappedgeneric":    {},
	"lightmappedreflective": {water: true},
	// A decal's blending and alpha are those of models' shaders, its $color that of walls'.
	"lightmappedgeneric_decal": {decal: true},
	"vertexlitgeneric":         {vertex: true},
	"unlitgeneric":             {unlit: true},
	"unlittwotexture":          {unlit: true, solid: true},
	"worldvertextransition":    {second: true},
	"lightmapped_4wayblend":    {second: true, fourWay: true},
	"multiblend":               {second: true, fourWay: true},
	"worldtwotextureblend":     {plain: true},
	"water":                    {water: true},
	"refract":                  {glass: true},
	"sky":                      {unlit: true},
	"modulate":                 {unlit: true, blend: paint.Multiplied},
	"decalmodulate":            {unlit: true, blend: paint.Modulated},
	"sprite":                   {unlit: true},
	"spritecard":               {unlit: true, clear: true, plain: true, bright: true},
	"cable":                    {},
	"splinerope":               {clear: true},
	"monitorscreen":            {unlit: true},
	"eyes":                     {vertex: true, plain: true}, // its $iris is a surface of its own
	"eyerefract":               {vertex: true, base: "$iris", approx: "eye"},
	"teeth":                    {vertex: true, plain: true},
	"character":                {vertex: true},
	"customcharacter":          {vertex: true},
	"customweapon":             {vertex: true},
	"vortwarp":                 {vertex: true, approx: "vortwarp"},
	"infected":                 {vertex: true, approx: "infected"},
	"shatteredglass":           {clear: true},
	"solidenergy":              {unlit: true, blend: paint.Added},
	"paintblob":                {vertex: true},
	"wireframe":                {unlit: true, approx: "wireframe"},
	"black":                    {unlit: true, black: true},
	"windowimposter":           {approx: "windowimposter"},
	"pbr":                      {packed: true},
	"occlusion":                {nothing: true},
	"shadow":                   {nothing: true},
	"shadowbuild":              {nothing: true},
	"writez":                   {nothing: true},
}

// generic reports whether a shader follows VertexLitGeneric and UnlitGeneric, which share their code, and not LightmappedGeneric.
func (s *shader) generic() bool { return s.vertex || s.unlit }

// product reports whether a shader's pixels multiply the background.
func (s *shader) product() bool { return s.blend == paint.Modulated || s.blend == paint.Multiplied }

// shaderOf returns the properties of a shader, and whether the shader is known. Mods have copies called SDK_Water, and
// materials name versions: Water_DX90, Water_HDR_DX9.
func shaderOf(shader string) (s shader, known bool) {
	s, known = shaders[shaderName(shader)]
	return s, known
}

// undrawn are parameters of surfaces that the compilers remove from a map, or should, and of those that the engine does
// not draw.
var undrawn = []string{
	"$no_draw",
	"%compilenodraw", "%compilesky", "%compile2dsky", "%compilehint", "%compileskip", "%compileorigin", "%compiletrigger",
	"%compileclip", "%compilenpcclip", "%compileplayerclip", "%playerclip", "%compileplayercontrolclip",
	"%compilegrenadeclip", "%compiledroneclip", "%compileinvisible",
}

// unseen are the parameters that are not shown: textures if they name one, switches if they are on. Source SDK 2013,
// materialsystem/stdshaders; the pages of Valve's wiki on the shaders of later games.
var unseen = []struct {
	name, what string
	on         bool // it is a switch
}{
	{"$lightwarptexture", "light warped for a drawn look", false}, {"$phongwarptexture", "highlights warped by the angle", false},
	{"$parallaxmap", "heights", false}, {"$flowmap", "flow of water", false}, {"$dudvmap", "the bending of what is behind", false},
	{"$refracttinttexture", "the colour of what is behind", false}, {"$phongexponenttexture", "the sharpness of highlights", false},
	{"$ambientoccltexture", "ambient occlusion", false}, {"$ambientocclusiontexture", "ambient occlusion", false},
	{"$corneatexture", "the cornea of an eye", false}, {"$compress", "wrinkles", false}, {"$stretch", "wrinkles", false},
	{"$bumpmask", "a mask between two normal maps", false},
	{"$rimlight", "light at the rim", true}, {"$treesway", "the wind", true}, {"$cloakpassenabled", "a cloak", true},
	{"$sheenpassenabled", "a sheen", true}, {"$fleshinteriorenabled", "flesh", true},
	{"$depthblend", "soft edges where it meets others", true},
	{"$spheretexkillcombo", "holes by a sphere", true},
	{"$seamless_base", "coordinates from three sides", true},
	{"$separatedetailuvs", "details by coordinates of their own", true}, {"$fadeoutonsilhouette", "a surface that fades at its rim", true},
	{"$detail2", "a second picture of details", false}, {"$decaltexture", "a picture over it", false},
	{"$normalmap2", "a second normal map", false}, {"$masks1", "masks of a figure's shine", false},
	{"$masks2", "masks of a figure's shine", false},
}

// Unseen returns the table of the parameters that are known and not shown, for the documents: by row the parameter, and what it is.
func Unseen() (rows [][2]string) {
	for _, p := range unseen {
		rows = append(rows, [2]string{p.name, p.what})
	}
	return append(rows, [2]string{"$seamless_scale", "coordinates from three sides"})
}

// Shaders returns the names of the shaders that are known, sorted.
func Shaders() []string { return slices.Sorted(maps.Keys(shaders)) }

// notShown lists the parts of a material that are not shown, except textures drawn over its first.
func notShown(v *vmt.Material, s *shader) (cut []string) {
	for _, p := range unseen {
		if p.on && v.Bool(p.name) || !p.on && v.Texture(p.name) != "" {
			cut = append(cut, p.name)
		}
	}
	if v.Float("$seamless_scale", 0) > 0 { // projected from three sides, by position
		cut = append(cut, "$seamless_scale")
	}
	if name, _ := v.Get("$envmap"); s.unlit && name != "" && name != "0" { // an unlit material has no reflection
		cut = append(cut, "$envmap")
	}
	if s.approx != "" {
		cut = append(cut, s.approx)
	}
	return cut
}

// reportUnknown reports an unknown shader, once; it is shown as LightmappedGeneric.
func reportUnknown(vp *Planner, v *vmt.Material, known bool) {
	if !known {
		vp.Into.Issue(world.Issue{Code: "shader-unknown", Where: v.Shader, Detail: "shown as LightmappedGeneric is"})
	}
}

// parameters are the names of the parameters of one of several layered textures and of its normal map.
type parameters struct{ base, transform, frame, normal, normalTransform, normalFrame string }

// firstParameters are the parameters of the first texture.
var firstParameters = parameters{"$basetexture", "$basetexturetransform", "$frame", "$bumpmap", "$bumptransform", "$bumpframe"}

// secondParameters are those of the second of two textures that are blended: it has the coordinates of the first (Source SDK 2013,
// lightmappedgeneric_vs20: one baseTexCoord; $basetexturetransform2 is not read).
var secondParameters = parameters{"$basetexture2", "$basetexturetransform", "$frame2", "$bumpmap2", "$bumptransform2", "$bumpframe2"}

// layerParameters are the parameters of the textures that are blended over the first, where each has its own weight.
var layerParameters = [3]parameters{
	{"$basetexture2", "$basetexturetransform2", "$frame2", "$bumpmap2", "$bumptransform2", "$bumpframe2"},
	{"$basetexture3", "$basetexturetransform3", "$frame3", "", "", ""},
	{"$basetexture4", "$basetexturetransform4", "$frame4", "", "", ""},
}

// fourWay reports whether a shader's layers have their own weights: the last three of a displacement's four.
func fourWay(v *vmt.Material) bool {
	s, _ := shaderOf(v.Shader)
	return s.fourWay
}

// shaderName returns the key of a shader in shaders.
func shaderName(shader string) string {
	name := strings.TrimPrefix(shader, "sdk_")
	if at := strings.LastIndex(name, "_dx"); at > 0 {
		name = name[:at]
	}
	return strings.TrimSuffix(name, "_hdr")
}

// matrixOf returns a texture transform of a material, or the identity.
func matrixOf(v *vmt.Material, name string) [6]float64 {
	if m, ok := v.Matrix(name); ok {
		return m
	}
	return pbr.Identity
}
