// Package ask answers questions about files without converting them: what a map is and holds, what a conversion would find and
// miss, what a texture is, and how it looks as a picture.
//
// Inspect reads a map and counts what is in it. Diagnose looks for the games on this machine and for the files that a map's
// materials and models need. InspectTexture describes a .vtf, and Textures writes pictures of textures. The commands info, doctor and
// texture print what these functions return, as text or as JSON.
package ask
