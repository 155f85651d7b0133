package write

import "github.com/qmuntal/gltf"

// The glTF library's methods encode a node, and the types of an accessor, into text that encoding/json then checks and copies. Most of a
// map's JSON is nodes and accessors: these structs have the same text without that.

// accessorText is a gltf.Accessor with its types as in the text.
type accessorText struct {
	Extensions    gltf.Extensions `json:"extensions,omitempty"`
	Extras        any             `json:"extras,omitempty"`
	Name          string          `json:"name,omitempty"`
	BufferView    *int            `json:"bufferView,omitempty"`
	ByteOffset    int             `json:"byteOffset,omitempty"`
	ComponentType int             `json:"componentType"`
	Normalized    bool            `json:"normalized,omitempty"`
	Count         int             `json:"count"`
	Type          string          `json:"type"`
	Max           []float64       `json:"max,omitempty"`
	Min           []float64       `json:"min,omitempty"`
	Sparse        *gltf.Sparse    `json:"sparse,omitempty"`
}

// nodeText is a gltf.Node without a matrix.
type nodeText struct {
	Rotation    *[4]float64     `json:"rotation,omitempty"`
	Scale       *[3]float64     `json:"scale,omitempty"`
	Translation *[3]float64     `json:"translation,omitempty"`
	Extensions  gltf.Extensions `json:"extensions,omitempty"`
	Extras      any             `json:"extras,omitempty"`
	Name        string          `json:"name,omitempty"`
	Camera      *int            `json:"camera,omitempty"`
	Children    []int           `json:"children,omitempty"`
	Skin        *int            `json:"skin,omitempty"`
	Mesh        *int            `json:"mesh,omitempty"`
	Weights     []float64       `json:"weights,omitempty"`
}

// plainAccessor returns the text of an accessor, or nil if it has a type that glTF lacks.
func plainAccessor(a *gltf.Accessor) *accessorText {
	number, shape := 0, ""
	switch a.ComponentType {
	case gltf.ComponentByte:
		number = 5120
	case gltf.ComponentUbyte:
		number = 5121
	case gltf.ComponentShort:
		number = 5122
	case gltf.ComponentUshort:
		number = 5123
	case gltf.ComponentUint:
		number = 5125
	case gltf.ComponentFloat:
		number = 5126
	}
	switch a.Type {
	case gltf.AccessorScalar:
		shape = "SCALAR"
	case gltf.AccessorVec2:
		shape = "VEC2"
	case gltf.AccessorVec3:
		shape = "VEC3"
	case gltf.AccessorVec4:
		shape = "VEC4"
	case gltf.AccessorMat2:
		shape = "MAT2"
	case gltf.AccessorMat3:
		shape = "MAT3"
	case gltf.AccessorMat4:
		shape = "MAT4"
	}
	if number == 0 || shape == "" {
		return nil
	}
	return &accessorText{a.Extensions, a.Extras, a.Name, a.BufferView, a.ByteOffset, number, a.Normalized, a.Count, shape, a.Max, a.Min,
		a.Sparse}
}

// plainNode returns the text of a node, or nil if it has a matrix. What places it is left out where it changes nothing: a rotation or a
// scale of zeros is one that is not set.
func plainNode(n *gltf.Node) *nodeText {
	if n.Matrix != gltf.DefaultMatrix && n.Matrix != [16]float64{} {
		return nil
	}
	t := &nodeText{Extensions: n.Extensions, Extras: n.Extras, Name: n.Name, Camera: n.Camera, Children: n.Children, Skin: n.Skin,
		Mesh: n.Mesh, Weights: n.Weights}
	if n.Rotation != gltf.DefaultRotation && n.Rotation != [4]float64{} {
		t.Rotation = &n.Rotation
	}
	if n.Scale != gltf.DefaultScale && n.Scale != [3]float64{} {
		t.Scale = &n.Scale
	}
	if n.Translation != gltf.DefaultTranslation {
		t.Translation = &n.Translation
	}
	return t
}
