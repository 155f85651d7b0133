//go:build !bsp2gltf_norecover

package main

const recovers = true
