//go:build bsp2gltf_norecover

package par

// recovers is false in fuzzing builds, which want to see a panic as it is.
const recovers = false
