/**
 * The light of a file: MOZ_lightmap, and light in the vertices of unlit materials that say how it was bent (docs/internals/light.md).
 */
import { MeshBasicMaterial, NoColorSpace, SRGBColorSpace } from 'three';
import { BakedLambertMaterial, BakedMaterial } from './baked.js';
import { noticeRenderer, owned } from './traverse.js';

const EXTENSION = 'MOZ_lightmap',
  UNLIT = 'KHR_materials_unlit';

/** A GLTFLoader plugin: loader.register((parser) => new MOZLightmapPlugin(parser)). */
export class MOZLightmapPlugin {
  /**
   * @param parser the GLTFParser
   * @param options strength: a factor on every light map; lit: keep MeshStandardMaterial, so that lamps and
   *   environments add to the baked light; unlit: show what has no baked light without lamps, too; lights: leave the
   *   file's punctual lights visible; lamps: have lamps of the scene add to the baked light, with their shadows; display: multiply as the game does where the file says how.
   */
  constructor(parser, { strength = 1, lit = false, unlit = false, lights = false, lamps = false, display = true } = {}) {
    this.name = EXTENSION;
    this.parser = parser;
    this.options = { strength, lit, unlit, lights, lamps, display };
    this.made = new Map(); // materials with light in their vertices, by what the loader made
    this.asStored = new Map(); // textures that the shader decodes, by what the loader made
  }

  // The first plugin that names a type of material has it, and the loader's own come first: KHR_materials_specular and
  // its kin would take MeshPhysicalMaterial, in which what reflects strongly has little light of the light map left.
  beforeRoot() {
    const { extensionsUsed = [], materials = [] } = this.parser.json;
    this.lightmaps = extensionsUsed.includes(EXTENSION);
    this.bent = materials.some(
      (m) => this.display(m.extensions?.[UNLIT]) || (!this.options.lit && this.display(m.extensions?.[EXTENSION])),
    );
    if (!this.options.lit) this.parser.plugins = { [EXTENSION]: this, ...this.parser.plugins };
    return Promise.resolve();
  }

  getMaterialType(index) {
    const clear = this.definition(index).KHR_materials_transmission; // shows what is behind it
    const Baked = this.options.lamps && !this.parser.json.materials[index].extras?.blend ? BakedLambertMaterial : BakedMaterial;
    if (this.options.unlit) return this.definition(index)[UNLIT] ? null : this.definition(index)[EXTENSION] ? Baked : BakedMaterial;
    return this.definition(index)[EXTENSION] && !this.options.lit && !clear ? Baked : null;
  }

  extendMaterialParams(index, params) {
    const lightmap = this.definition(index)[EXTENSION];
    if (!lightmap) return Promise.resolve();
    // A light map is irradiance, which three divides by π.
    params.lightMapIntensity = (lightmap.intensity ?? 1) * this.options.strength * Math.PI;
    if (this.getMaterialType(index)) params.display = this.display(lightmap);
    return this.parser.assignTexture(params, 'lightMap', lightmap, SRGBColorSpace);
  }

  afterRoot(gltf) {
    if (this.lightmaps && !this.options.lights) hidePunctualLights(gltf);
    for (const scene of gltf.scenes) this.finish(scene);
    return Promise.resolve();
  }

  /** Gives the meshes of an object the materials that the loader asks no plugin for. */
  finish(object) {
    object.traverse((mesh) => {
      if (!mesh.isMesh) return;
      if (this.options.unlit && mesh.material.isMeshStandardMaterial) mesh.material = this.bakedOf(mesh.material, null); // the loader's own
      if (this.lightmaps) dropLightMapWithoutUV(mesh);
      if (this.bent || this.options.lamps) this.useBaked(mesh);
      if (this.bent) this.filterAsDisplayed(mesh.material);
      if (this.options.lamps && mesh.material.isMeshLambertMaterial) takeLampLight(mesh);
      if (mesh.material.isBakedMaterial && !Object.hasOwn(mesh, 'onBeforeRender')) mesh.onBeforeRender = noticeRenderer;
    });
  }

  // The loader asks no plugin for the type of an unlit material. What has no light here is filtered as all else in the file.
  useBaked(mesh) {
    const from = mesh.material,
      unlit = this.definition(this.parser.associations.get(from)?.materials)[UNLIT];
    if (!unlit || from.isBakedMaterial) return;
    mesh.material = this.bakedOf(from, this.display(unlit));
  }

  bakedOf(from, display) {
    if (!this.made.has(from)) this.made.set(from, this.bake(from, display));
    return this.made.get(from);
  }

  bake(from, display) {
    const { bsp2gltf_sky: sky, blend } = from.userData, lamps = this.options.lamps && (display || from.vertexColors) && !sky && !blend;
    const material = owned(this.parser, lamps ? new BakedLambertMaterial() : new BakedMaterial());
    MeshBasicMaterial.prototype.copy.call(material, from);
    if (display) {
      const { texture = 1 } = display; // by how much the file's texture is brighter, and its light less
      material.color.multiplyScalar(1 / texture);
      material.display = { ...display, vertex: true, strength: this.options.strength * texture };
    }
    this.parser.associations.set(material, this.parser.associations.get(from));
    return material;
  }

  // The game filters as displayed what it multiplies as displayed: the shader decodes what the card has filtered as stored.
  filterAsDisplayed(material) {
    if (!material.isBakedMaterial || (material.lightMap && !material.display) || material.defines?.BAKED_STORED !== undefined) return;
    for (const name of ['map', 'emissiveMap', 'lightMap']) if (material[name]) material[name] = this.stored(material[name]);
    material.defines = { ...material.defines, BAKED_STORED: '' };
  }

  stored(texture) {
    // Another material may show it decoded.
    if (!this.asStored.has(texture)) this.asStored.set(texture, owned(this.parser, Object.assign(texture.clone(), { colorSpace: NoColorSpace })));
    return this.asStored.get(texture);
  }

  // The object of docs/internals/light.md, where it is one.
  display(extension) {
    const display = this.options.display && extension?.extras?.display;
    return display && display.albedo > 0 && display.albedo <= 1 && display.exponent > 0 ? display : null;
  }

  definition(index) {
    return this.parser.json.materials[index]?.extensions ?? {};
  }
}

// A mesh that lacks the UV set gets full light, instead of a stray texel.
function dropLightMapWithoutUV(mesh) {
  const channel = mesh.material.lightMap ? mesh.material.lightMap.channel : null;
  if (channel === null || `uv${channel || ''}` in mesh.geometry.attributes) return;
  mesh.material = mesh.material.clone();
  mesh.material.lightMap = null;
}

// takeLampLight has a mesh lit by lamps, throw their shadows and take those of others.
function takeLampLight(mesh) {
  if (!mesh.geometry.attributes.normal) mesh.geometry.computeVertexNormals();
  mesh.receiveShadow = true;
  mesh.castShadow = !mesh.material.transparent;
}

/** Registers the plugin, and returns the loader. */
export function bsp2gltfLightmaps(loader, options) {
  return loader.register((parser) => new MOZLightmapPlugin(parser, options));
}

/** Hides (or shows again) the punctual lights of a loaded file: their light is already in the light maps. */
export function hidePunctualLights(gltf, hidden = true) {
  for (const scene of gltf.scenes) {
    scene.traverse((object) => {
      if (object.isLight) object.visible = !hidden;
    });
  }
}
