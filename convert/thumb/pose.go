package thumb

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/raster"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// posed returns a primitive's mesh with its vertices where the joints of a skin put them, in the scene's axes.
func posed(mesh raster.Mesh, p *scene.Primitive, joints [][16]float64) raster.Mesh {
	at := mesh.Positions
	mesh.Positions = make([][3]float32, len(at))
	toward := mesh.Normals
	mesh.Normals = make([][3]float32, len(toward))
	for i := range at {
		var m [16]float64
		for k, weight := range p.Weights[i] {
			if weight == 0 {
				continue
			}
			for j, x := range joints[p.Joints[i][k]] {
				m[j] += float64(weight) * x
			}
		}
		for r := range 3 {
			mesh.Positions[i][r] = float32(along(&m, r, at[i]) + m[12+r])
		}
		if i < len(toward) {
			mesh.Normals[i] = unit([3]float64{along(&m, 0, toward[i]), along(&m, 1, toward[i]), along(&m, 2, toward[i])})
		}
	}
	return mesh
}

// along returns a row of a vector turned by a matrix.
func along(m *[16]float64, r int, v [3]float32) float64 {
	return float64(m[r]*float64(v[0])) + float64(m[4+r]*float64(v[1])) + float64(m[8+r]*float64(v[2]))
}

// unit returns a vector of length 1; one without a length stays.
func unit(v [3]float64) (out [3]float32) {
	length := math.Sqrt(float64(v[0]*v[0]) + float64(v[1]*v[1]) + float64(v[2]*v[2]))
	if length == 0 {
		length = 1
	}
	for k, x := range v {
		out[k] = float32(x / length)
	}
	return out
}

// stances returns, for each joint of a skin, the matrix from the mesh's vertices to the scene's axes.
func stances(skin *scene.Skin, places [][16]float64) [][16]float64 {
	out := make([][16]float64, len(skin.Joints))
	for i, joint := range skin.Joints {
		var inverse [16]float64
		for r, row := range skin.Inverse[i] {
			for c, x := range row {
				inverse[4*c+r] = float64(x)
			}
		}
		out[i] = times(&places[joint], &inverse)
	}
	return out
}
