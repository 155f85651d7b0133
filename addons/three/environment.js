// Environment maps (Quake III's tcGen environment; docs/internals/readers.md of bsp2gltf). A material's textures include the mean
// colour of its reflection; the difference to what is seen from the camera is added, in display space.
import { Vector3 } from 'three';
import { curves, isNumbers } from '../shared/color.js';
import { materialsOf, stored } from './traverse.js';
import { declare, patch, replace } from './patch.js';
import { BEFORE_SUM, demandLight, ON_TEXEL } from './slots.js';

/**
 * Shows what the shiny surfaces of a loaded file reflect, in place of its mean colour. The promise ends when the textures are loaded.
 */
export function bsp2gltfEnvironment(gltf) {
  return Promise.all(
    materialsOf(gltf)
      .filter((m) => m.isMeshBasicMaterial || m.isBakedMaterial)
      .map((m) => show(gltf.parser, m, m.userData.environment)),
  );
}

function show(parser, material, x) {
  if (!Number.isInteger(x?.texture) || !isNumbers(x.mean, 3)) return null;
  const { transform: t = [1, 0, 0, 0, 1, 0], color = [1, 1, 1], factor = [1, 1, 1] } = x,
    shares = Number.isInteger(x.factor_texture) && !!material.map;
  if (!isNumbers(t, 6) || !isNumbers(color, 3) || !isNumbers(factor, 3)) return null;
  const uniforms = {
    mirrorMap: { value: null },
    mirrorShare: { value: null },
    mirrorMean: { value: new Vector3(...x.mean) },
    mirrorColor: { value: new Vector3(...color) },
    mirrorFactor: { value: new Vector3(...factor) },
    mirrorRows: { value: [new Vector3(...t.slice(0, 3)), new Vector3(...t.slice(3))] },
  };
  material.mirrorRows = uniforms.mirrorRows.value; // for motion.js
  const clear = material.transparent,
    glow = !!x.emission,
    tinted = !!x.vertex,
    baked = !!(material.isBakedMaterial && material.display);
  if (clear) material.premultipliedAlpha = true; // a reflection adds more light than alpha lets through
  const defines = [shares && 'MIRROR_SHARE', tinted && 'MIRROR_TINT', clear && 'MIRROR_CLEAR'].filter(Boolean),
    head = defines.map((d) => `#define ${d}\n`).join('');
  patch(material, `environment ${defines} ${glow} ${baked}`, (shader) => {
    Object.assign(shader.uniforms, uniforms);
    declare(shader, 'vertex', head + VERTEX);
    replace(shader, 'vertex', '#include <project_vertex>', `$&${PLACE}`);
    if (baked) addInLight(shader, glow);
    else
      replace(
        shader,
        'fragment',
        '#include <envmap_fragment>',
        'outgoingLight = mirrorDecode(clamp(mirrorEncode(outgoingLight) + mirrored(), vec3(0.0), mirrorMost(diffuseColor.a)));\n$&',
      );
    replace(shader, 'fragment', '#include <uv_pars_fragment>', `$&${FRAGMENT}`);
    declare(shader, 'fragment', head);
  });
  return Promise.all([x.texture, ...(shares ? [x.factor_texture] : [])].map((i) => stored(parser, i))).then(([picture, share]) => {
    uniforms.mirrorMap.value = picture;
    uniforms.mirrorShare.value = share ?? null;
  });
}

// addInLight adds the reflection where BakedMaterial multiplies texture and light: to the texture before, or to the emission.
function addInLight(shader, glow) {
  demandLight(shader);
  replace(
    shader,
    'fragment',
    ON_TEXEL,
    `$&\n${glow ? 'glowing += displayMore;' : 'texel = clamp(texel + displayMore, vec3(0.0), displayMost);'}`,
  );
  replace(shader, 'fragment', '#include <map_fragment>', '$&\ndisplayMore = mirrored();');
  replace(shader, 'fragment', BEFORE_SUM, '$&\ndisplayMost = mirrorMost(diffuseColor.a);');
}

// The engine's coordinates, per vertex: the reflected view direction along the mesh's left and up, which turn with the mesh.
const VERTEX = `
uniform vec3 mirrorRows[2];
varying vec2 vMirror;
#ifdef MIRROR_TINT
attribute vec4 _environment;
varying vec3 vMirrorTint;
#endif
`;
const PLACE = `
{
  mat4 place = modelMatrix;
#ifdef USE_INSTANCING
  place *= instanceMatrix;
#endif
  vec3 facing = normalize(normal), way = normalize((cameraPosition - (place * vec4(transformed, 1.0)).xyz) * mat3(place));
  vec3 back = 2.0 * dot(facing, way) * facing - way;
  vec3 seen = vec3(0.5 - 0.5 * back.z, 0.5 - 0.5 * back.y, 1.0);
  vMirror = vec2(dot(mirrorRows[0], seen), dot(mirrorRows[1], seen));
#ifdef MIRROR_TINT
  vMirrorTint = _environment.rgb;
#endif
}`;
const FRAGMENT = `
uniform sampler2D mirrorMap, mirrorShare;
uniform vec3 mirrorMean, mirrorColor, mirrorFactor;
varying vec2 vMirror;
#ifdef MIRROR_TINT
varying vec3 vMirrorTint;
#endif
vec3 mirrored() {
  vec3 sum = texture2D(mirrorMap, vMirror).rgb * mirrorColor;
#ifdef MIRROR_TINT
  sum *= vMirrorTint;
#endif
  sum = (sum - mirrorMean) * mirrorFactor;
#ifdef MIRROR_SHARE
  sum *= texture2D(mirrorShare, vMapUv).rgb;
#endif
  return sum;
}
vec3 mirrorMost(float alpha) {
#ifdef MIRROR_CLEAR
  return vec3(1.0 / max(alpha, 1e-3));
#else
  return vec3(1.0);
#endif
}
${curves('mirror')}`;
