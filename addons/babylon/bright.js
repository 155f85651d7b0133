// Light in vertices that exceeds white is stored as a colour divided by an alpha (docs/internals/light.md of bsp2gltf).
export const BRIGHT_VERTEX = `
#if defined(BSP2GLTF_BRIGHT) && defined(VERTEXCOLOR)
vColor = vec4(color.rgb / max(color.a, 1e-4), 1.0);
#endif
`;
