//go:build !bsp2gltf_norecover

package par

const recovers = true
