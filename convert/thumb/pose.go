package thumb

import (
	"github.com/bsp2gltf/bsp2gltf/convert/internal/raster"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// skinned returns a primitive's mesh with its vertices moved by the joints of a skin, in the scene's axes.
func skinned(mesh raster.Mesh, p *scene.Primitive, joints []space.Matrix) raster.Mesh {
	at, normals := mesh.Positions, mesh.Normals
	mesh.Positions, mesh.Normals = make([][3]float32, len(at)), make([][3]float32, len(normals))
	for i := range at {
		var normal [3]float32
		if i < len(normals) {
			normal = normals[i]
		}
		mesh.Positions[i], normal = space.Skin(joints, p.Joints[i], p.Weights[i], at[i], normal)
		if i < len(normals) {
			mesh.Normals[i] = normal
		}
	}
	return mesh
}

// jointMatrices returns, for each joint of a skin, the matrix from the mesh's vertices to the scene's axes.
func jointMatrices(skin *scene.Skin, places []space.Matrix) []space.Matrix {
	out := make([]space.Matrix, len(skin.Joints))
	for i, joint := range skin.Joints {
		var inverse space.Matrix
		for r := range inverse {
			for c := range inverse[r] {
				inverse[r][c] = float64(skin.Inverse[i][r][c])
			}
		}
		out[i] = places[joint].Times(&inverse)
	}
	return out
}
