import { Color, MeshBasicMaterial, MeshLambertMaterial, ShaderChunk, SRGBColorSpace, UniformsLib, UniformsUtils, Vector3, Vector4 } from 'three';
import { curves, toLinear } from '../shared/color.js';
import { applyOrWarn, declare, fail, replace } from './patch.js';
import { BEFORE_SUM, ON_LIGHT, ON_SHOWN, ON_TEXEL } from './slots.js';

// baked returns a subclass of a material class for surfaces with baked light. It adds what three.js' classes lack: emission
// (MeshBasicMaterial), and light multiplied in display space. WebGPURenderer ignores these shaders: see webgpu.js.
const baked = (Base) => class extends Base {
  constructor(parameters) {
    super();
    this.isBakedMaterial = true;
    this.emissive = new Color(0x000000);
    this.emissiveIntensity = 1;
    this.emissiveMap = null;
    this.display = null;
    this.setValues(parameters);
  }

  // GLTFLoader prepares parameters for a MeshStandardMaterial; those that this class lacks are left out.
  setValues(values) {
    if (!values) return;
    super.setValues(Object.fromEntries(Object.entries(values).filter(([key]) => this[key] !== undefined && key !== 'display')));
    if ('display' in values) this.display = values.display;
  }

  copy(source) {
    super.copy(source);
    this.emissive.copy(source.emissive);
    this.emissiveIntensity = source.emissiveIntensity;
    this.emissiveMap = source.emissiveMap;
    this.display = source.display;
    if (source.defines) this.defines = { ...source.defines };
    return this;
  }

  customProgramCacheKey() {
    return `baked ${this.display ? (this.display.vertex ? 'vertex' : 'texel') : 'linear'}`;
  }

  onBeforeCompile(shader) {
    if (this.defines?.BAKED_STORED !== undefined && !applyOrWarn(shader, 'decoding', decode)) decodeByCard(this);
    applyOrWarn(shader, 'light', () => compile(shader, this));
  }
};

/** A surface lit only by its baked light: lamps and environments add nothing. */
export class BakedMaterial extends baked(MeshBasicMaterial) {}

/** A surface lit by its baked light and by the scene's lamps, with their shadows. Ambient lights and environments add nothing. */
export class BakedLambertMaterial extends baked(MeshLambertMaterial) {}

function compile(shader, { display, isMeshLambertMaterial: lamps }) {
  let sum = 'outgoingLight += totalEmissiveRadiance;', functions = '';
  if (display) {
    Object.assign(shader.uniforms, displayUniforms(display));
    functions = DISPLAY_FUNCTIONS;
    sum = display.vertex ? DISPLAY_VERTEX : DISPLAY_TEXEL;
    // Vertex colours are light, not a part of the base colour.
    if (display.vertex) replace(shader, 'fragment', '#include <color_fragment>', '#ifdef USE_COLOR_ALPHA\n\tdiffuseColor.a *= vColor.a;\n#endif');
  }
  if (lamps) {
    replace(shader, 'fragment', '#include <lightmap_pars_fragment>', `$&\n${functions}`);
    const colors = display?.vertex ? '#ifdef USE_COLOR_ALPHA\n\tdiffuseColor.a *= vColor.a;' : '#include <color_fragment>';
    replace(shader, 'fragment', colors, 'vec3 bakedBase = diffuseColor.rgb;\n$&');
    replace(shader, 'fragment', '#include <envmap_fragment>', `${LAMPS}${BEFORE_SUM}\n${sum}\noutgoingLight += lampLight;\n$&`);
    return;
  }
  Object.assign(shader.uniforms, UniformsUtils.clone(UniformsLib.emissivemap), { emissive: { value: new Color() } });
  replace(shader, 'fragment', '#include <lightmap_pars_fragment>', `$&\n#include <emissivemap_pars_fragment>\nuniform vec3 emissive;\n${functions}`);
  replace(shader, 'fragment', '#include <envmap_fragment>', `vec3 totalEmissiveRadiance = emissive;\n#include <emissivemap_fragment>\n${BEFORE_SUM}\n${sum}\n$&`);
}

// decode makes three.js' own shader text decode textures that are filtered as stored, as it does for videos.
function decode(shader) {
  for (const [chunk, name] of [
    ['map_fragment', 'DECODE_VIDEO_TEXTURE'],
    ['emissivemap_fragment', 'DECODE_VIDEO_TEXTURE_EMISSIVE'],
  ]) {
    if (!ShaderChunk[chunk].includes(`#ifdef ${name}\n`)) fail(`"${name}" in ${chunk}`);
    declare(shader, 'fragment', `#define ${name}`);
  }
}

// decodeByCard makes the graphics card decode instead: then textures are filtered in linear light.
function decodeByCard(material) {
  for (const name of ['map', 'emissiveMap']) if (material[name]) Object.assign(material[name], { colorSpace: SRGBColorSpace, needsUpdate: true });
}

function displayUniforms({ albedo, exponent, gain = 1, emission = [1, 1, 1], strength = 1 }) {
  return {
    // x: from the lightmap's value to light; y: toLinear(albedo); z: from toDisplayed(x · y) to light; w: the exponent
    displayLight: { value: new Vector4(strength / gain ** 2.2, toLinear(albedo), gain / albedo ** exponent, exponent) },
    displayEmission: { value: new Vector3(...emission) },
  };
}

const DISPLAY_FUNCTIONS = `
uniform vec4 displayLight;
uniform vec3 displayEmission;
vec3 displayMore = vec3(0.0), displayMost = vec3(1.0);
${curves('display')}
vec3 displayLit(vec3 x) {
  return displayEncode(x * displayLight.x * displayLight.y) * displayLight.z;
}
#ifdef USE_LIGHTMAP
vec3 displayPage() {
  vec3 x = texture2D(lightMap, vLightMapUv).rgb;
#ifdef BAKED_STORED
  x = displayDecode(x);
#endif
  return x * lightMapIntensity * RECIPROCAL_PI;
}
#endif
vec3 displayShow(vec3 light, vec3 base, vec3 glow) {
  vec3 texel = displayEncode(base), glowing = displayEncode(glow) * displayEmission;
  ${ON_TEXEL}
  vec3 shown = pow(texel, vec3(displayLight.w)) * light;
  ${ON_SHOWN}
  return displayDecode(clamp(shown + glowing, vec3(0.0), displayMost));
}
`;
const DISPLAY_TEXEL = `
#ifdef USE_LIGHTMAP
  vec3 lightShown = displayLit(displayPage());
  ${ON_LIGHT}
  outgoingLight = displayShow(lightShown, diffuseColor.rgb, totalEmissiveRadiance);
#else
  outgoingLight += totalEmissiveRadiance;
#endif`;
const DISPLAY_VERTEX = `
#if defined(USE_COLOR_ALPHA) || defined(USE_COLOR)
  outgoingLight = displayShow(displayLit(vColor.rgb), diffuseColor.rgb, totalEmissiveRadiance);
#else
  outgoingLight = displayShow(displayLit(vec3(1.0 / displayLight.x)), diffuseColor.rgb, totalEmissiveRadiance);
#endif`;
// The lamps' light is multiplied by the base colour. Where vertex colours are light, they are divided out.
const LAMPS = `
vec3 lampLight = reflectedLight.directDiffuse;
outgoingLight = diffuseColor.rgb;
#ifdef USE_LIGHTMAP
outgoingLight *= texture2D(lightMap, vLightMapUv).rgb * lightMapIntensity * RECIPROCAL_PI;
#elif defined(USE_COLOR) || defined(USE_COLOR_ALPHA)
lampLight *= bakedBase / max(diffuseColor.rgb, vec3(1e-4));
#endif
`;
