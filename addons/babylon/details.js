// A detail texture that is combined with a base texture per pixel (docs/internals/readers.md). The result replaces the base colour
// texture.
import { isNumbers } from '../shared/color.js';
import { MODES } from '../shared/detailmodes.js';

/** Gives a display plugin the base and the detail, once both are loaded. */
export function loadOver(loader, context, plugin, d) {
  const { mode, factor = 1, tint = [1, 1, 1], srgb = false } = d, list = [d.base, d.texture], textures = [];
  if (!MODES[mode] || !Number.isInteger(d.base) || !Number.isFinite(factor) || !isNumbers(tint, 3)) return;
  const rows = new Float32Array([...d.transform.slice(0, 3), 0, ...d.transform.slice(3), 0, ...tint, factor, 0, 0, 0, 0]);
  list.forEach((index, i) => plugin.load(loader, `${context}/over/${i}`, index, (texture) => {
    textures[i] = texture;
    if (Object.keys(textures).length < list.length) return;
    plugin.over = { textures, rows, mode, srgb };
    plugin.markAllDefinesAsDirty();
  }));
}

const EMPTY = new Float32Array(16);
export function overUniforms(buffer, over) {
  buffer.updateMatrices('bakedOverRows', over?.rows ?? EMPTY);
  over?.textures.forEach((texture, i) => buffer.setTexture(i ? 'bakedOverMap' : 'bakedOverBase', texture));
}

export const OVER = `
#if BSP2GLTF_OVER >= 0
uniform sampler2D bakedOverBase;
uniform sampler2D bakedOverMap;
vec3 bakedOver() {
  vec3 at = vec3(vMainUV1, 1.0);
  vec4 b = texture2D(bakedOverBase, vMainUV1), d = texture2D(bakedOverMap, vec2(dot(bakedOverRows[0].xyz, at), dot(bakedOverRows[1].xyz, at)));
  b.rgb = bakedDecode(b.rgb);
#ifdef BSP2GLTF_OVER_SRGB
  d.rgb = bakedDecode(d.rgb);
#endif
  d.rgb *= bakedOverRows[2].rgb;
  float f = bakedOverRows[2].a;
${Object.entries(MODES).map(([mode, mixed]) => `#if BSP2GLTF_OVER == ${mode}\n  b.rgb = ${mixed};\n#endif`).join('\n')}
  return b.rgb;
}
#endif
`;
