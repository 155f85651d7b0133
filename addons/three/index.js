/**
 * Shows the baked light (MOZ_lightmap) of glTF files in three.js: base colour × lightmap × intensity + emission.
 * For three r152 and later.
 */
import { Color, MeshBasicMaterial, REVISION, SRGBColorSpace, UniformsLib, UniformsUtils } from 'three';

const EXTENSION = 'MOZ_lightmap';

// A light map is irradiance, which three divides by π. Before r155 the renderer multiplied it by π first.
const PER_TEXEL = parseInt(REVISION) < 155 ? 1 : Math.PI;

/**
 * A surface lit by its light map alone. MeshBasicMaterial multiplies colour by light map in every version of three,
 * and no lamp or environment is added to it; what it lacks is emission, which this adds.
 * WebGPURenderer sees a plain MeshBasicMaterial, without emission.
 */
export class BakedMaterial extends MeshBasicMaterial {
  constructor(parameters) {
    super();
    this.isBakedMaterial = true;
    this.emissive = new Color(0x000000);
    this.emissiveIntensity = 1;
    this.emissiveMap = null;
    this.setValues(parameters);
  }

  // GLTFLoader prepares parameters for a MeshStandardMaterial; those that mean nothing here are left out.
  setValues(values) {
    super.setValues(values && Object.fromEntries(Object.entries(values).filter(([key]) => this[key] !== undefined)));
  }

  copy(source) {
    super.copy(source);
    this.emissive.copy(source.emissive);
    this.emissiveIntensity = source.emissiveIntensity;
    this.emissiveMap = source.emissiveMap;
    return this;
  }

  onBeforeCompile(shader) {
    Object.assign(shader.uniforms, UniformsUtils.clone(UniformsLib.emissivemap), { emissive: { value: new Color() } });
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <map_pars_fragment>', '$&\n#include <emissivemap_pars_fragment>\nuniform vec3 emissive;')
      .replace('#include <envmap_fragment>', 'vec3 totalEmissiveRadiance = emissive;\n#include <emissivemap_fragment>\noutgoingLight += totalEmissiveRadiance;\n$&');
  }
}

/** A GLTFLoader plugin: loader.register((parser) => new MOZLightmapPlugin(parser)). */
export class MOZLightmapPlugin {
  /**
   * @param parser the GLTFParser
   * @param options strength: a factor on every light map; lit: keep MeshStandardMaterial, so that lamps and
   *   environments add to the baked light; lights: leave the file's punctual lights visible.
   */
  constructor(parser, { strength = 1, lit = false, lights = false } = {}) {
    this.name = EXTENSION;
    this.parser = parser;
    this.options = { strength, lit, lights };
  }

  // The first plugin that names a type of material has it, and the loader's own come first: KHR_materials_specular and
  // its kin would take MeshPhysicalMaterial, in which what reflects strongly has little light of the light map left.
  beforeRoot() {
    if (!this.options.lit) this.parser.plugins = { [EXTENSION]: this, ...this.parser.plugins };
    return Promise.resolve();
  }

  getMaterialType(index) {
    const clear = this.parser.json.materials[index].extensions?.KHR_materials_transmission; // shows what is behind it
    return this.lightmap(index) && !this.options.lit && !clear ? BakedMaterial : null;
  }

  extendMaterialParams(index, params) {
    const lightmap = this.lightmap(index);
    if (!lightmap) return Promise.resolve();
    params.lightMapIntensity = (lightmap.intensity ?? 1) * this.options.strength * PER_TEXEL;
    return this.parser.assignTexture(params, 'lightMap', lightmap, SRGBColorSpace);
  }

  afterRoot(gltf) {
    if (!this.parser.json.extensionsUsed?.includes(EXTENSION)) return Promise.resolve();
    if (!this.options.lights) hidePunctualLights(gltf);
    for (const scene of gltf.scenes) scene.traverse(dropLightMapWithoutUV);
    return Promise.resolve();
  }

  lightmap(index) {
    return this.parser.json.materials[index].extensions?.[EXTENSION];
  }
}

// A mesh that lacks the UV set gets full light, instead of a stray texel or, in older versions, a shader error.
function dropLightMapWithoutUV(mesh) {
  const channel = mesh.isMesh && mesh.material.lightMap ? mesh.material.lightMap.channel : null;
  if (channel === null || `uv${channel || ''}` in mesh.geometry.attributes) return;
  mesh.material = mesh.material.clone();
  mesh.material.lightMap = null;
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
