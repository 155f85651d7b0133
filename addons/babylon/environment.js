// Environment maps (Quake III's tcGen environment; docs/internals/readers.md). A material's textures include the mean colour of its
// reflection; the difference to what is seen from the camera is added, in display space.
import { isNumbers } from '../shared/color.js';

const mirrors = new WeakMap(); // by material: the numbers of its environment map

/** Sets the two rows of three numbers that transform the coordinates of a material's environment map, if it has one. */
export function turnMirror(material, rows) {
  const values = mirrors.get(material);
  if (values) rows.forEach((v, i) => { values[i < 3 ? i : i + 1] = v; });
}

/** Gives a display plugin the environment map, once its textures are loaded. */
export function loadMirror(loader, context, plugin, material, x, clear, blend) {
  const { transform: t = [1, 0, 0, 0, 1, 0], color = [1, 1, 1], factor = [1, 1, 1], mean } = x;
  if (!Number.isInteger(x.texture) || !isNumbers(t, 6) || !isNumbers(color, 3) || !isNumbers(factor, 3) || !isNumbers(mean, 3)) return;
  const list = [x.texture, x.factor_texture].filter(Number.isInteger), textures = [];
  list.forEach((index, i) => plugin.load(loader, `${context}/environment/${i}`, index, (texture) => {
    textures[i] = texture;
    if (Object.keys(textures).length < list.length) return;
    plugin.mirror = { textures, tinted: !!x.vertex, glow: !!x.emission,
      values: new Float32Array([...t.slice(0, 3), mean[0], ...t.slice(3), mean[1], ...color, mean[2], ...factor, 0]) };
    mirrors.set(material, plugin.mirror.values);
    // A reflection adds more light than alpha lets through: the factors are ONE, and ONE or ONE_MINUS_SRC_ALPHA.
    if (clear) plugin.blendAs(1, blend === 'add' ? 1 : 0x303);
    plugin.markAllDefinesAsDirty();
  }));
}

/** Gives a display plugin the image that multiplies the background. */
export function loadBehind(loader, context, plugin, { texture: index, factor }) {
  if (!Number.isInteger(index) || !isNumbers(factor, 3)) return;
  plugin.load(loader, `${context}/behind`, index, (texture) => {
    plugin.behind = { texture, factor };
    plugin.markAllDefinesAsDirty();
  });
}

const EMPTY = new Float32Array(16);
export function mirrorUniforms(buffer, mirror) {
  buffer.updateMatrices('bakedMirror', mirror?.values ?? EMPTY);
  mirror?.textures.forEach((texture, i) => buffer.setTexture(i ? 'bakedShare' : 'bakedAround', texture));
}

export const VERTEX_DEFINITIONS = `
#ifdef BSP2GLTF_MIRROR
varying vec2 vBakedSeen;
#ifdef BSP2GLTF_TINT
attribute vec4 bakedTint;
varying vec3 vBakedTint;
#endif
#endif
`;
// The engine's coordinates, per vertex, in the mesh's axes, which are the file's in either handedness.
export const VERTEX = `
#ifdef BSP2GLTF_MIRROR
{
  vec3 facing = normalize(vNormalW * mat3(finalWorld)), way = normalize((vEyePosition.xyz - worldPos.xyz) * mat3(finalWorld)), back = 2.0 * dot(facing, way) * facing - way;
  vBakedSeen = vec2(0.5 - 0.5 * back.z, 0.5 - 0.5 * back.y);
#ifdef BSP2GLTF_TINT
  vBakedTint = bakedTint.rgb;
#endif
}
#endif
`;
export const MIRRORED = `
#ifdef BSP2GLTF_MIRROR
varying vec2 vBakedSeen;
uniform sampler2D bakedAround;
#ifdef BSP2GLTF_TINT
varying vec3 vBakedTint;
#endif
#ifdef BSP2GLTF_SHARE
uniform sampler2D bakedShare;
#endif
vec3 bakedMirrored() {
  vec3 seen = vec3(vBakedSeen, 1.0);
  vec3 sum = texture2D(bakedAround, vec2(dot(bakedMirror[0].xyz, seen), dot(bakedMirror[1].xyz, seen))).rgb * bakedMirror[2].rgb;
#ifdef BSP2GLTF_TINT
  sum *= vBakedTint;
#endif
  sum = (sum - vec3(bakedMirror[0].w, bakedMirror[1].w, bakedMirror[2].w)) * bakedMirror[3].rgb;
#ifdef BSP2GLTF_SHARE
  sum *= texture2D(bakedShare, bakedUV).rgb;
#endif
  return sum;
}
#endif
`;
