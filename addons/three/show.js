/** Settings that a viewer can offer: the strength of a map's light, and light or textures alone. */
import { materialsOf } from './traverse.js';
import { declare, patch, replace } from './patch.js';
import { demandLight } from './slots.js';

const ONLY = { lit: 0, light: 1, textures: 2 };

/**
 * Prepares the materials of a loaded file. Call it before exposure and fog. The result has strength, a factor on all baked light, and
 * only: 'lit', 'light' or 'textures'. Both may be set at any time.
 */
export function bsp2gltfShow(gltf) {
  const strength = { value: 1 }, only = { value: ONLY.lit }, rests = new WeakMap();
  for (const material of materialsOf(gltf)) {
    if (!material.isMeshBasicMaterial && !material.isBakedMaterial) continue;
    const { display = null } = material, plain = material.isBakedMaterial ? 'baked' : 'basic';
    const kind = display ? (display.vertex ? 'vertex' : 'texel') : plain;
    patch(material, `show ${kind}`, (shader) => choose(shader, { showStrength: strength, showOnly: only }, kind));
  }
  return {
    get strength() { return strength.value; },
    set strength(value) {
      strength.value = value;
      for (const material of materialsOf(gltf)) {
        if (!material.lightMap) continue;
        if (!rests.has(material)) rests.set(material, material.lightMapIntensity);
        material.lightMapIntensity = rests.get(material) * value;
      }
    },
    get only() { return Object.keys(ONLY)[only.value]; },
    set only(name) { only.value = ONLY[name] ?? ONLY.lit; },
  };
}

// Light alone and textures alone, by kind of material; both linear.
const ALONE = {
  vertex: ['displayDecode(clamp(displayLit(vColor.rgb), 0.0, 1.0))', 'displayShow(vec3(1.0), diffuseColor.rgb, totalEmissiveRadiance)'],
  texel: ['displayDecode(clamp(displayLit(displayPage()), 0.0, 1.0))', 'displayShow(vec3(1.0), diffuseColor.rgb, totalEmissiveRadiance)'],
  baked: ['vColor.rgb', 'showBase + totalEmissiveRadiance'],
  basic: ['vColor.rgb', 'showBase'],
};

const LINEAR = 'texture2D(lightMap, vLightMapUv).rgb * lightMapIntensity * RECIPROCAL_PI';

function choose(shader, uniforms, kind) {
  Object.assign(shader.uniforms, uniforms);
  const [light, textures] = ALONE[kind];
  if (kind !== 'basic') demandLight(shader);
  // Vertex colours are light, except beside a lightmap.
  declare(shader, 'vertex', 'uniform float showStrength;');
  replace(shader, 'vertex', '#include <color_vertex>', `$&
#if !defined(USE_LIGHTMAP) && (defined(USE_COLOR) || defined(USE_COLOR_ALPHA))
  vColor.rgb *= showStrength;
#endif`);
  declare(shader, 'fragment', 'uniform int showOnly;');
  replace(shader, 'fragment', '#include <map_fragment>', '$&\nvec3 showBase = diffuseColor.rgb;');
  replace(shader, 'fragment', '#include <opaque_fragment>', `
#if defined(USE_LIGHTMAP)
  if (showOnly == 1) outgoingLight = ${kind === 'texel' ? light : LINEAR};
#elif ${kind === 'texel' ? '0' : 'defined(USE_COLOR) || defined(USE_COLOR_ALPHA)'}
  if (showOnly == 1) outgoingLight = ${kind === 'texel' ? 'vec3(1.0)' : light};
#else
  if (showOnly == 1) outgoingLight = vec3(1.0);
#endif
#if ${kind === 'texel' ? 'defined(USE_LIGHTMAP)' : '1'}
  if (showOnly == 2) outgoingLight = ${textures};
#endif
$&`);
}
