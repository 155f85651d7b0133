// Light in vertices that exceeds white (docs/internals/light.md of bsp2gltf): colours divided by their alpha.
export const BRIGHT_VERTEX = `
#if defined(BSP2GLTF_BRIGHT) && defined(VERTEXCOLOR)
vColor = vec4(color.rgb / max(color.a, 1e-4), 1.0);
#endif
`;
