//go:build bsp2gltf_norecover

package command

const recovers = false
