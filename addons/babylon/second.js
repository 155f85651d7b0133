// A second texture that is blended over the base (docs/internals/readers.md), per pixel, in place of bands.
import { isNumbers } from '../shared/color.js';

const NAME = 'bsp2gltf_second';

/** Gives a display plugin the second texture, once it and its mask are loaded. */
export function loadSecond(loader, context, plugin, mix) {
  if (!Number.isInteger(mix?.texture)) return;
  const masked = Number.isInteger(mix.mask) && isNumbers(mix.transform, 6);
  const [a, b, c, d, e, f] = masked ? mix.transform : [1, 0, 0, 0, 1, 0];
  const list = [mix.texture, ...(masked ? [mix.mask] : [])], textures = [];
  list.forEach((index, i) => plugin.load(loader, `${context}/mix/${i}`, index, (texture) => {
    textures[i] = texture;
    if (Object.keys(textures).length < list.length) return;
    plugin.second = { textures, rows: new Float32Array([a, b, c, 0, d, e, f, 0, 0, 0, 0, 0, 0, 0, 0, 0]) };
    plugin.markAllDefinesAsDirty();
  }));
}

/** Registers the extension that hides the bands that stand for the second texture in other viewers. */
export function registerSecond(GLTFLoader) {
  GLTFLoader.RegisterExtension(NAME, (loader) => ({
    name: NAME,
    enabled: (loader.gltf.materials ?? []).some((m) => m.extras?.mix),
    dispose() {},
    onReady() {
      const found = (loader.rootBabylonMesh?.getChildMeshes() ?? []).map((mesh) => ({ mesh, extras: mesh.material?.metadata?.gltf?.extras }));
      const weighted = (mesh) => ['bakedBlend', 'bakedWeights'].some((kind) => mesh.isVerticesDataPresent(kind));
      const mixed = found.filter(({ mesh, extras }) => extras?.mix && mesh.material.albedoTexture && weighted(mesh));
      const parents = new Set(mixed.map(({ mesh }) => mesh.parent)); // all primitives of a mesh have the same parent
      for (const { mesh, extras } of found) if (extras?.band > 0 && parents.has(mesh.parent)) mesh.isVisible = false;
    },
  }));
}

const EMPTY = new Float32Array(16);
export function secondUniforms(buffer, second) {
  buffer.updateMatrices('bakedSecondRows', second?.rows ?? EMPTY);
  second?.textures.forEach((texture, i) => buffer.setTexture(i ? 'bakedMask' : 'bakedSecond', texture));
}

// A mesh has either the opacity of the second texture or, beside surfaces of four textures, four weights.
export const SECOND_VERTEX_DEFINITIONS = `
#ifdef BSP2GLTF_SECOND
#ifdef BSP2GLTF_WEIGHTS
attribute vec4 bakedWeights;
#else
attribute float bakedBlend;
#endif
varying float vBakedSecond;
#endif
`;
export const SECOND_VERTEX = `
#ifdef BSP2GLTF_SECOND
#ifdef BSP2GLTF_WEIGHTS
  vBakedSecond = bakedWeights.y;
#else
  vBakedSecond = bakedBlend;
#endif
#endif
`;
export const SECOND = `
#ifdef BSP2GLTF_SECOND
varying float vBakedSecond;
uniform sampler2D bakedSecond;
#ifdef BSP2GLTF_MASK
uniform sampler2D bakedMask;
#endif
float bakedSecondShare() {
#ifdef BSP2GLTF_MASK
  vec3 at = vec3(bakedUV, 1.0);
  vec2 by = texture2D(bakedMask, vec2(dot(bakedSecondRows[0].xyz, at), dot(bakedSecondRows[1].xyz, at))).rg;
  float low = clamp(by.g - by.r, 0.0, 1.0), high = clamp(by.g + by.r, 0.0, 1.0);
  return high > low ? smoothstep(low, high, vBakedSecond) : step(high, vBakedSecond);
#else
  return clamp(vBakedSecond, 0.0, 1.0);
#endif
}
#endif
`;
