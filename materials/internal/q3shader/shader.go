package q3shader

// Shader is a block of a script: how a surface with its name is drawn, with the engine's defaults.
type Shader struct {
	Name string // lower case, forward slashes, no extension
	File string // as it was given to Add
	Line int    // of the name, from 1

	Cull          Cull
	Sort          float32 // 0 if not given; see SortOrder
	PolygonOffset bool    // a decal: drawn slightly nearer than it is
	Sky           *Sky    // not nil if the surface shows the sky
	Fog           *Fog    // what fills a volume with this shader
	Deforms       []Deform
	Stages        []Stage // in drawing order; empty if nothing is drawn

	// Implicit means that Stages come from a directive that leaves them to the engine (implicitMap, diffuseMap). They
	// belong to a surface with a lightmap. A surface without one has only the stage of the image, lit by its vertices.
	Implicit bool

	SurfaceParms []string // lower case, in order
	SurfaceFlags uint32   // of those SurfaceParms that Quake III knows, with its values
	Contents     uint32

	Tools Tools

	// Params are the general directives that don't affect drawing, in order: q3map_, qer_, dp and all others without a
	// field.
	Params []Param
	Issues []Issue
}

// Tools are the directives for the map compiler and the editor.
type Tools struct {
	Sun          *Sun    // the last one
	SurfaceLight float32 // the light that the surface emits, q3map_surfacelight
	LightImage   string  // the image whose mean colour is the colour of the emitted light, q3map_lightimage
	LightRGB     *[3]float32
	EditorImage  string  // qer_editorimage, shown if no stage has an image; with its extension if it has one
	Trans        float32 // qer_trans, the editor's opacity; 0 if not given
	BaseShader   string  // q3map_baseshader, in the form of Name
	BackShader   string  // q3map_backshader, in the form of Name
}

// Cull says which sides of a triangle aren't drawn.
type Cull uint8

const (
	Front Cull = iota // the front is drawn, the back isn't
	None              // both are drawn
	Back              // the back is drawn, the front isn't
)

// Sky describes the sky that is shown in place of a surface.
type Sky struct {
	FarBox      string  // prefix of six images: FarBox_rt, _bk, _lf, _ft, _up, _dn; "" for none
	NearBox     string  // the same, blended over the clouds; "" for none
	CloudHeight float32 // map units; the stages are drawn on a dome of this height
}

// Fog fills a volume.
type Fog struct {
	Color  [3]float32 // 0 to 1, display values
	Opaque float32    // distance in map units beyond which nothing is visible
}

// Sun is a q3map_sun, q3map_sunExt or sun directive.
type Sun struct {
	Color     [3]float32 // as in the file; only the ratio counts: the engine normalises it
	Intensity float32
	Degrees   float32 // direction to the sun, from +X to +Y
	Elevation float32 // degrees above the horizon
	Deviance  float32 // degrees; half the sun's width, sunExt only
	Samples   float32 // number of samples for the compiler, sunExt only
}

// Deform moves the vertices of a surface.
type Deform struct {
	Kind   DeformKind
	Wave   Wave       // for Wave and Move; for Normal only Amp and Freq
	Spread float32    // Wave: phase += (x + y + z) · Spread
	Move   [3]float32 // Move: map units times the wave
	Bulge  [3]float32 // Bulge: width, height, speed
}

// DeformKind is a deformVertexes function.
type DeformKind uint8

const (
	DeformWave        DeformKind = iota // along the normal by a wave
	DeformNormal                        // the normals wobble
	DeformMove                          // all vertices by a wave
	DeformBulge                         // along the normal, by a wave that travels along s
	DeformAutosprite                    // each quad faces the viewer
	DeformAutosprite2                   // each quad turns about its long axis towards the viewer
	DeformShadow                        // projectionShadow
	DeformText                          // text0 to text7
)

// Param is a directive as written in the file.
type Param struct {
	Key  string // lower case
	Args []string
}

// The sorts that a shader can get without a sort directive.
const (
	sortPortal     = 1
	sortSky        = 2
	sortOpaque     = 3
	sortDecal      = 4
	sortSeeThrough = 5
	sortFog        = 7
	sortBlend      = 9
)

// sorts are the words of the sort directive.
var sorts = map[string]float32{
	"portal": sortPortal, "sky": sortSky, "opaque": sortOpaque, "decal": sortDecal, "seethrough": sortSeeThrough,
	"banner": 6, "underwater": 8, "additive": 10, "nearest": 16,
}

// SortOrder returns the shader's position in drawing order, by the engine's rules: 2 for a sky, 7 without stages (fog),
// then the value in the script, then 4 for a polygonOffset, 5 or 9 if the first stage is blended and writes depth or
// doesn't, else 3. Everything above 3 is drawn after opaque surfaces.
func (s *Shader) SortOrder() float32 {
	switch {
	case s.Sky != nil:
		return sortSky
	case len(s.Stages) == 0:
		return sortFog
	case s.Sort != 0:
		return s.Sort
	case s.PolygonOffset:
		return sortDecal
	case s.Stages[0].Blend == nil:
		return sortOpaque
	case s.Stages[0].DepthWrite:
		return sortSeeThrough
	}
	return sortBlend
}

// Param returns the arguments of the last directive in Params with this name, which is in lower case.
func (s *Shader) Param(key string) (args []string, ok bool) { return findParam(s.Params, key) }

func findParam(params []Param, key string) (args []string, ok bool) {
	for i := len(params) - 1; i >= 0; i-- {
		if params[i].Key == key {
			return params[i].Args, true
		}
	}
	return nil, false
}
