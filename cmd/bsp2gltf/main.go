// Command bsp2gltf converts compiled game maps to glTF 2.0 and OBJ.
//
//	bsp2gltf q3dm17.bsp                   writes q3dm17.glb into the current folder
//	bsp2gltf q3dm17.bsp out/q3dm17.gltf   writes .gltf, .bin and images
//	bsp2gltf info q3dm17.bsp              describes the map
//	bsp2gltf batch maps -o out            converts all maps of a folder
//
// Data goes to standard output, messages to standard error.
package main

import "github.com/bsp2gltf/bsp2gltf/cmd/internal/command"

func main() { command.Main(nil) }
