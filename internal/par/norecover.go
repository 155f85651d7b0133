//go:build bsp2gltf_norecover

package par

// recovers is false in fuzzing builds, so that the fuzzer sees panics unchanged.
const recovers = false
