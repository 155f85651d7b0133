/**
 * Shows bsp2gltf's files in Babylon.js as their games do: baked light (MOZ_lightmap), multiplied as the game does where the file states
 * how (docs/internals/light.md), sky, sprites, fog, motion. Call bsp2gltf(BABYLON.GLTF2.GLTFLoader), or with modules
 * bsp2gltf(GLTFLoader, { MaterialPluginBase }), once, before loading.
 */
import { registerMovements } from './entitymovements.js';
import { registerAmbient } from './ambient.js';
import { registerAttributes } from './attributes.js';
import { BLENDED, displayPlugin, loadDetails, NAME } from './display.js';
import { loadDirected } from './directed.js';
import { setChrome } from './chrome.js';
import { loadBehind, loadMirror } from './environment.js';
import { registerFog } from './fog.js';
import { registerHidden } from './hidden.js';
import { registerMeshopt } from './meshopt.js';
import { registerMotion } from './motion.js';
import { registerOrder } from './order.js';
import { loadSecond, registerSecond } from './second.js';
import { registerSky } from './sky.js';
import { registerSprites } from './sprites.js';
import { registerStyles } from './styles.js';

export { bsp2gltfMovements } from './entitymovements.js';
export { bsp2gltfAmbient } from './ambient.js';
export { bsp2gltfMotion } from './motion.js';
export { bsp2gltfStyles } from './styles.js';

const EXTENSION = 'MOZ_lightmap', UNLIT = 'KHR_materials_unlit', STORED = 'bsp2gltf_stored';

export function bsp2gltf(GLTFLoader, {
  strength = 1, display = true, fog = true, exposure = true, gamma = true, environment = true, directed = true, second = true, sky = true, sprites = true, hidden = true, motion = true, lamps = false,
  MaterialPluginBase = globalThis.BABYLON?.MaterialPluginBase,
} = {}) {
  const makePlugin = display && MaterialPluginBase ? displayPlugin(MaterialPluginBase) : null;
  let warned = false;
  // Linear light also needs the plugin: Babylon.js' own conversion for the screen is a plain power of 2.2, which is too bright in the
  // dark.
  const multiply = (loader, context, extension, babylonMaterial, vertex, { extras = {}, alphaMode, normalTexture, pbrMetallicRoughness: pbr }) => {
    const { details, environment: mirror, blend, behind, mix } = extras, clear = alphaMode === 'BLEND';
    const { albedo, exponent } = extension?.extras?.display ?? {}, how = albedo > 0 && albedo <= 1 && exponent > 0 ? extension.extras.display : null;
    if (!display || !extension) return;
    if (makePlugin) {
      const plugin = makePlugin(babylonMaterial, how, vertex, vertex ? strength : 1);
      loadDetails(loader, context, plugin, details, !!how);
      if (directed && how && !vertex && extras.directed) loadDirected(loader, context, plugin, extras.directed, normalTexture?.index, !!pbr?.baseColorTexture);
      if (second) loadSecond(loader, context, plugin, mix);
      plugin.bright = !!extras.over_alpha;
      if (lamps && !blend && !extras.bsp2gltf_sky && (how || !vertex)) lightByLamps(babylonMaterial, plugin);
      if (environment) setChrome(plugin, extras.chrome);
      if (environment && mirror) loadMirror(loader, context, plugin, babylonMaterial, mirror, clear, blend);
      if (clear && blend === 'multiply') {
        plugin.blendAs(0x306, 0x300, { multiplies: true }); // DST_COLOR, SRC_COLOR
        if (behind) loadBehind(loader, context, plugin, behind);
      }
    } else if (how && !warned) console.warn('bsp2gltf: light is linear, and less like the game\'s, without the option MaterialPluginBase');
    warned ||= !!how;
  };
  registerMovements(GLTFLoader);
  registerMeshopt(GLTFLoader);
  registerOrder(GLTFLoader);
  if ((environment || second) && makePlugin) registerAttributes(GLTFLoader);
  if (second && makePlugin) registerSecond(GLTFLoader);
  registerAmbient(GLTFLoader, MaterialPluginBase, { exposure });
  if ((fog || exposure || gamma) && MaterialPluginBase) registerFog(GLTFLoader, MaterialPluginBase, { fog, exposure, gamma });
  if (sky && MaterialPluginBase) registerSky(GLTFLoader, MaterialPluginBase);
  if (sprites) registerSprites(GLTFLoader);
  if (hidden) registerHidden(GLTFLoader);
  registerStyles(GLTFLoader);
  if (motion) registerMotion(GLTFLoader, MaterialPluginBase);
  GLTFLoader.RegisterExtension('bsp2gltf_lamps', (loader) => ({ name: 'bsp2gltf_lamps', enabled: lamps, dispose() {}, onReady() { hideLamps(loader); } }));
  GLTFLoader.RegisterExtension(EXTENSION, (loader) => ({
    name: EXTENSION,
    enabled: loader.isExtensionUsed(EXTENSION),
    order: 500, // after the extensions that set the base colour
    dispose() {},
    loadMaterialPropertiesAsync(context, material, babylonMaterial) {
      return GLTFLoader.LoadExtensionAsync(context, material, EXTENSION, async (extensionContext, lightmap) => {
        await loader.loadMaterialPropertiesAsync(context, material, babylonMaterial);
        const { KHR_materials_unlit: unlit, KHR_materials_transmission: clear } = material.extensions;
        if (unlit || clear) return; // a transmissive material shows what is behind it
        await loader.loadTextureInfoAsync(extensionContext, lightmap, (texture) => {
          texture.level = (lightmap.intensity ?? 1) * strength;
          texture.gammaSpace = true;
          babylonMaterial.lightmapTexture = texture;
          babylonMaterial.useLightmapAsShadowmap = true; // multiply, don't add
          babylonMaterial.unlit = true; // no lamp adds to it, or uses one of the shader's few uniform blocks
          babylonMaterial.disableLighting = true;
          multiply(loader, extensionContext, lightmap, babylonMaterial, false, material);
        });
      });
    },
  }));
  // The game filters in display space what it multiplies there: the card filters textures as stored, and the shader decodes them.
  GLTFLoader.RegisterExtension(STORED, (loader) => {
    const displayed = ({ extensions = {} }) => [EXTENSION, UNLIT].some((name) => extensions[name]?.extras?.display), { parent } = loader, before = parent.useSRGBBuffers;
    return {
      name: STORED,
      enabled: !!makePlugin && (loader.gltf.materials ?? []).some(displayed),
      onLoading() { parent.useSRGBBuffers = false; },
      dispose() { parent.useSRGBBuffers = before; },
    };
  });
  // Vertex light of unlit materials: in addition to the loader's own extension, which makes them unlit.
  GLTFLoader.RegisterExtension(NAME, (loader) => ({
    name: NAME,
    enabled: loader.isExtensionUsed(UNLIT),
    order: 40,
    dispose() {},
    loadMaterialPropertiesAsync(context, material, babylonMaterial) {
      multiply(loader, context, material.extensions?.[UNLIT], babylonMaterial, true, material);
      if (material.extensions?.[UNLIT] && babylonMaterial.unlit) babylonMaterial.disableLighting = true;
      if (material.extras?.blend === 'add' && babylonMaterial.alphaMode !== BLENDED) babylonMaterial.alphaMode = 1; // ALPHA_ADD: the surface is added to the background
      return null; // the other extensions go on
    },
  }));
}

// lightByLamps lets lamps of the scene light a material, as if it were matt. The plugin adds that light to the baked light, and replaces all
// other results of Babylon's.
function lightByLamps(material, plugin) {
  plugin.lamps = true;
  // With a metallic factor, Babylon would darken the base colour by the four percent that glass reflects.
  Object.assign(material, { unlit: false, disableLighting: false, useLightmapAsShadowmap: false, metallic: null, roughness: null, metallicTexture: null, microSurface: 0, environmentIntensity: 0 });
  material.reflectivityColor.set(0, 0, 0);
}

// hideLamps switches off the lamps of a file, whose light is baked. Otherwise they would light the map twice, and a material has four lamps.
function hideLamps({ babylonScene, rootBabylonMesh }) {
  for (const lamp of babylonScene.lights) if (rootBabylonMesh && lamp.isDescendantOf(rootBabylonMesh)) lamp.setEnabled(false);
}
