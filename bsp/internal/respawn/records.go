package respawn

import (
	"encoding/binary"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// textureDataV1 is dtexdata_t followed by the flags of the meshes that use it.
var textureDataV1 = lift.Row[valve.Texdata]{Size: 36, Fields: "4*3 4*5 4", Lift: valve.TexdataV1.Lift}

// modelV1 refers to meshes where Source's models refer to faces.
var modelV1 = lift.Row[valve.Model]{Size: 32, Fields: "4*6 4*2", Lift: func(b []byte) valve.Model {
	return valve.Model{Mins: lift.V3(b), Maxs: lift.V3(b[12:]), FirstFace: lift.I32(b[24:]), Faces: lift.I32(b[28:])}
}}

// mesh is a run of triangles with one material.
type mesh struct {
	firstIndex, triangles int
	sort                  int
	flags                 uint32
}

// meshV1 skips some fields: the first vertex, to which indices are not relative, and the number of vertices; the kind
// of vertices, which the flags give too; and the position of the light on its page.
var meshV1 = lift.Row[mesh]{Size: 28, Fields: "4 2*3 1*2 1*4 2*2 1*2 2 4", Lift: func(b []byte) mesh {
	return mesh{lift.U32(b), lift.U16(b[4:]), lift.U16(b[22:]), binary.LittleEndian.Uint32(b[24:])}
}}

// materialSort holds what meshes share: texture data, a page of light (-1 means none), and the vertex to which their
// indices are relative.
type materialSort struct{ texdata, light, vertex int }

var materialSortV1 = lift.Row[materialSort]{Size: 12, Fields: "2*4 4", Lift: func(b []byte) materialSort {
	return materialSort{lift.I16(b), lift.I16(b[2:]), lift.I32(b[8:])}
}}

// meshVertex is a vertex of any of the four kinds.
type meshVertex struct {
	position, normal int
	uv, luxel        [2]float32 // luxel is a fraction of the page, 0 to 1
	color            [4]uint8
}

// The four kinds of vertices. Vertices with bumped light and those called TS end with two numbers for tangents.
var (
	unlitV1   = lift.Row[meshVertex]{Size: 20, Fields: "4*2 4*2 1*4", Lift: liftUnlit}
	unlitTSV1 = lift.Row[meshVertex]{Size: 28, Fields: "4*2 4*2 1*4 4*2", Lift: liftUnlit}
	litFlatV1 = lift.Row[meshVertex]{Size: 36, Fields: "4*2 4*2 1*4 4*2 4*2", Lift: liftLit}
	litBumpV1 = lift.Row[meshVertex]{Size: 44, Fields: "4*2 4*2 1*4 4*2 4*2 4*2", Lift: liftLit}
)

func liftUnlit(b []byte) meshVertex {
	return meshVertex{position: lift.U32(b), normal: lift.U32(b[4:]), uv: [2]float32{le.Float32(b[8:]), le.Float32(b[12:])},
		color: [4]uint8(b[16:20])}
}

// liftLit lifts a vertex with light coordinates. The distance between luxels, which follows them, is skipped.
func liftLit(b []byte) meshVertex {
	v := liftUnlit(b)
	v.luxel = [2]float32{le.Float32(b[20:]), le.Float32(b[24:])}
	return v
}

// meshKinds holds the kinds of vertices by the two bits of a mesh's flags that select them.
var meshKinds = [4]struct {
	lump int
	row  lift.Row[meshVertex]
	lit  bool
}{
	{lumpLitFlat, litFlatV1, true}, {lumpLitBump, litBumpV1, true}, {lumpUnlit, unlitV1, false}, {lumpUnlitTS, unlitTSV1, false},
}

// meshKindShift is the position of those bits in a mesh's flags.
const meshKindShift = 9

// lightHeader is the size of a page of light in luxels.
type lightHeader struct{ width, height int }

// lightHeaderV1 starts with a kind, which was 1 in every map seen.
var lightHeaderV1 = lift.Row[lightHeader]{Size: 8, Fields: "4 2*2",
	Lift: func(b []byte) lightHeader { return lightHeader{lift.U16(b[4:]), lift.U16(b[6:])} }}

// levelInfo holds values for the whole map.
type levelInfo struct {
	sun [3]float32 // unit vector in the direction of the sun's light; zero means none
}

// levelInfoV1 skips four numbers: the first mesh of decals, of translucent surfaces and of the sky, which the meshes' flags
// give too, and the number of static props.
var levelInfoV1 = lift.Row[levelInfo]{Size: 28, Fields: "4*4 4*3", Lift: func(b []byte) levelInfo { return levelInfo{lift.V3(b[16:])} }}

// Lamps of Titanfall are dworldlight_t as in Portal 2; those of Titanfall 2 have two or three more numbers.
var (
	lampV2 = lift.Row[valve.Lamp]{Size: 108, Fields: "4*25 4*2", Version: 2, Lift: valve.LampV1.Lift}
	lampV3 = lift.Row[valve.Lamp]{Size: 112, Fields: "4*25 4*3", Version: 3, Lift: valve.LampV1.Lift}
)

// cubemapV1 has an unknown number after the position.
var cubemapV1 = lift.Row[[3]int32]{Size: 16, Fields: "4*3 4", Lift: func(b []byte) [3]int32 {
	return [3]int32{le.Int32(b), le.Int32(b[4:]), le.Int32(b[8:])}
}}

// records holds the lifted lumps from which surfaces are made.
type records struct {
	texdatas []valve.Texdata
	models   []valve.Model // brush models, with ranges of meshes
	meshes   []mesh
	sorts    []materialSort
	headers  []lightHeader
	level    levelInfo
}

// readRecords lifts the lumps from which surfaces are made. It fails if an essential lump is broken or empty, and on a
// limit.
func readRecords(job *lift.Job, lumps *lumps) (r *records, err error) {
	r = &records{}
	if r.texdatas, err = textureDataV1.Records(job, lumps[lumpTexdata]); err != nil {
		return nil, err
	}
	if r.models, err = modelV1.Records(job, lumps[lumpModels]); err != nil {
		return nil, err
	}
	if r.meshes, err = meshV1.Records(job, lumps[lumpMeshes]); err != nil {
		return nil, err
	}
	if r.sorts, err = materialSortV1.Records(job, lumps[lumpMaterialSorts]); err != nil {
		return nil, err
	}
	if len(r.models) == 0 {
		return nil, lumps[lumpModels].Fault("empty", -1, "the map has no models, nor are they in a file beside it")
	}
	if len(r.meshes) == 0 {
		return nil, lumps[lumpMeshes].Fault("empty", -1, "the map has no meshes, nor are they in a file beside it")
	}
	if _, err := lumps[lumpVertices].Count(12); err != nil {
		return nil, err
	}
	if _, err := lumps[lumpMeshIndices].Count(2); err != nil {
		return nil, err
	}
	headers := lift.List[lightHeader]{Row: lightHeaderV1, Lump: lumps[lumpLightHeaders]}
	if r.headers, err = headers.Optional(job); err != nil {
		return nil, fmt.Errorf("%s: %w", headers.Lump.Name, err)
	}
	if l := lumps[lumpLevelInfo]; len(l.Data) >= levelInfoV1.Size {
		r.level = levelInfoV1.Lift(l.Data)
	}
	return r, nil
}
