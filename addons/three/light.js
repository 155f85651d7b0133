/** The light of a file: MOZ_lightmap, and vertex light in unlit materials that state how it was adapted (docs/internals/light.md). */
import { MeshBasicMaterial, NoColorSpace, SRGBColorSpace } from 'three';
import { BakedLambertMaterial, BakedMaterial } from './baked.js';
import { noticeRenderer, owned } from './traverse.js';

const EXTENSION = 'MOZ_lightmap',
  UNLIT = 'KHR_materials_unlit';

/** A GLTFLoader plugin: loader.register((parser) => new MOZLightmapPlugin(parser)). */
export class MOZLightmapPlugin {
  /**
   * @param parser the GLTFParser
   * @param options strength: a factor on all lightmaps; lit: keep MeshStandardMaterial, so that lamps and environments add to the baked
   * light; unlit: show materials without baked light unlit, too; lights: leave the file's punctual lights visible; lamps: let lamps of
   * the scene add to the baked light, with their shadows; display: multiply as the game does where the file says how.
   */
  constructor(parser, { strength = 1, lit = false, unlit = false, lights = false, lamps = false, display = true } = {}) {
    this.name = EXTENSION;
    this.parser = parser;
    this.options = { strength, lit, unlit, lights, lamps, display };
    this.made = new Map(); // materials for vertex light, by the loader's own
    this.asStored = new Map(); // textures that the shader decodes, by the loader's own
  }

  // The first plugin that names a material type wins, and the loader's own come first: KHR_materials_specular and others would take
  // MeshPhysicalMaterial, in which strongly reflecting surfaces keep little of the lightmap.
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
    const clear = this.definition(index).KHR_materials_transmission; // it shows what is behind it
    const Baked = this.options.lamps && !this.parser.json.materials[index].extras?.blend ? BakedLambertMaterial : BakedMaterial;
    if (this.options.unlit) return this.definition(index)[UNLIT] ? null : this.definition(index)[EXTENSION] ? Baked : BakedMaterial;
    return this.definition(index)[EXTENSION] && !this.options.lit && !clear ? Baked : null;
  }

  extendMaterialParams(index, params) {
    const lightmap = this.definition(index)[EXTENSION];
    if (!lightmap) return Promise.resolve();
    // A lightmap is irradiance, which three.js divides by π.
    params.lightMapIntensity = (lightmap.intensity ?? 1) * this.options.strength * Math.PI;
    if (this.getMaterialType(index)) params.display = this.display(lightmap);
    return this.parser.assignTexture(params, 'lightMap', lightmap, SRGBColorSpace);
  }

  afterRoot(gltf) {
    if (this.lightmaps && !this.options.lights) hidePunctualLights(gltf);
    for (const scene of gltf.scenes) this.finish(scene);
    return Promise.resolve();
  }

  /** Gives the meshes of an object the materials for which the loader doesn't ask plugins. */
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

  // The loader doesn't ask plugins for the type of unlit materials. A texture without baked light is filtered like all others of the
  // file.
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
      const { texture = 1 } = display; // the file's texture is brighter by this factor, and its light darker
      material.color.multiplyScalar(1 / texture);
      material.display = { ...display, vertex: true, strength: this.options.strength * texture };
    }
    this.parser.associations.set(material, this.parser.associations.get(from));
    return material;
  }

  // The game filters in display space what it multiplies there: the card filters textures as stored, and the shader decodes them.
  filterAsDisplayed(material) {
    if (!material.isBakedMaterial || (material.lightMap && !material.display) || material.defines?.BAKED_STORED !== undefined) return;
    for (const name of ['map', 'emissiveMap', 'lightMap']) if (material[name]) material[name] = this.stored(material[name]);
    material.defines = { ...material.defines, BAKED_STORED: '' };
  }

  stored(texture) {
    // Another material may need it decoded.
    if (!this.asStored.has(texture)) this.asStored.set(texture, owned(this.parser, Object.assign(texture.clone(), { colorSpace: NoColorSpace })));
    return this.asStored.get(texture);
  }

  // Returns the object of docs/internals/light.md if it is valid.
  display(extension) {
    const display = this.options.display && extension?.extras?.display;
    return display && display.albedo > 0 && display.albedo <= 1 && display.exponent > 0 ? display : null;
  }

  definition(index) {
    return this.parser.json.materials[index]?.extensions ?? {};
  }
}

// A mesh without the UV set gets full light, rather than some texel's.
function dropLightMapWithoutUV(mesh) {
  const channel = mesh.material.lightMap ? mesh.material.lightMap.channel : null;
  if (channel === null || `uv${channel || ''}` in mesh.geometry.attributes) return;
  mesh.material = mesh.material.clone();
  mesh.material.lightMap = null;
}

// takeLampLight makes a mesh receive lamps, cast their shadows and receive those of others.
function takeLampLight(mesh) {
  if (!mesh.geometry.attributes.normal) mesh.geometry.computeVertexNormals();
  mesh.receiveShadow = true;
  mesh.castShadow = !mesh.material.transparent;
}

/** Registers the plugin, and returns the loader. */
export function bsp2gltfLightmaps(loader, options) {
  return loader.register((parser) => new MOZLightmapPlugin(parser, options));
}

/** Hides (or shows again) the punctual lights of a loaded file, because their light is already in the lightmaps. */
export function hidePunctualLights(gltf, hidden = true) {
  for (const scene of gltf.scenes) {
    scene.traverse((object) => {
      if (object.isLight) object.visible = !hidden;
    });
  }
}
