// The result of each mode of a detail texture, from the base b and the detail d in linear light and the factor f
// (docs/internals/readers.md of bsp2gltf).
export const MODES = {
  0: 'b.rgb * mix(vec3(1.0), 2.0 * d.rgb, f)',
  1: 'b.rgb + f * d.rgb',
  2: 'mix(b.rgb, d.rgb, f * d.a)',
  3: 'mix(b.rgb, d.rgb, f)',
  4: 'mix(b.rgb, d.rgb, f * (1.0 - b.a))',
  7: 'b.rgb * mix(1.0, 2.0 * mix(d.r, d.a, b.a), f)',
  8: 'mix(b.rgb, b.rgb * d.rgb, f)',
  11: 'b.rgb * (d.r + d.g + d.b) * (2.0 / 3.0)',
};
