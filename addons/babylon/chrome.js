// Chrome of GoldSrc's models: texture coordinates that follow the camera (docs/internals/readers.md of bsp2gltf).
import { isNumbers } from '../shared/color.js';

/** Gives a display plugin the factor on these coordinates, from a material's extras. */
export function setChrome(plugin, scale) {
  if (!isNumbers(scale, 2)) return;
  plugin.chrome = scale;
  plugin.markAllDefinesAsDirty();
}

export const CHROME_VERTEX_DEFINITIONS = `
#ifdef BSP2GLTF_CHROME
attribute vec3 bakedBone;
#endif
`;
// Relative to the vertex's bone, whose position moves with the vertex. The signs hold in either handedness.
export const CHROME_VERTEX = `
#ifdef BSP2GLTF_CHROME
{
  vec3 right = vec3(view[0][0], view[1][0], view[2][0]), up = vec3(view[0][1], view[1][1], view[2][1]);
  vec3 ahead = normalize((finalWorld * vec4(bakedBone, 1.0)).xyz - vEyePosition.xyz);
  vec3 down = normalize(cross(ahead, right));
  down *= dot(down, up) > 0.0 ? -1.0 : 1.0;
  vec3 side = normalize(cross(down, ahead)), facing = normalize(vNormalW);
  side *= dot(side, right) < 0.0 ? -1.0 : 1.0;
  vec2 seen = bakedChrome.xy * (1.0 + vec2(dot(facing, side), dot(facing, down)));
#if ALBEDODIRECTUV == 0
  vAlbedoUV = seen;
#else
  vMainUV1 = seen;
#endif
}
#endif
`;
