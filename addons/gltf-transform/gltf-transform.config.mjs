// Keeps baked light (MOZ_lightmap) in files that the gltf-transform command writes, and adds its command "map"; see README.md.
import { Extension, ExtensionProperty, PropertyType, RefMap, RefSet, TextureChannel, TextureInfo } from '@gltf-transform/core';
import { ALL_EXTENSIONS, KHRMaterialsUnlit } from '@gltf-transform/extensions';
import { dedup, instance, meshopt, prune, quantize, textureCompress, weld } from '@gltf-transform/functions';
import { MeshoptEncoder } from 'meshoptimizer';
import sharp from 'sharp';

const NAME = 'MOZ_lightmap';
const { R, G, B } = TextureChannel;

/** A material's lightmap: a colour texture, its UV set, and the factor on its texels. */
export class Lightmap extends ExtensionProperty {
  static EXTENSION_NAME = NAME;

  init() {
    this.extensionName = NAME;
    this.propertyType = 'Lightmap';
    this.parentTypes = [PropertyType.MATERIAL];
  }

  getDefaults() {
    const info = new TextureInfo(this.graph, 'lightmapTextureInfo');
    return Object.assign(super.getDefaults(), { intensity: 1, lightmapTexture: null, lightmapTextureInfo: info });
  }

  getIntensity() { return this.get('intensity'); }
  setIntensity(intensity) { return this.set('intensity', intensity); }
  getLightmapTexture() { return this.getRef('lightmapTexture'); }
  setLightmapTexture(texture) { return this.setRef('lightmapTexture', texture, { channels: R | G | B, isColor: true }); }
  getLightmapTextureInfo() { return this.getRef('lightmapTexture') ? this.getRef('lightmapTextureInfo') : null; }
}

const { A } = TextureChannel, NAMED = 'bsp2gltf_named', GRID = 'bsp2gltf_light_grid', LISTS = ['ambient', 'directed', 'toward'];

/**
 * Keeps what only extras refer to: images that no texture shows (pages of other light styles, directions of light, sides of the sky),
 * and the accessors of the light grid. A scene refers to them through this property, so that they are not pruned.
 */
class Kept extends ExtensionProperty {
  static EXTENSION_NAME = NAME;

  init() {
    this.extensionName = NAME;
    this.propertyType = 'Kept';
    this.parentTypes = [PropertyType.SCENE];
  }

  getDefaults() {
    return Object.assign(super.getDefaults(), { images: new RefSet(), ambient: null, directed: null, toward: null });
  }

  addImage(image) { return this.addRef('images', image, { channels: R | G | B | A, isColor: true }); }
  getList(name) { return this.getRef(name); }
  setList(name, accessor) { return this.setRef(name, accessor, { usage: 'OTHER' }); }
}

/** The textures to which only a material's extras refer (docs/internals/readers.md), by the words of namedTextures. */
class Named extends ExtensionProperty {
  static EXTENSION_NAME = NAME;

  init() {
    this.extensionName = NAME;
    this.propertyType = 'Named';
    this.parentTypes = [PropertyType.MATERIAL];
  }

  getDefaults() {
    return Object.assign(super.getDefaults(), { textures: new RefMap(), infos: new RefMap() });
  }

  getTexture(word) { return this.getRefMap('textures', word); }
  setTexture(word, texture) {
    this.setRefMap('infos', word, new TextureInfo(this.graph, word));
    return this.setRefMap('textures', word, texture, { channels: R | G | B | A, isColor: true });
  }
  getInfo(word) { return this.getRefMap('infos', word); }
}

// namedTextures lists the textures to which extras refer: a word for each, and its index.
function namedTextures({ details = [], directed, environment, behind, mix, motion } = {}) {
  const list = details.flatMap((detail, k) => [[`detail${k}`, detail.texture], [`base${k}`, detail.base]]);
  if (directed) list.push(['directed', directed.texture], ['gloss', directed.gloss]);
  if (environment) list.push(['environment', environment.texture], ['share', environment.factor_texture]);
  if (behind) list.push(['behind', behind.texture]);
  if (mix) list.push(['second', mix.texture], ['mask', mix.mask]);
  if (motion?.frames) list.push(...motion.frames.map((index, k) => [`frame${k}`, index]));
  return list.filter(([, index]) => index !== undefined);
}

// renamed returns extras with the textures' new indices.
function renamed(extras, index) {
  const { details, directed, environment, behind, mix, motion } = extras, out = { ...extras };
  if (details) out.details = details.map((detail, k) => ({ ...detail, texture: index(`detail${k}`), ...('base' in detail ? { base: index(`base${k}`) } : {}) }));
  if (directed) out.directed = { ...directed, texture: index('directed'), ...('gloss' in directed ? { gloss: index('gloss') } : {}) };
  if (environment) out.environment = { ...environment, texture: index('environment'), ...('factor_texture' in environment ? { factor_texture: index('share') } : {}) };
  if (mix) out.mix = { ...mix, texture: index('second'), ...('mask' in mix ? { mask: index('mask') } : {}) };
  if (behind) out.behind = { ...behind, texture: index('behind') };
  if (motion?.frames) out.motion = { ...motion, frames: motion.frames.map((_, k) => index(`frame${k}`)) };
  return out;
}

export class MOZLightmap extends Extension {
  static EXTENSION_NAME = NAME;
  extensionName = NAME;

  createLightmap() {
    return new Lightmap(this.document.getGraph());
  }

  read(context) {
    const { materials = [], textures = [] } = context.jsonDoc.json;
    const imageOf = (texture) => {
      const { source, extensions } = textures[texture];
      return context.textures[extensions?.KHR_texture_basisu?.source ?? extensions?.EXT_texture_webp?.source ?? extensions?.EXT_texture_avif?.source ?? source];
    };
    materials.forEach((material, i) => {
      const list = namedTextures(material.extras);
      if (list.length) {
        const named = new Named(this.document.getGraph());
        for (const [word, index] of list) {
          named.setTexture(word, imageOf(index));
          context.setTextureInfo(named.getInfo(word), { index });
        }
        context.materials[i].setExtension(NAMED, named);
      }
      const def = material.extensions?.[NAME];
      if (!def) return;
      const lightmap = this.createLightmap().setIntensity(def.intensity ?? 1).setLightmapTexture(imageOf(def.index)).setExtras(def.extras ?? {});
      context.setTextureInfo(lightmap.getLightmapTextureInfo(), def);
      context.materials[i].setExtension(NAME, lightmap);
    });
    this.keep(context);
    return this;
  }

  // keep gives unreferenced images and accessors a parent, so that prune doesn't remove them.
  keep({ jsonDoc: { json }, textures, accessors }) {
    const shown = new Set((json.textures ?? []).flatMap((t) => [t.source, ...Object.values(t.extensions ?? {}).map((e) => e.source)]));
    const [scene] = this.document.getRoot().listScenes();
    const kept = new Kept(this.document.getGraph());
    textures.forEach((image, i) => { if (!shown.has(i)) kept.addImage(image); });
    const grid = json.scenes?.[0]?.extras?.[GRID];
    if (grid) LISTS.forEach((name) => { kept.setList(name, accessors[grid[name]]); });
    scene?.setExtension(NAME, kept);
  }

  write(context) {
    for (const material of this.document.getRoot().listMaterials()) {
      const def = context.jsonDoc.json.materials[context.materialIndexMap.get(material)], named = material.getExtension(NAMED);
      if (named) def.extras = renamed(def.extras, (word) => context.createTextureInfoDef(named.getTexture(word), named.getInfo(word)).index);
      const lightmap = material.getExtension(NAME);
      if (!lightmap?.getLightmapTexture()) continue;
      const info = context.createTextureInfoDef(lightmap.getLightmapTexture(), lightmap.getLightmapTextureInfo());
      const extras = lightmap.getExtras(); // they state how the game multiplies this light: docs/internals/light.md
      (def.extensions ??= {})[NAME] = { ...info, intensity: lightmap.getIntensity(), ...(Object.keys(extras).length ? { extras } : {}) };
    }
    this.document.getRoot().listScenes().forEach((scene, i) => {
      const grid = context.jsonDoc.json.scenes[i].extras?.[GRID], kept = scene.getExtension(NAME);
      if (!grid || !kept) return;
      const lists = LISTS.map((name) => [name, context.accessorIndexMap.get(kept.getList(name))]);
      context.jsonDoc.json.scenes[i].extras = { ...context.jsonDoc.json.scenes[i].extras, [GRID]: { ...grid, ...Object.fromEntries(lists) } };
    });
    return this;
  }
}

const UNLIT = 'KHR_materials_unlit';

/** gltf-transform's own class, plus the extras that state how the game multiplies vertex light: docs/internals/light.md. */
class UnlitWithExtras extends KHRMaterialsUnlit {
  read(context) {
    super.read(context);
    (context.jsonDoc.json.materials ?? []).forEach((def, i) => {
      context.materials[i].getExtension(UNLIT)?.setExtras(def.extensions[UNLIT].extras ?? {});
    });
    return this;
  }

  write(context) {
    super.write(context);
    for (const material of this.document.getRoot().listMaterials()) {
      const extras = material.getExtension(UNLIT)?.getExtras() ?? {};
      if (Object.keys(extras).length) context.jsonDoc.json.materials[context.materialIndexMap.get(material)].extensions[UNLIT].extras = extras;
    }
    return this;
  }
}

const COMPRESS = { meshopt: () => meshopt({ encoder: MeshoptEncoder, level: 'medium' }), quantize: () => quantize(), none: () => null };

/** Adds the command "map": the part of "optimize" that keeps a map intact. Its nodes, also empty ones, their names and extras stay. */
function onProgramReady({ program, io, Session }) {
  program.command('map', "Make a map smaller: its light, its entities and the images that only its extras name stay")
    .argument('<input>', 'Path to read')
    .argument('<output>', 'Path to write')
    .option('--compress <method>', 'Of geometry', { validator: Object.keys(COMPRESS), default: 'meshopt' })
    .option('--instance <bool>', 'Draw what stands at many places by EXT_mesh_gpu_instancing; the nodes of these places go', { validator: program.BOOLEAN, default: false })
    .option('--texture-size <size>', 'Most pixels of a side', { validator: program.NUMBER, default: 2048 })
    .option('--texture-compress <format>', 'Of images', { validator: ['webp', 'none'], default: 'none' })
    .action(async ({ args, options, logger }) => {
      const format = options.textureCompress === 'none' ? undefined : options.textureCompress;
      await MeshoptEncoder.ready;
      const steps = [
        dedup({ keepUniqueNames: true }),
        options.instance ? instance({ min: 5 }) : null,
        prune({ keepLeaves: true, keepExtras: true, keepAttributes: true, keepSolidTextures: true }),
        weld(),
        // Lightmaps are read texel by texel, so they keep their size and are never lossy.
        textureCompress({ encoder: sharp, targetFormat: format, resize: [Number(options.textureSize), Number(options.textureSize)], pattern: /^(?!.*lightmap_)/ }),
        COMPRESS[options.compress](),
      ];
      await Session.create(io, logger, args.input, args.output).transform(...steps.filter(Boolean));
    });
}

export const EXTENSIONS = [...ALL_EXTENSIONS.filter((e) => e !== KHRMaterialsUnlit), UnlitWithExtras, MOZLightmap];

export default { extensions: EXTENSIONS, onProgramReady };
