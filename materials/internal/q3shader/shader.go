package q3shader

// Shader is a block of a script: how a surface of its name is drawn, with the engine's defaults.
type Shader struct {
	Name string // lower case, forward slashes, no extension
	File string // as it was given to Parse or Add
	Line int    // of the name, from 1

	Cull          Cull
	Sort          float32 // 0 if not given; see SortOrder
	PolygonOffset bool    // a decal: drawn a little nearer than it is
	NoMipmaps     bool
	NoPicmip      bool // true with NoMipmaps
	Portal        bool // a mirror or a window to elsewhere; Sort is then 1 unless given
	Sky           *Sky // not nil if the surface shows the sky
	Fog           *Fog // what a volume of it is filled with
	Deforms       []Deform
	Stages        []Stage // in the order they are drawn; empty for what is never seen

	// Implicit tells that Stages stand for a directive that leaves them to the engine (implicitMap, diffuseMap):
	// they are those of a surface with a lightmap. A surface without one has only the stage of the image, lit by
	// its vertices.
	Implicit bool

	SurfaceParms []string // lower case, in order
	SurfaceFlags uint32   // of the SurfaceParms that Quake III knows, by its numbers
	Contents     uint32

	Tools Tools

	// Params are the general directives that aren't drawn, in order: q3map_, qer_, dp and all that no field has.
	Params []Param
	Issues []Issue
}

// Tools are what the map compiler and the editor read.
type Tools struct {
	Sun          *Sun    // the last one
	SurfaceLight float32 // what the surface emits, q3map_surfacelight
	LightImage   string  // the image whose mean colour is the emitted light's, q3map_lightimage
	LightRGB     *[3]float32
	EditorImage  string  // qer_editorimage, to show when no stage has an image; with its extension if it has one
	Trans        float32 // qer_trans, the editor's opacity; 0 if not given
	BaseShader   string  // q3map_baseshader, a name as Name
	BackShader   string  // q3map_backshader, a name as Name
}

// Cull is which sides of a triangle aren't drawn.
type Cull uint8

const (
	Front Cull = iota // the front is drawn, the back isn't
	None              // both are drawn
	Back              // the back is drawn, the front isn't
)

// Sky is what is seen instead of a surface.
type Sky struct {
	FarBox      string  // six images begin with it: FarBox_rt, _bk, _lf, _ft, _up, _dn; "" for none
	NearBox     string  // the same, blended over the clouds; "" for none
	CloudHeight float32 // map units; the stages are drawn on a dome of this height
}

// Fog fills a volume.
type Fog struct {
	Color  [3]float32 // 0 to 1, as displayed
	Opaque float32    // map units after which nothing is seen through it
}

// Sun is a q3map_sun, q3map_sunExt or sun directive.
type Sun struct {
	Color     [3]float32 // as in the file; only the ratio counts: the engine makes it a unit vector
	Intensity float32
	Degrees   float32 // of the direction to the sun, from +X to +Y
	Elevation float32 // degrees above the horizon
	Deviance  float32 // degrees; half the sun's width, sunExt only
	Samples   float32 // of the compiler, sunExt only
}

// Deform moves the vertices of a surface.
type Deform struct {
	Kind   DeformKind
	Wave   Wave       // Wave and Move; of Normal Amp and Freq
	Spread float32    // Wave: phase += (x + y + z) · Spread
	Move   [3]float32 // Move: map units times the wave
	Bulge  [3]float32 // Bulge: width, height, speed
	Text   int        // Text: 0 to 7
}

// DeformKind is a deformVertexes function.
type DeformKind uint8

const (
	DeformWave        DeformKind = iota // along the normal by a wave
	DeformNormal                        // the normals wobble
	DeformMove                          // all vertices by a wave
	DeformBulge                         // along the normal, a wave that runs along s
	DeformAutosprite                    // each quad faces the viewer
	DeformAutosprite2                   // each quad turns about its long axis to the viewer
	DeformShadow                        // projectionShadow
	DeformText                          // text0 to text7
)

// Param is a directive as it is in the file.
type Param struct {
	Key  string // lower case
	Args []string
}

// The sorts that a shader can have without saying so.
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

// SortOrder returns where the shader is in the order of drawing, as the engine settles it: 2 for a sky, 7 without a
// stage, which is fog, then what the script gives, then 4 for a polygonOffset, 5 or 9 if the first stage is blended
// and does or doesn't write depth, else 3. Everything above 3 is drawn after what is opaque.
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

// Param returns the arguments of the last raw directive of this name, which is in lower case.
func (s *Shader) Param(key string) (args []string, ok bool) { return findParam(s.Params, key) }

func findParam(params []Param, key string) (args []string, ok bool) {
	for i := len(params) - 1; i >= 0; i-- {
		if params[i].Key == key {
			return params[i].Args, true
		}
	}
	return nil, false
}
