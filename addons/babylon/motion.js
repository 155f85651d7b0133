/**
 * Moves what moves in materials (docs/internals/readers.md): textures that scroll, turn or stretch, waves of colour, alternating
 * images. The part that needs a shader is in deforms.js.
 */
import { toDisplayed, toLinear } from '../shared/color.js';
import { turnMirror } from './environment.js';
import { hovering } from './hover.js';
import { deformPlugin, turnSquares } from './deforms.js';
import { isDeformed, pictureAt, rowsAt, tintAt } from '../shared/materialmotion.js';

const NAME = 'bsp2gltf_motion';
const files = new WeakMap(); // by scene: what moves in the files that it has loaded, { clock, movers }

/** Registers the extension that moves the materials of files, from the first frame on. */
export function registerMotion(GLTFLoader, MaterialPluginBase) {
  const Plugin = MaterialPluginBase ? deformPlugin(MaterialPluginBase) : null;
  GLTFLoader.RegisterExtension(NAME, (loader) => {
    const { materials = [], nodes = [], scenes = [], scene: number = 0 } = loader.gltf, unit = Number(scenes[number]?.extras?.bsp2gltf_unit) || 1 / 32, file = { clock: 0, movers: [], pictures: [] }, known = new Set();
    return {
      name: NAME,
      enabled: materials.some((m) => m.extras?.motion) || nodes.some((n) => n.extras?.hover),
      order: 5, // around the other extensions, which give the material its textures and colours
      dispose() {},
      loadMaterialPropertiesAsync(context, material, babylonMaterial) {
        const { motion } = material.extras ?? {};
        if (!motion || known.has(babylonMaterial)) return null;
        known.add(babylonMaterial);
        const deform = Plugin && (isDeformed(motion) || motion.facing) ? new Plugin(babylonMaterial, motion, unit) : null;
        return (async () => {
          await loader.loadMaterialPropertiesAsync(context, material, babylonMaterial);
          const pictures = motion.frames && babylonMaterial.albedoTexture ? await loadPictures(loader, context, material, motion.frames) : [];
          file.pictures.push(...pictures);
          const own = materialAnimator(babylonMaterial, motion, pictures), clock = Number(motion.clock) || 0;
          file.movers.push((time) => {
            const now = time === null ? null : time + clock;
            own(now);
            deform?.move(now);
          });
        })();
      },
      onReady() {
        const scene = loader.babylonScene;
        file.movers.push(...hovering(loader.gltf));
        if (Plugin) turnSquares(loader.rootBabylonMesh?.getChildMeshes() ?? []);
        if (!files.has(scene)) files.set(scene, new Set());
        files.get(scene).add(file);
        const observer = scene.onBeforeRenderObservable.add(() => {
          if (file.clock === null) return;
          file.clock += scene.getEngine().getDeltaTime() / 1000;
          move(file, file.clock);
        });
        loader.rootBabylonMesh?.onDisposeObservable.add(() => {
          scene.onBeforeRenderObservable.remove(observer);
          files.get(scene).delete(file);
          for (const picture of file.pictures) picture.dispose();
        });
      },
    };
  });
}

const move = (file, time) => file.movers.forEach((m) => m(time));

/**
 * What moves in the materials of the files that a scene has loaded: update(seconds) shows it at a time and stops it there, still() puts
 * everything at rest, and start() lets it move again, from the beginning.
 */
export function bsp2gltfMotion(scene) {
  const set = (clock, time) => {
    for (const file of files.get(scene) ?? []) {
      file.clock = clock;
      move(file, time);
    }
  };
  return { update: (seconds) => set(null, seconds), still: () => set(null, null), start: () => set(0, 0) };
}

async function loadPictures(loader, context, material, frames) {
  const { texCoord } = material.pbrMetallicRoughness?.baseColorTexture ?? {};
  return Promise.all(frames.map((index, i) => loader.loadTextureInfoAsync(`${context}/motion/frames/${i}`, { index, texCoord })));
}

// materialAnimator returns a function that sets a material to a time, or with null to rest.
function materialAnimator(material, { rest = null, base, glow, mirror, color, color_rest: colorRest, glow_color: glowColor, glow_color_rest: glowRest, fps }, pictures) {
  const maps = [['albedoTexture', base], ['emissiveTexture', glow]].filter(([name, changes]) => changes && material[name]).map(([name, changes]) => animateCoordinates(material[name], changes, rest));
  const tints = [['albedoColor', color, colorRest], ['emissiveColor', glowColor, glowRest]].filter(([, w]) => w).map(([name, w, r]) => ({ name, w, r, still: material[name].clone() }));
  const first = material.albedoTexture;
  for (const picture of pictures) Object.assign(picture, { getTextureMatrix: () => first.getTextureMatrix(), optimizeUVAllocation: first.optimizeUVAllocation });
  return (time) => {
    for (const set of maps) set(time);
    if (mirror) turnMirror(material, rowsAt(mirror, null, time ?? 0));
    if (pictures.length) material.albedoTexture = time === null ? first : pictures[pictureAt(pictures.length, fps, time)];
    for (const { name, w, r, still } of tints) {
      const level = time === null ? 1 : tintAt(w, r, time);
      material[name].copyFromFloats(...[still.r, still.g, still.b].map((v) => (time === null ? v : toLinear(toDisplayed(v) * level))));
    }
  };
}

// animateCoordinates makes the coordinates of a material's texture follow the changes, and returns a function that sets the time.
function animateCoordinates(texture, changes, rest) {
  const plain = texture.getTextureMatrix.bind(texture), matrix = plain().clone();
  let moved = false;
  texture.optimizeUVAllocation = false; // so that it always has coordinates of its own
  texture.getTextureMatrix = () => (moved ? matrix : plain());
  return (time) => {
    moved = time !== null;
    if (!moved) return;
    const [a, b, c, d, e, f] = rowsAt(changes, rest, time);
    [[a, d, 0, 0], [b, e, 0, 0], [c, f, 1, 0], [0, 0, 0, 1]].forEach((row, i) => matrix.setRowFromFloats(i, ...row));
  };
}

