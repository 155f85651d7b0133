// Pictures of the surroundings (Quake III's tcGen environment; docs/extras.md of bsp2gltf): a material's images include their mean
// colour, and what a viewer at this place sees more or less of is added, as displayed.
import { NoColorSpace, Vector3 } from 'three';
import { patch } from './patch.js';

const numbers = (list, count) => Array.isArray(list) && list.length === count && list.every(Number.isFinite);

/** A texture of the file as stored, whoever else decodes it. */
export async function stored(parser, index) {
  const texture = (await parser.getDependency('texture', index)).clone();
  texture.colorSpace = NoColorSpace;
  texture.needsUpdate = true;
  return texture;
}

/** Shows the picture of the surroundings of a material, once its textures are there. */
export async function showEnvironment(parser, material, x) {
  if (!Number.isInteger(x?.texture) || !numbers(x.mean, 3)) return;
  const { transform: t = [1, 0, 0, 0, 1, 0], color = [1, 1, 1], factor = [1, 1, 1] } = x, shares = Number.isInteger(x.factor_texture) && !!material.map;
  if (!numbers(t, 6) || !numbers(color, 3) || !numbers(factor, 3)) return;
  const [picture, share] = await Promise.all([x.texture, ...(shares ? [x.factor_texture] : [])].map((i) => stored(parser, i)));
  const uniforms = {
    mirrorMap: { value: picture }, mirrorShare: { value: share ?? null }, mirrorMean: { value: new Vector3(...x.mean) }, mirrorColor: { value: new Vector3(...color) },
    mirrorFactor: { value: new Vector3(...factor) }, mirrorRows: { value: [new Vector3(...t.slice(0, 3)), new Vector3(...t.slice(3))] },
  };
  const clear = material.transparent, glow = !!x.emission, tinted = !!x.vertex, baked = !!(material.isBakedMaterial && material.display);
  if (clear) material.premultipliedAlpha = true; // light that is added is more than alpha lets through
  const defines = [shares && 'MIRROR_SHARE', tinted && 'MIRROR_TINT', clear && 'MIRROR_CLEAR'].filter(Boolean);
  patch(material, `environment ${defines} ${glow} ${baked}`, (shader) => {
    Object.assign(shader.uniforms, uniforms);
    const head = defines.map((d) => `#define ${d}\n`).join('');
    shader.vertexShader = head + VERTEX + shader.vertexShader.replace('#include <project_vertex>', `$&${PLACE}`);
    shader.fragmentShader = head + (baked ? inLight(shader.fragmentShader, glow)
      : shader.fragmentShader.replace('#include <envmap_fragment>', `outgoingLight = mirrorDecode(min(max(mirrorEncode(outgoingLight) + mirrored(), 0.0), mirrorMost(diffuseColor.a)));\n$&`))
      .replace('#include <uv_pars_fragment>', `$&${FRAGMENT}`);
  });
}

// inLight adds where BakedMaterial multiplies texture and light: to the texture before, or to the emission.
function inLight(shader, glow) {
  return shader
    .replace('vec3 displayShow(', 'vec3 displayMore = vec3(0.0), displayMost = vec3(1.0);\n$&')
    .replace(glow ? 'displayEncode(glow) * displayEmission' : 'pow(displayEncode(base), ', glow ? '(displayEncode(glow) * displayEmission + displayMore)' : 'pow(clamp(displayEncode(base) + displayMore, vec3(0.0), displayMost), ')
    .replace('displayDecode(min(shown, vec3(1.0)))', 'displayDecode(clamp(shown, vec3(0.0), displayMost))')
    .replace('#include <map_fragment>', '$&\ndisplayMore = mirrored();')
    .replace('vec3 totalEmissiveRadiance', 'displayMost = mirrorMost(diffuseColor.a);\n$&');
}

// Versions before r165 set cameraPosition only for some materials; the view matrix has it too. The engine's coordinates, of each vertex: the viewer's direction reflected, along the game's left and up.
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
  vec4 at = vec4(transformed, 1.0);
  vec3 facing = normal;
#ifdef USE_INSTANCING
  at = instanceMatrix * at;
  facing = mat3(instanceMatrix) * facing;
#endif
  facing = normalize(mat3(modelMatrix) * facing);
  vec3 way = normalize(-viewMatrix[3].xyz * mat3(viewMatrix) - (modelMatrix * at).xyz), back = 2.0 * dot(facing, way) * facing - way;
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
vec3 mirrorEncode(vec3 v) {
  return mix(1.055 * pow(max(v, vec3(1e-8)), vec3(1.0 / 2.4)) - 0.055, v * 12.92, vec3(lessThanEqual(v, vec3(0.0031308))));
}
vec3 mirrorDecode(vec3 v) {
  return mix(pow((max(v, vec3(0.04045)) + 0.055) / 1.055, vec3(2.4)), v / 12.92, vec3(lessThanEqual(v, vec3(0.04045))));
}
`;
