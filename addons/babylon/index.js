/**
 * Shows bsp2gltf's glTF files in Babylon.js as their games do: baked light (MOZ_lightmap), multiplied as the game does where the file says
 * how (docs/light.md), sky, sprites, fog, movement. bsp2gltf(BABYLON.GLTF2.GLTFLoader), or the GLTFLoader of @babylonjs/loaders with
 * { MaterialPluginBase } of @babylonjs/core, once, before loading.
 */
import { registerActs } from './acts.js';
import { loadBehind, loadMirror, mirrorUniforms, registerTints, VERTEX, VERTEX_DEFINITIONS, MIRRORED } from './environment.js';
import { registerFog } from './fog.js';
import { registerHidden } from './hidden.js';
import { registerMotion } from './motion.js';
import { registerOrder } from './order.js';
import { registerSky } from './sky.js';
import { registerSprites } from './sprites.js';
import { registerStyles } from './styles.js';

export { bsp2gltfActs } from './acts.js';
export { bsp2gltfMotion } from './motion.js';
export { bsp2gltfStyles } from './styles.js';

const EXTENSION = 'MOZ_lightmap', UNLIT = 'KHR_materials_unlit', NAME = 'bsp2gltf_display', STORED = 'bsp2gltf_stored', MOST_DETAILS = 2;
const BLENDED = 4; // ALPHA_MULTIPLY: a mode that nothing else here has, for surfaces that blend in a way that Babylon has no mode for

export function bsp2gltf(GLTFLoader, {
  strength = 1, display = true, fog = true, exposure = true, environment = true, sky = true, sprites = true, hidden = true, motion = true,
  MaterialPluginBase = globalThis.BABYLON?.MaterialPluginBase,
} = {}) {
  const makePlugin = display && MaterialPluginBase ? displayPlugin(MaterialPluginBase) : null;
  let warned = false;
  // Linear light goes through the plugin too, for Babylon's own way to the screen is a plain power of 2.2, and too bright where it is dark.
  const multiply = (loader, context, extension, babylonMaterial, vertex, { extras = {}, alphaMode }) => {
    const { details: list, environment: mirror, blend, behind } = extras, clear = alphaMode === 'BLEND';
    const { albedo, exponent } = extension?.extras?.display ?? {}, how = albedo > 0 && albedo <= 1 && exponent > 0 ? extension.extras.display : null;
    if (!display || !extension) return;
    if (makePlugin) {
      const plugin = makePlugin(babylonMaterial, how, vertex, vertex ? strength : 1);
      if (how && Array.isArray(list)) loadDetails(loader, context, plugin, list.slice(0, MOST_DETAILS));
      if (environment && mirror) loadMirror(loader, context, plugin, mirror, clear, blend);
      if (clear && blend === 'multiply') {
        plugin.blendAs(0x306, 0x300, { multiplies: true }); // DST_COLOR, SRC_COLOR
        if (behind) loadBehind(loader, context, plugin, behind);
      }
    } else if (how && !warned) console.warn('bsp2gltf: light is linear, and less like the game\'s, without the option MaterialPluginBase');
    warned ||= !!how;
  };
  registerActs(GLTFLoader);
  registerOrder(GLTFLoader);
  if (environment && makePlugin) registerTints(GLTFLoader);
  if ((fog || exposure) && MaterialPluginBase) registerFog(GLTFLoader, MaterialPluginBase, { fog, exposure });
  if (sky && MaterialPluginBase) registerSky(GLTFLoader, MaterialPluginBase);
  if (sprites) registerSprites(GLTFLoader);
  if (hidden) registerHidden(GLTFLoader);
  registerStyles(GLTFLoader);
  if (motion) registerMotion(GLTFLoader, MaterialPluginBase);
  GLTFLoader.RegisterExtension(EXTENSION, (loader) => ({
    name: EXTENSION,
    enabled: loader.isExtensionUsed(EXTENSION),
    order: 500, // after the extensions that set the base colour
    dispose() {},
    loadMaterialPropertiesAsync(context, material, babylonMaterial) {
      return GLTFLoader.LoadExtensionAsync(context, material, EXTENSION, async (extensionContext, lightmap) => {
        await loader.loadMaterialPropertiesAsync(context, material, babylonMaterial);
        const { KHR_materials_unlit: unlit, KHR_materials_transmission: clear } = material.extensions;
        if (unlit || clear) return; // what lets light through shows what is behind it
        await loader.loadTextureInfoAsync(extensionContext, lightmap, (texture) => {
          texture.level = (lightmap.intensity ?? 1) * strength;
          texture.gammaSpace = true;
          babylonMaterial.lightmapTexture = texture;
          babylonMaterial.useLightmapAsShadowmap = true; // multiply, not add
          babylonMaterial.unlit = true; // no lamp adds to it, nor takes one of the shader's few blocks of uniforms
          babylonMaterial.disableLighting = true;
          multiply(loader, extensionContext, lightmap, babylonMaterial, false, material);
        });
      });
    },
  }));
  // The game filters as displayed what it multiplies as displayed: the shader decodes what the card has filtered as stored.
  GLTFLoader.RegisterExtension(STORED, (loader) => {
    const displayed = ({ extensions = {} }) => [EXTENSION, UNLIT].some((name) => extensions[name]?.extras?.display), { parent } = loader, before = parent.useSRGBBuffers;
    return {
      name: STORED,
      enabled: !!makePlugin && (loader.gltf.materials ?? []).some(displayed),
      onLoading() { parent.useSRGBBuffers = false; },
      dispose() { parent.useSRGBBuffers = before; },
    };
  });
  // Light in the vertices of unlit materials: beside the loader's own extension, which makes them unlit.
  GLTFLoader.RegisterExtension(NAME, (loader) => ({
    name: NAME,
    enabled: loader.isExtensionUsed(UNLIT),
    order: 40,
    dispose() {},
    loadMaterialPropertiesAsync(context, material, babylonMaterial) {
      multiply(loader, context, material.extensions?.[UNLIT], babylonMaterial, true, material);
      if (material.extensions?.[UNLIT]) babylonMaterial.disableLighting = true;
      if (material.extras?.blend === 'add' && babylonMaterial.alphaMode !== BLENDED) babylonMaterial.alphaMode = 1; // ALPHA_ADD: surfaces that are added to the background
      return null; // the others go on
    },
  }));
}

// loadDetails gives a plugin the fine textures of docs/extras.md as they arrive; their pixels are used as stored.
function loadDetails(loader, context, plugin, list) {
  list.forEach(({ texture: index, transform }, i) => plugin.load(loader, `${context}/details/${i}`, index, (texture) => plugin.addDetail(texture, transform)));
}

const toLinear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);

/**
 * Returns a function that gives a PBRMaterial the product of docs/light.md, or, without how, that of linear light. Where the graphics card does not decode sRGB,
 * Babylon goes to linear light and back by plain powers; its own functions take values back to what images hold, and the result to what comes out as it is.
 */
function displayPlugin(MaterialPluginBase) {
  class DisplayPlugin extends MaterialPluginBase {
    constructor(material, how, vertex, strength) {
      super(material, NAME, 200, { BSP2GLTF_DISPLAY: false, BSP2GLTF_LINEAR: false, BSP2GLTF_VERTEX: false, BSP2GLTF_SRGB: false, BSP2GLTF_PAGE_SRGB: false, BSP2GLTF_DETAILS: 0, BSP2GLTF_MIRROR: false, BSP2GLTF_SHARE: false, BSP2GLTF_TINT: false, BSP2GLTF_GLOW: false, BSP2GLTF_CLEAR: false, BSP2GLTF_MULTIPLY: false, BSP2GLTF_BEHIND: false });
      const { albedo = 1, exponent = 1, gain = 1, emission = [1, 1, 1], texture = 1 } = how ?? {};
      this.vertex = vertex;
      this.linear = !how;
      this.material = material;
      this.light = { x: strength * texture / gain ** 2.2, y: toLinear(albedo), z: gain / albedo ** exponent, w: exponent };
      this.emission = emission;
      this.texture = 1 / texture; // of the file's, which is brighter than the game's
      this.details = [];
      this.rows = new Float32Array(8 * MOST_DETAILS);
      this.mirror = null; // of environment.js
      this.behind = null;
      this.blending = null;
      this._enable(true);
    }
    // load gives a texture of the file, whose pixels are used as stored. The loader itself does not wait for it, and the promise may never end:
    // the surface is drawn when all are there.
    load(loader, context, index, use) {
      const load = async () => loader.loadTextureInfoAsync(context, { index, nonColorData: true }, use);
      load().catch((error) => console.warn(`bsp2gltf: texture ${index} is missing: ${error.message}`));
    }
    isReadyForSubMesh() {
      const list = [];
      this.getActiveTextures(list);
      return list.every((texture) => texture.isReadyOrNotBlocking());
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
    getActiveTextures(list) { list.push(...this.details, ...(this.mirror ? this.mirror.textures : []), ...(this.behind ? [this.behind.texture] : [])); }
    getSamplers(names) { names.push('bakedDetail0', 'bakedDetail1', 'bakedAround', 'bakedShare', 'bakedBehind'); }
    getAttributes(names, scene, mesh) { if (this.mirror?.tinted && mesh.isVerticesDataPresent('bakedTint')) names.push('bakedTint'); }
    prepareDefinesBeforeAttributes(defines, scene, mesh) {
      defines.BSP2GLTF_DETAILS = mesh.isVerticesDataPresent('uv') ? this.details.length : 0;
      defines.BSP2GLTF_MIRROR = !!this.mirror && mesh.isVerticesDataPresent('normal');
      defines.BSP2GLTF_SHARE = this.mirror?.textures.length > 1 && mesh.isVerticesDataPresent('uv');
      defines.BSP2GLTF_TINT = !!this.mirror?.tinted && mesh.isVerticesDataPresent('bakedTint');
      defines.BSP2GLTF_GLOW = !!this.mirror?.glow;
      defines.BSP2GLTF_CLEAR = !!this.mirror && !!this.blending;
      defines.BSP2GLTF_MULTIPLY = !!this.multiplies;
      defines.BSP2GLTF_BEHIND = !!this.behind && mesh.isVerticesDataPresent('uv');
      if (defines.BSP2GLTF_MIRROR) defines._needNormals = true;
      if (defines.BSP2GLTF_DETAILS || defines.BSP2GLTF_SHARE || defines.BSP2GLTF_BEHIND) defines._needUVs = defines.MAINUV1 = true;
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
          { name: 'bakedMirror', size: 16, type: 'mat4' }, { name: 'bakedBehindFactor', size: 4, type: 'vec4' }],
        fragment: '#ifdef BSP2GLTF_DISPLAY\nuniform vec4 bakedDisplay;\nuniform vec4 bakedEmission;\nuniform mat4 bakedDetails;\nuniform mat4 bakedMirror;\nuniform vec4 bakedBehindFactor;\n#endif\n',
      };
    }
    bindForSubMesh(buffer, scene, engine) {
      mirrorUniforms(buffer, this.mirror);
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
      if (stage === 'vertex') return { CUSTOM_VERTEX_DEFINITIONS: VERTEX_DEFINITIONS, CUSTOM_VERTEX_MAIN_END: VERTEX };
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
vec3 bakedEncode(vec3 v) {
  return mix(1.055 * pow(max(v, vec3(1e-8)), vec3(1.0 / 2.4)) - 0.055, v * 12.92, step(v, vec3(0.0031308)));
}
vec3 bakedDecode(vec3 v) {
  return mix(pow((max(v, vec3(0.04045)) + 0.055) / 1.055, vec3(2.4)), v / 12.92, step(v, vec3(0.04045)));
}
#if BSP2GLTF_DETAILS > 0
uniform sampler2D bakedDetail0;
#endif
#if BSP2GLTF_DETAILS > 1
uniform sampler2D bakedDetail1;
#endif
#ifdef BSP2GLTF_BEHIND
uniform sampler2D bakedBehind;
#endif
${MIRRORED}
// What a texture holds, and a factor that is linear multiplies.
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
#endif
#elif defined(LIGHTMAP)
  x = bakedPage(lightmapColor.rgb / vLightmapInfos.y) * vLightmapInfos.y;
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
  vec3 shown = pow(texel, vec3(bakedDisplay.w)) * light;
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
  finalColor.rgb = toLinearSpace(max(shown, vec3(0.0)));
}
#endif
`;
