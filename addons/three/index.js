/** Shows bsp2gltf's files in three.js as their games do. bsp2gltf(loader) applies all parts; each can be used alone. */
import { bsp2gltfAmbient } from './ambient.js';
import { bsp2gltfBlend } from './blend.js';
import { bsp2gltfBright } from './bright.js';
import { bsp2gltfChrome } from './chrome.js';
import { bsp2gltfDetails } from './details.js';
import { bsp2gltfDirected } from './directed.js';
import { bsp2gltfDispose } from './dispose.js';
import { bsp2gltfEnvironment } from './environment.js';
import { bsp2gltfExposure } from './exposure.js';
import { bsp2gltfGamma } from './gamma.js';
import { shadeFog } from './fog.js';
import { materialsOf } from './traverse.js';
import { bsp2gltfHidden } from './hidden.js';
import { bsp2gltfLevels } from './levels.js';
import { bsp2gltfLightmaps } from './light.js';
import { bsp2gltfMerge } from './merge.js';
import { bsp2gltfMotion } from './motion.js';
import { bsp2gltfSecond } from './second.js';
import { bsp2gltfShow } from './show.js';
import { bsp2gltfSky } from './sky.js';
import { bsp2gltfSprites } from './sprites.js';
import { bsp2gltfStyles } from './styles.js';
import { bsp2gltfVariants } from './variants.js';

export { BakedLambertMaterial, BakedMaterial } from './baked.js';
export { DisplayRenderPass } from './pass.js';
export { bsp2gltfLightmaps, hidePunctualLights, MOZLightmapPlugin } from './light.js';
export { wave, coordinates } from './motion.js';
export {
  bsp2gltfAmbient,
  bsp2gltfBlend,
  bsp2gltfDetails,
  bsp2gltfDirected,
  bsp2gltfDispose,
  bsp2gltfEnvironment,
  bsp2gltfExposure,
  shadeFog as bsp2gltfFog,
  bsp2gltfGamma,
  bsp2gltfHidden,
  bsp2gltfLevels,
  bsp2gltfMerge,
  bsp2gltfMotion,
  bsp2gltfSecond,
  bsp2gltfShow,
  bsp2gltfSky,
  bsp2gltfSprites,
  bsp2gltfStyles,
  bsp2gltfVariants,
};

// In the order in which they run: first parts that add meshes, then parts that change materials, then those that hide.
const PARTS = {
  show: bsp2gltfShow,
  blend: bsp2gltfBlend,
  environment: (gltf) => (bsp2gltfChrome(gltf), bsp2gltfEnvironment(gltf)),
  details: bsp2gltfDetails,
  directed: bsp2gltfDirected,
  second: bsp2gltfSecond,
  exposure: bsp2gltfExposure,
  fog: shadeFog,
  gamma: bsp2gltfGamma,
  sky: bsp2gltfSky,
  sprites: bsp2gltfSprites,
  hidden: bsp2gltfHidden,
};

const OFF = { show: true, merge: true }; // parts that run only if asked for

/**
 * Makes a GLTFLoader show everything in bsp2gltf's files, and returns it. options are those of MOZLightmapPlugin, anisotropy for the
 * materials' textures, and each part's name: false leaves the part out, and true adds show and merge. A loaded file has gltf.bsp2gltf
 * with what can be moved and switched: { motion, styles, variants, levels, ambient, exposure, fog, show, merged, update(seconds,
 * renderer), dispose() }, without the parts that are left out.
 */
export function bsp2gltf(loader, options = {}) {
  bsp2gltfLightmaps(loader, options);
  return loader.register(() => ({
    name: 'bsp2gltf',
    async afterRoot(gltf) {
      const levels = await bsp2gltfLevels(gltf),
        variants = await bsp2gltfVariants(gltf);
      sharpen(gltf, options.anisotropy ?? 4);
      if (options.display ?? true) bsp2gltfBright(gltf);
      const names = Object.keys(PARTS).filter((name) => options[name] ?? !OFF[name]),
        results = await Promise.all(names.map((name) => PARTS[name](gltf))),
        { exposure, fog, show } = Object.fromEntries(names.map((name, i) => [name, results[i]]));
      const [motion, ambient] = await Promise.all([bsp2gltfMotion(gltf), bsp2gltfAmbient(gltf)]),
        styles = bsp2gltfStyles(gltf),
        merged = options.merge ? bsp2gltfMerge(gltf) : undefined;
      let disposed = false;
      gltf.bsp2gltf = {
        motion,
        styles,
        variants,
        levels,
        ambient,
        exposure,
        fog,
        show,
        merged,
        // update sets what moves to a time in seconds, and mixes the light styles. The promise ends when these are shown.
        update(seconds, renderer) {
          if (disposed) return Promise.resolve();
          motion.update(seconds);
          return styles.update(renderer, seconds);
        },
        // dispose removes the map from its scene, and frees all that the graphics card holds of it.
        dispose() {
          disposed = true;
          bsp2gltfDispose(gltf);
        },
      };
    },
  }));
}

// sharpen sets the number of samples for textures seen at a slant.
function sharpen(gltf, anisotropy) {
  for (const { map, emissiveMap } of materialsOf(gltf))
    for (const texture of [map, emissiveMap]) if (texture) texture.anisotropy = anisotropy;
}
