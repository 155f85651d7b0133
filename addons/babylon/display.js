// The product of texture and light (docs/internals/light.md), and what changes the texture before and the result after: reflections, a
// second texture, details, and multiplying the background.
import { curves, isNumbers, toLinear } from '../shared/color.js';
import { DIRECTED, DIRECTED_SAMPLERS, DIRECTED_VERTEX, DIRECTED_VERTEX_DEFINITIONS, directedUniforms } from './directed.js';
import { BRIGHT_VERTEX } from './bright.js';
import { CHROME_VERTEX, CHROME_VERTEX_DEFINITIONS } from './chrome.js';
import { MIRRORED, mirrorUniforms, VERTEX, VERTEX_DEFINITIONS } from './environment.js';
import { loadOver, OVER, overUniforms } from './details.js';
import { SECOND, SECOND_VERTEX, SECOND_VERTEX_DEFINITIONS, secondUniforms } from './second.js';

export const NAME = 'bsp2gltf_display';
export const BLENDED = 4; // ALPHA_MULTIPLY, which nothing else here uses: marks surfaces with a blend mode that Babylon.js lacks
const MAX_DETAILS = 2;

/**
 * Gives a plugin the detail textures of docs/internals/readers.md as they are loaded; their pixels are used as stored. Those without a
 * mode apply to light that is multiplied in display space.
 */
export function loadDetails(loader, context, plugin, details, displayed) {
  const list = (Array.isArray(details) ? details : []).filter((d) => Number.isInteger(d?.texture) && isNumbers(d.transform, 6)).slice(0, MAX_DETAILS);
  if (list[0]?.mode !== undefined) loadOver(loader, context, plugin, list[0]);
  else if (displayed) list.forEach(({ texture: index, transform }, i) => plugin.load(loader, `${context}/details/${i}`, index, (texture) => plugin.addDetail(texture, transform)));
}


/**
 * Returns a function that gives a PBRMaterial the product of docs/internals/light.md or, without how, the linear product. Where the
 * graphics card does not decode sRGB, Babylon.js converts to linear light and back by plain powers; this plugin's functions restore the
 * values of images, and return the result so that it is shown unchanged.
 */
export function displayPlugin(MaterialPluginBase) {
  class DisplayPlugin extends MaterialPluginBase {
    constructor(material, how, vertex, strength) {
      super(material, NAME, 200, { BSP2GLTF_DISPLAY: false, BSP2GLTF_LINEAR: false, BSP2GLTF_VERTEX: false, BSP2GLTF_SRGB: false, BSP2GLTF_PAGE_SRGB: false, BSP2GLTF_DETAILS: 0, BSP2GLTF_BRIGHT: false, BSP2GLTF_LAMPS: false, BSP2GLTF_CHROME: false, BSP2GLTF_MIRROR: false, BSP2GLTF_SHARE: false, BSP2GLTF_TINT: false, BSP2GLTF_GLOW: false, BSP2GLTF_CLEAR: false, BSP2GLTF_MULTIPLY: false, BSP2GLTF_BEHIND: false, BSP2GLTF_SECOND: false, BSP2GLTF_MASK: false, BSP2GLTF_WEIGHTS: false, BSP2GLTF_OVER: -1, BSP2GLTF_OVER_SRGB: false, BSP2GLTF_DIRECTED: false, BSP2GLTF_SLOPES: false, BSP2GLTF_GLOSS: false });
      const { albedo = 1, exponent = 1, gain = 1, emission = [1, 1, 1], texture = 1 } = how ?? {};
      this.vertex = vertex;
      this.linear = !how;
      this.material = material;
      this.light = { x: strength * texture / gain ** 2.2, y: toLinear(albedo), z: gain / albedo ** exponent, w: exponent };
      this.emission = emission;
      this.texture = 1 / texture; // the file's texture is brighter than the game's by its inverse
      this.details = [];
      this.rows = new Float32Array(8 * MAX_DETAILS);
      this.mirror = null; // set by environment.js
      this.bright = false;
      this.lamps = false; // of the scene add to the baked light
      this.chrome = null; // set by chrome.js
      this.behind = null;
      this.second = null; // set by second.js
      this.over = null; // set by details.js
      this.directed = null; // set by directed.js
      this.blending = null;
      this.textures = new Set(); // textures loaded for this plugin only
      this._enable(true);
    }
    // load loads a texture of the file, whose pixels are used as stored. The loader doesn't wait for it, because it may never arrive:
    // the surface is drawn when all its textures are there.
    load(loader, context, index, use) {
      const load = async () => loader.loadTextureInfoAsync(context, { index, nonColorData: true }, (texture) => {
        this.textures.add(texture);
        if (this.disposed) texture.dispose();
        else use(texture);
      });
      load().catch((error) => console.warn(`bsp2gltf: texture ${index} is missing: ${error.message}`));
    }
    isReadyForSubMesh() {
      const list = [];
      this.getActiveTextures(list);
      return list.every((texture) => texture.isReadyOrNotBlocking());
    }
    dispose() {
      this.disposed = true;
      for (const texture of this.textures) texture.dispose();
    }
    addDetail(texture, transform) {
      this.rows.set([...transform.slice(0, 3), 0, ...transform.slice(3), 0], 8 * this.details.length);
      this.details.push(texture);
      this.markAllDefinesAsDirty();
    }
    blendAs(source, behind, { multiplies = false } = {}) {
      this.blending = [source, behind];
      this.multiplies = multiplies;
      this.material.alphaMode = BLENDED;
      this.markAllDefinesAsDirty();
    }
    isCompatible(language) { return language === 0; } // GLSL
    getActiveTextures(list) { list.push(...this.details, ...(this.mirror ? this.mirror.textures : []), ...(this.behind ? [this.behind.texture] : []), ...(this.second ? this.second.textures : []), ...(this.over ? this.over.textures : []), ...Object.values(this.directed?.textures ?? {})); }
    getSamplers(names) { names.push('bakedDetail0', 'bakedDetail1', 'bakedAround', 'bakedShare', 'bakedBehind', 'bakedSecond', 'bakedMask', 'bakedOverBase', 'bakedOverMap', ...DIRECTED_SAMPLERS); }
    getAttributes(names, scene, mesh) {
      const wanted = [...(this.chrome ? ['bakedBone'] : []), ...(this.mirror?.tinted ? ['bakedTint'] : []), ...(this.second ? ['bakedBlend', 'bakedWeights'] : [])];
      names.push(...wanted.filter((kind) => mesh.isVerticesDataPresent(kind)));
    }
    prepareDefinesBeforeAttributes(defines, scene, mesh) {
      defines.BSP2GLTF_DETAILS = mesh.isVerticesDataPresent('uv') ? this.details.length : 0;
      defines.BSP2GLTF_MIRROR = !!this.mirror && mesh.isVerticesDataPresent('normal');
      defines.BSP2GLTF_BRIGHT = this.bright;
      defines.BSP2GLTF_LAMPS = this.lamps;
      defines.BSP2GLTF_CHROME = !!this.chrome && ['normal', 'uv', 'bakedBone'].every((kind) => mesh.isVerticesDataPresent(kind)) && !!this.material.albedoTexture;
      defines.BSP2GLTF_SHARE = this.mirror?.textures.length > 1 && mesh.isVerticesDataPresent('uv');
      defines.BSP2GLTF_TINT = !!this.mirror?.tinted && mesh.isVerticesDataPresent('bakedTint');
      defines.BSP2GLTF_GLOW = !!this.mirror?.glow;
      defines.BSP2GLTF_CLEAR = !!this.mirror && !!this.blending;
      defines.BSP2GLTF_MULTIPLY = !!this.multiplies;
      defines.BSP2GLTF_BEHIND = !!this.behind && mesh.isVerticesDataPresent('uv');
      defines.BSP2GLTF_WEIGHTS = !!this.second && mesh.isVerticesDataPresent('bakedWeights');
      defines.BSP2GLTF_SECOND = !!this.second && mesh.isVerticesDataPresent('uv') && (defines.BSP2GLTF_WEIGHTS || mesh.isVerticesDataPresent('bakedBlend'));
      defines.BSP2GLTF_OVER = this.over && mesh.isVerticesDataPresent('uv') ? this.over.mode : -1;
      defines.BSP2GLTF_OVER_SRGB = !!this.over?.srgb;
      defines.BSP2GLTF_MASK = defines.BSP2GLTF_SECOND && this.second.textures.length > 1;
      const uv = mesh.isVerticesDataPresent('uv'), { slopes, gloss } = this.directed?.textures ?? {};
      defines.BSP2GLTF_DIRECTED = !!this.directed && mesh.isVerticesDataPresent('normal') && mesh.isVerticesDataPresent('uv2');
      defines.BSP2GLTF_SLOPES = defines.BSP2GLTF_DIRECTED && !!slopes && uv;
      defines.BSP2GLTF_GLOSS = defines.BSP2GLTF_DIRECTED && !!gloss && uv;
      if (defines.BSP2GLTF_CHROME || defines.BSP2GLTF_MIRROR || defines.BSP2GLTF_DIRECTED) defines._needNormals = true;
      if (defines.BSP2GLTF_DETAILS || defines.BSP2GLTF_OVER >= 0 || defines.BSP2GLTF_SHARE || defines.BSP2GLTF_BEHIND || defines.BSP2GLTF_SECOND) defines._needUVs = defines.MAINUV1 = true;
    }
    prepareDefines(defines, scene, mesh) {
      const lit = this.vertex || mesh.isVerticesDataPresent('uv2');
      defines.BSP2GLTF_DISPLAY = lit;
      defines.BSP2GLTF_LINEAR = this.linear;
      defines.BSP2GLTF_VERTEX = this.vertex;
      const { albedoTexture, emissiveTexture, lightmapTexture } = this.material, decoded = (texture) => !!texture?.getInternalTexture()?._useSRGBBuffer; // by the card
      defines.BSP2GLTF_SRGB = decoded(albedoTexture ?? emissiveTexture);
      defines.BSP2GLTF_PAGE_SRGB = decoded(lightmapTexture);
    }
    getUniforms() {
      return {
        ubo: [{ name: 'bakedDisplay', size: 4, type: 'vec4' }, { name: 'bakedEmission', size: 4, type: 'vec4' }, { name: 'bakedDetails', size: 16, type: 'mat4' },
          { name: 'bakedMirror', size: 16, type: 'mat4' }, { name: 'bakedBehindFactor', size: 4, type: 'vec4' }, { name: 'bakedSecondRows', size: 16, type: 'mat4' },
          { name: 'bakedOverRows', size: 16, type: 'mat4' }, { name: 'bakedDirected', size: 4, type: 'vec4' }, { name: 'bakedChrome', size: 4, type: 'vec4' }],
        vertex: '#ifdef BSP2GLTF_CHROME\nuniform vec4 bakedChrome;\n#endif\n',
        fragment: '#ifdef BSP2GLTF_DISPLAY\nuniform vec4 bakedDisplay;\nuniform vec4 bakedEmission;\nuniform mat4 bakedDetails;\nuniform mat4 bakedMirror;\nuniform vec4 bakedBehindFactor;\nuniform mat4 bakedSecondRows;\nuniform mat4 bakedOverRows;\nuniform vec4 bakedDirected;\n#endif\n',
      };
    }
    bindForSubMesh(buffer, scene, engine) {
      mirrorUniforms(buffer, this.mirror);
      secondUniforms(buffer, this.second);
      overUniforms(buffer, this.over);
      directedUniforms(buffer, this.directed);
      buffer.updateFloat4('bakedChrome', ...(this.chrome ?? [0, 0]), 0, 0);
      buffer.updateFloat4('bakedBehindFactor', ...(this.behind?.factor ?? [1, 1, 1]), 1);
      if (this.behind) buffer.setTexture('bakedBehind', this.behind.texture);
      if (this.blending) engine.alphaState.setAlphaBlendFunctionParameters(...this.blending, 1, 0x303);
      const { x, y, z, w } = this.light;
      buffer.updateFloat4('bakedDisplay', x, y, z, w);
      buffer.updateFloat4('bakedEmission', ...this.emission, this.texture);
      buffer.updateMatrices('bakedDetails', this.rows);
      this.details.forEach((texture, i) => buffer.setTexture(`bakedDetail${i}`, texture));
    }
    getClassName() { return 'Bsp2gltfDisplayPlugin'; }
    getCustomCode(stage) {
      if (stage === 'vertex') return { CUSTOM_VERTEX_DEFINITIONS: VERTEX_DEFINITIONS + CHROME_VERTEX_DEFINITIONS + SECOND_VERTEX_DEFINITIONS + DIRECTED_VERTEX_DEFINITIONS, CUSTOM_VERTEX_MAIN_END: VERTEX + BRIGHT_VERTEX + CHROME_VERTEX + SECOND_VERTEX + DIRECTED_VERTEX };
      return stage === 'fragment' ? { CUSTOM_FRAGMENT_DEFINITIONS: FUNCTIONS, CUSTOM_FRAGMENT_BEFORE_FOG: MAIN } : null;
    }
  }
  return (...parameters) => new DisplayPlugin(...parameters);
}

const FUNCTIONS = `
#if defined(ALBEDO) && ALBEDODIRECTUV == 0
#define bakedUV vAlbedoUV
#else
#define bakedUV vMainUV1
#endif
#ifdef BSP2GLTF_DISPLAY
${curves('baked')}#if BSP2GLTF_DETAILS > 0
uniform sampler2D bakedDetail0;
#endif
#if BSP2GLTF_DETAILS > 1
uniform sampler2D bakedDetail1;
#endif
#ifdef BSP2GLTF_BEHIND
uniform sampler2D bakedBehind;
#endif
${MIRRORED}${SECOND}${OVER}${DIRECTED}
// bakedStored returns what a texture holds, times a linear factor.
vec3 bakedStored(vec3 v, vec3 factor) {
#ifdef BSP2GLTF_SRGB
  return bakedEncode(v);
#else
  return bakedEncode(bakedDecode(toGammaSpace(v / max(factor, vec3(1e-6)))) * factor);
#endif
}
vec3 bakedPage(vec3 v) {
#ifdef BSP2GLTF_PAGE_SRGB
  return v;
#else
  return bakedDecode(toGammaSpace(v));
#endif
}
#endif
`;
const MAIN = `
#ifdef BSP2GLTF_DISPLAY
{
  vec3 factor = vAlbedoColor.rgb, x = vec3(1.0);
#ifdef VERTEXCOLOR
  factor *= vColor.rgb;
#endif
  vec3 texel = bakedStored(surfaceAlbedo, factor), glowing = bakedStored(finalEmissive, vEmissiveColor * vLightingIntensity.y);
#if defined(BSP2GLTF_VERTEX)
#ifdef VERTEXCOLOR
  x = vColor.rgb;
  texel = bakedEncode(bakedDecode(texel) * bakedEmission.w / max(x, vec3(1e-6)));
  factor = vAlbedoColor.rgb * bakedEmission.w;
#endif
#elif defined(LIGHTMAP)
  x = bakedPage(lightmapColor.rgb / vLightmapInfos.y) * vLightmapInfos.y;
#endif
#if BSP2GLTF_OVER >= 0
  texel = bakedEncode(bakedOver() * vAlbedoColor.rgb);
#endif
#ifdef BSP2GLTF_SECOND
  texel = bakedEncode(mix(bakedDecode(texel), factor * bakedDecode(texture2D(bakedSecond, bakedUV).rgb), bakedSecondShare()));
#endif
  vec3 more = vec3(0.0), most = vec3(1.0);
#ifdef BSP2GLTF_MIRROR
  more = bakedMirrored();
#ifdef BSP2GLTF_CLEAR
  most /= max(finalColor.a, 1e-3);
#endif
#ifdef BSP2GLTF_GLOW
  vec3 moreGlow = more;
  more = vec3(0.0);
#endif
  texel = clamp(texel + more, vec3(0.0), most);
#endif
#ifdef BSP2GLTF_LINEAR
  vec3 shown = bakedEncode(bakedDecode(texel) * x + bakedDecode(glowing));
#else
  vec3 light = bakedEncode(x * bakedDisplay.x * bakedDisplay.y) * bakedDisplay.z;
#if defined(BSP2GLTF_DIRECTED) && defined(LIGHTMAP)
  vec3 shine;
  light = bakedTurned(light, vLightmapUV, shine);
#endif
  vec3 shown = pow(texel, vec3(bakedDisplay.w)) * light;
#if defined(BSP2GLTF_DIRECTED) && defined(LIGHTMAP)
  shown += shine;
#endif
#if BSP2GLTF_DETAILS > 0
  vec2 fine = vec4(vMainUV1, 1.0, 0.0) * mat2x4(bakedDetails[0], bakedDetails[1]);
  shown = min(shown, vec3(1.0)) * 2.0 * texture2D(bakedDetail0, fine).rgb;
#endif
#if BSP2GLTF_DETAILS > 1
  fine = vec4(vMainUV1, 1.0, 0.0) * mat2x4(bakedDetails[2], bakedDetails[3]);
  shown = min(shown, vec3(1.0)) * 2.0 * texture2D(bakedDetail1, fine).rgb;
#endif
  shown += glowing * bakedEmission.rgb;
#endif
#ifdef BSP2GLTF_GLOW
  shown += moreGlow;
#endif
#ifdef BSP2GLTF_CLEAR
  shown = max(shown, vec3(0.0)) * finalColor.a;
#endif
#ifdef BSP2GLTF_BEHIND
  shown = 0.5 * bakedBehindFactor.rgb * texture2D(bakedBehind, bakedUV).rgb;
#if !defined(BSP2GLTF_LINEAR) && !defined(BSP2GLTF_VERTEX)
  shown *= light;
#endif
#elif defined(BSP2GLTF_MULTIPLY)
  shown = mix(vec3(0.5), shown, finalColor.a);
#endif
#ifndef BSP2GLTF_LINEAR
  shown = min(shown, vec3(1.0)); // linear light is clipped after fog, as in Source
#endif
#if defined(BSP2GLTF_LAMPS) && !defined(UNLIT)
  vec3 lamps = finalDiffuse;
#ifdef BSP2GLTF_VERTEX
  lamps /= max(x, vec3(1e-6)); // the vertices' colours are light, not a part of the base colour
#endif
  shown = bakedEncode(bakedDecode(max(shown, vec3(0.0))) + lamps);
#endif
  finalColor.rgb = toLinearSpace(max(shown, vec3(0.0)));
}
#endif
`;
