package respawn

import (
	"encoding/binary"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// textureDataV1 is dtexdata_t followed by the flags of the meshes that use it.
var textureDataV1 = record.Layout[valve.Texdata]{Size: 36, Fields: "4*3 4*5 4", Decode: valve.TexdataV1.Decode}

// modelV1 refers to meshes where Source's models refer to faces.
var modelV1 = record.Layout[valve.Model]{Size: 32, Fields: "4*6 4*2", Decode: func(b []byte) valve.Model {
	return valve.Model{Mins: record.V3(b), Maxs: record.V3(b[12:]), FirstFace: record.I32(b[24:]), Faces: record.I32(b[28:])}
}}

// mesh is a run of triangles with one material.
type mesh struct {
	firstIndex, triangles int
	sort                  int
	flags                 uint32
}

// meshV1 skips some fields: the first vertex, to which indices are not relative, and the number of vertices; the kind
// of vertices, which the flags give too; and the position of the light on its page.
var meshV1 = record.Layout[mesh]{Size: 28, Fields: "4 2*3 1*2 1*4 2*2 1*2 2 4", Decode: func(b []byte) mesh {
	return mesh{record.U32(b), record.U16(b[4:]), record.U16(b[22:]), binary.LittleEndian.Uint32(b[24:])}
}}

// materialSort holds what meshes share: texture data, a page of light (-1 means none), and the vertex to which their
// indices are relative.
type materialSort struct{ texdata, light, vertex int }

var materialSortV1 = record.Layout[materialSort]{Size: 12, Fields: "2*4 4", Decode: func(b []byte) materialSort {
	return materialSort{record.I16(b), record.I16(b[2:]), record.I32(b[8:])}
}}

// meshVertex is a vertex of any of the four kinds.
type meshVertex struct {
	position, normal int
	uv, luxel        [2]float32 // luxel is a fraction of the page, 0 to 1
	color            [4]uint8
}

// The four kinds of vertices. Vertices with bumped light and those called TS end with two numbers for tangents.
var (
	unlitV1   = record.Layout[meshVertex]{Size: 20, Fields: "4*2 4*2 1*4", Decode: decodeUnlit}
	unlitTSV1 = record.Layout[meshVertex]{Size: 28, Fields: "4*2 4*2 1*4 4*2", Decode: decodeUnlit}
	litFlatV1 = record.Layout[meshVertex]{Size: 36, Fields: "4*2 4*2 1*4 4*2 4*2", Decode: decodeLit}
	litBumpV1 = record.Layout[meshVertex]{Size: 44, Fields: "4*2 4*2 1*4 4*2 4*2 4*2", Decode: decodeLit}
)

func decodeUnlit(b []byte) meshVertex {
	return meshVertex{position: record.U32(b), normal: record.U32(b[4:]), uv: [2]float32{le.Float32(b[8:]), le.Float32(b[12:])},
		color: [4]uint8(b[16:20])}
}

// decodeLit decodes a vertex with light coordinates. The distance between luxels, which follows them, is skipped.
func decodeLit(b []byte) meshVertex {
	v := decodeUnlit(b)
	v.luxel = [2]float32{le.Float32(b[20:]), le.Float32(b[24:])}
	return v
}

// meshKinds holds the kinds of vertices by the two bits of a mesh's flags that select them.
var meshKinds = [4]struct {
	lump int
	row  record.Layout[meshVertex]
	lit  bool
}{
	{lumpLitFlat, litFlatV1, true}, {lumpLitBump, litBumpV1, true}, {lumpUnlit, unlitV1, false}, {lumpUnlitTS, unlitTSV1, false},
}

// meshKindShift is the position of those bits in a mesh's flags.
const meshKindShift = 9

// lightHeader is the size of a page of light in luxels.
type lightHeader struct{ width, height int }

// lightHeaderV1 starts with a kind, which was 1 in every map seen.
var lightHeaderV1 = record.Layout[lightHeader]{Size: 8, Fields: "4 2*2",
	Decode: func(b []byte) lightHeader { return lightHeader{record.U16(b[4:]), record.U16(b[6:])} }}

// levelInfo holds values for the whole map.
type levelInfo struct {
	sun [3]float32 // unit vector in the direction of the sun's light; zero means none
}

// levelInfoV1 skips four numbers: the first mesh of decals, of translucent surfaces and of the sky, which the meshes' flags
// give too, and the number of static props.
var levelInfoV1 = record.Layout[levelInfo]{Size: 28, Fields: "4*4 4*3", Decode: func(b []byte) levelInfo {
	return levelInfo{record.V3(b[16:])}
}}

// Lamps of Titanfall are dworldlight_t as in Portal 2; those of Titanfall 2 have two or three more numbers.
var (
	lampV2 = record.Layout[valve.Lamp]{Size: 108, Fields: "4*25 4*2", Version: 2, Decode: valve.LampV1.Decode}
	lampV3 = record.Layout[valve.Lamp]{Size: 112, Fields: "4*25 4*3", Version: 3, Decode: valve.LampV1.Decode}
)

// cubemapV1 has an unknown number after the position.
var cubemapV1 = record.Layout[[3]int32]{Size: 16, Fields: "4*3 4", Decode: func(b []byte) [3]int32 {
	return [3]int32{le.Int32(b), le.Int32(b[4:]), le.Int32(b[8:])}
}}

// records holds the decoded lumps from which surfaces are made.
type records struct {
	texdatas []valve.Texdata
	models   []valve.Model // brush models, with ranges of meshes
	meshes   []mesh
	sorts    []materialSort
	headers  []lightHeader
	level    levelInfo
}

// readRecords decodes the lumps from which surfaces are made. It fails if an essential lump is broken or empty, and on a
// limit.
func readRecords(dc *decoding.Context, lumps *lumps) (r *records, err error) {
	r = &records{}
	if r.texdatas, err = textureDataV1.Records(dc, lumps[lumpTexdata]); err != nil {
		return nil, err
	}
	if r.models, err = modelV1.Records(dc, lumps[lumpModels]); err != nil {
		return nil, err
	}
	if r.meshes, err = meshV1.Records(dc, lumps[lumpMeshes]); err != nil {
		return nil, err
	}
	if r.sorts, err = materialSortV1.Records(dc, lumps[lumpMaterialSorts]); err != nil {
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
	headers := record.List[lightHeader]{Layout: lightHeaderV1, Lump: lumps[lumpLightHeaders]}
	if r.headers, err = headers.Optional(dc); err != nil {
		return nil, fmt.Errorf("%s: %w", headers.Lump.Name, err)
	}
	if l := lumps[lumpLevelInfo]; len(l.Data) >= levelInfoV1.Size {
		r.level = levelInfoV1.Decode(l.Data)
	}
	return r, nil
}
