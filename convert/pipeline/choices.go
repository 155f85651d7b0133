package pipeline

import (
	"strconv"
	"strings"
)

// SkyMode is how the sky appears in the scene.
type SkyMode string

// The values of SkyOptions.Mode.
const (
	SkyMesh SkyMode = "mesh" // a box with the six images, or a dome of clouds
	SkyNode SkyMode = "node" // a node with the names of the images
	SkyNone SkyMode = "none"
)

// SkyHDR says whether the sky's images are also written in HDR.
type SkyHDR string

// The values of SkyOptions.HDR.
const (
	SkyHDRNone    SkyHDR = "none"
	SkyHDRSidecar SkyHDR = "sidecar" // OpenEXR files beside the output
)

// Props is how static props are written.
type Props string

// The values of EntityOptions.Props.
const (
	PropsBox  Props = "box" // if the model is missing, a box of its size
	PropsNode Props = "node"
	PropsNone Props = "none"
)

// Instancing is how a model that is placed several times is written.
type Instancing string

// The values of OutputOptions.Instancing.
const (
	InstancingNodes Instancing = "nodes" // nodes that share its mesh
	InstancingGPU   Instancing = "gpu"   // EXT_mesh_gpu_instancing
)

// Compress is how vertices and triangles are packed.
type Compress string

// The values of OutputOptions.Compress.
const (
	CompressNone    Compress = "none"
	CompressMeshopt Compress = "meshopt" // EXT_meshopt_compression
)

// Names is how nodes and meshes without a name in the map are named.
type Names string

// The values of OutputOptions.Names.
const (
	NamesNumbered Names = "numbered"
	NamesStable   Names = "stable" // by kind and position
)

// Split is how the world's mesh is split: one of the constants, or SplitGrid followed by whole metres, as in
// "grid:32".
type Split string

// The values of OutputOptions.Split. SplitGrid is only a prefix.
const (
	SplitNone  Split = "none"
	SplitAreas Split = "areas" // by the map's area portals
	SplitGrid  Split = "grid:"
)

// Cell returns the side of the cells in metres that a valid Split asks for, or 0.
func (s Split) Cell() int {
	size, grid := strings.CutPrefix(string(s), string(SplitGrid))
	metres, err := strconv.Atoi(size)
	if !grid || err != nil {
		return 0
	}
	return metres
}

// texts returns the values of an option as strings.
func texts[T ~string](values ...T) []string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = string(v)
	}
	return all
}
