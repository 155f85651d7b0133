// Package inspect describes files without converting them: a map's format and contents, the files that a conversion
// would find and miss, a model, a texture's format, and its pictures.
//
// Inspect reads a map and counts its parts, InspectModel does so for a model. Diagnose searches for the games on this
// machine and for the files that a map's materials and models need. InspectTexture describes a .vtf, and Textures
// writes pictures of textures. The commands info, doctor and texture print what these functions return, as text or
// JSON.
package inspect
