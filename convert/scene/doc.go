// Package scene is the input of a writer: the map as nodes, meshes, materials and images, in metres with Y up, as in glTF.
//
// convert.Map makes a Scene, and the formats of convert write it. A custom writer walks Nodes: parents come before their
// children, a node may have a mesh, a light or a camera, and its Extras are the key-values of its entity. Places returns each
// node's transform to the scene. Indices refer to the slices of Scene; None means there is no such item.
package scene
