import { Color, MeshBasicMaterial, ShaderChunk, UniformsLib, UniformsUtils, Vector3, Vector4 } from 'three';
import { curves, toLinear } from '../shared/color.js';
import { declare, replace, unknown } from './patch.js';
import { ON_LIGHT, ON_SHOWN, ON_TEXEL } from './places.js';

/**
 * A surface lit by its light map alone. MeshBasicMaterial multiplies colour by light map in every version of three,
 * and no lamp or environment is added to it; what it lacks is emission, and light that is multiplied as displayed.
 * WebGPURenderer sees a plain MeshBasicMaterial.
 */
export class BakedMaterial extends MeshBasicMaterial {
  constructor(parameters) {
    super();
    this.isBakedMaterial = true;
    this.emissive = new Color(0x000000);
    this.emissiveIntensity = 1;
    this.emissiveMap = null;
    this.display = null;
    this.setValues(parameters);
  }

  // GLTFLoader prepares parameters for a MeshStandardMaterial; those that mean nothing here are left out.
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
    Object.assign(shader.uniforms, UniformsUtils.clone(UniformsLib.emissivemap), { emissive: { value: new Color() } });
    let sum = 'outgoingLight += totalEmissiveRadiance;',
      more = '';
    if (this.defines?.BAKED_STORED !== undefined) decode(shader);
    if (this.display) {
      Object.assign(shader.uniforms, displayUniforms(this.display));
      more = DISPLAY_FUNCTIONS;
      sum = this.display.vertex ? DISPLAY_VERTEX : DISPLAY_TEXEL;
      // The vertices' colour is light, and no part of the base colour.
      if (this.display.vertex)
        replace(shader, 'fragment', '#include <color_fragment>', '#ifdef USE_COLOR_ALPHA\n\tdiffuseColor.a *= vColor.a;\n#endif');
    }
    replace(
      shader,
      'fragment',
      '#include <lightmap_pars_fragment>',
      `$&\n#include <emissivemap_pars_fragment>\nuniform vec3 emissive;\n${more}`,
    );
    replace(
      shader,
      'fragment',
      '#include <envmap_fragment>',
      `vec3 totalEmissiveRadiance = emissive;\n#include <emissivemap_fragment>\n${sum}\n$&`,
    );
  }
}

// decode has three's own text decode what it reads of textures that are filtered as stored: it does so for video.
function decode(shader) {
  for (const [chunk, name] of [
    ['map_fragment', 'DECODE_VIDEO_TEXTURE'],
    ['emissivemap_fragment', 'DECODE_VIDEO_TEXTURE_EMISSIVE'],
  ]) {
    if (!ShaderChunk[chunk].includes(`#ifdef ${name}\n`)) throw unknown(`"${name}" in ${chunk}`);
    declare(shader, 'fragment', `#define ${name}`);
  }
}

function displayUniforms({ albedo, exponent, gain = 1, emission = [1, 1, 1], strength = 1 }) {
  return {
    // x: what goes to the light from what the light map shows; y: d(a); z: what goes from e(x d(a)) to light; w: the exponent
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
