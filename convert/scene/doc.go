// Package scene is what a writer sees: the map as nodes, meshes, materials and images, in metres with Y up, as glTF has it.
//
// convert.Map makes a Scene, and the formats of convert write it. A writer of your own walks Nodes: parents come before their
// children, a node may have a mesh, a light or a camera, and its Extras are the key-values of the entity that it stands for. Places
// returns where each node is in the scene as a whole. Indices are of the slices of Scene; None is no index.
package scene
