/**
 * Shows the baked light (MOZ_lightmap) of glTF files in three.js: base colour × lightmap × intensity + emission, in linear
 * light or, where the file says so, as the game multiplies them (docs/light.md). For three r152 and later.
 */
import { AdditiveBlending, Color, CustomBlending, DstColorFactor, MeshBasicMaterial, OneFactor, REVISION, SrcColorFactor, SRGBColorSpace, UniformsLib, UniformsUtils, Vector3, Vector4, ZeroFactor } from 'three';
import { showEnvironment, stored } from './environment.js';
import { shadeFog } from './fog.js';
import { patch } from './patch.js';

const EXTENSION = 'MOZ_lightmap', UNLIT = 'KHR_materials_unlit';

// A light map is irradiance, which three divides by π. Before r155 the renderer multiplied it by π first.
const PER_TEXEL = parseInt(REVISION) < 155 ? 1 : Math.PI;

/**
 * A surface lit by its light map alone. MeshBasicMaterial multiplies colour by light map in every version of three,
 * and no lamp or environment is added to it; what it lacks is emission, and light that is multiplied as displayed.
 * WebGPURenderer sees a plain MeshBasicMaterial: linear light, without emission.
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
    return this;
  }

  customProgramCacheKey() {
    return `baked ${this.display ? (this.display.vertex ? 'vertex' : 'texel') : 'linear'}`;
  }

  onBeforeCompile(shader) {
    Object.assign(shader.uniforms, UniformsUtils.clone(UniformsLib.emissivemap), { emissive: { value: new Color() } });
    let sum = 'outgoingLight += totalEmissiveRadiance;', more = '';
    if (this.display) {
      Object.assign(shader.uniforms, displayUniforms(this.display));
      more = DISPLAY_FUNCTIONS;
      sum = this.display.vertex ? DISPLAY_VERTEX : DISPLAY_TEXEL;
      if (this.display.vertex) { // the vertices' colour is light, and no part of the base colour
        shader.fragmentShader = shader.fragmentShader.replace('#include <color_fragment>',
          '#ifdef USE_COLOR_ALPHA\n\tdiffuseColor.a *= vColor.a;\n#endif');
      }
    }
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <map_pars_fragment>', `$&\n#include <emissivemap_pars_fragment>\nuniform vec3 emissive;\n${more}`)
      .replace('#include <envmap_fragment>', `vec3 totalEmissiveRadiance = emissive;\n#include <emissivemap_fragment>\n${sum}\n$&`);
  }
}

function displayUniforms({ albedo, exponent, gain = 1, emission = [1, 1, 1], strength = 1 }) {
  return {
    // x: what goes to the light from what the light map shows; y: d(a); z: what goes from e(x d(a)) to light; w: the exponent
    displayLight: { value: new Vector4(strength / gain ** 2.2, toLinear(albedo), gain / albedo ** exponent, exponent) },
    displayEmission: { value: new Vector3(...emission) },
  };
}

const toLinear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);

const DISPLAY_FUNCTIONS = `
uniform vec4 displayLight;
uniform vec3 displayEmission;
vec3 displayEncode(vec3 v) {
  return mix(1.055 * pow(max(v, vec3(1e-8)), vec3(1.0 / 2.4)) - 0.055, v * 12.92, vec3(lessThanEqual(v, vec3(0.0031308))));
}
vec3 displayDecode(vec3 v) {
  return mix(pow((max(v, vec3(0.04045)) + 0.055) / 1.055, vec3(2.4)), v / 12.92, vec3(lessThanEqual(v, vec3(0.04045))));
}
vec3 displayShow(vec3 x, vec3 base, vec3 glow) {
  vec3 light = displayEncode(x * displayLight.x * displayLight.y) * displayLight.z;
  vec3 shown = pow(displayEncode(base), vec3(displayLight.w)) * light + displayEncode(glow) * displayEmission;
  return displayDecode(min(shown, vec3(1.0)));
}
`;
const DISPLAY_TEXEL = `
#ifdef USE_LIGHTMAP
  outgoingLight = displayShow(texture2D(lightMap, vLightMapUv).rgb * lightMapIntensity * RECIPROCAL_PI, diffuseColor.rgb, totalEmissiveRadiance);
#else
  outgoingLight += totalEmissiveRadiance;
#endif`;
// The light map's light, as displayed.
const BEHIND_LIGHT = `
#ifdef USE_LIGHTMAP
  displayEncode(texture2D(lightMap, vLightMapUv).rgb * lightMapIntensity * RECIPROCAL_PI * displayLight.x * displayLight.y) * displayLight.z
#else
  1.0
#endif
`;
const DISPLAY_VERTEX = `
#if defined(USE_COLOR_ALPHA) || defined(USE_COLOR)
  outgoingLight = displayShow(vColor.rgb, diffuseColor.rgb, totalEmissiveRadiance);
#else
  outgoingLight = displayShow(vec3(1.0 / displayLight.x), diffuseColor.rgb, totalEmissiveRadiance);
#endif`;

/** A GLTFLoader plugin: loader.register((parser) => new MOZLightmapPlugin(parser)). */
export class MOZLightmapPlugin {
  /**
   * @param parser the GLTFParser
   * @param options strength: a factor on every light map; lit: keep MeshStandardMaterial, so that lamps and
   *   environments add to the baked light; lights: leave the file's punctual lights visible; display: multiply as the
   *   game does where the file says how; fog: shade the map's fog per pixel; environment: show the surroundings that shiny surfaces reflect;
   *   details: show detail textures.
   */
  constructor(parser, { strength = 1, lit = false, lights = false, display = true, fog = true, environment = true, details = true } = {}) {
    this.name = EXTENSION;
    this.parser = parser;
    this.options = { strength, lit, lights, display, fog, environment, details };
  }

  // The first plugin that names a type of material has it, and the loader's own come first: KHR_materials_specular and
  // its kin would take MeshPhysicalMaterial, in which what reflects strongly has little light of the light map left.
  beforeRoot() {
    if (!this.options.lit) this.parser.plugins = { [EXTENSION]: this, ...this.parser.plugins };
    return Promise.resolve();
  }

  getMaterialType(index) {
    const clear = this.definition(index).KHR_materials_transmission; // shows what is behind it
    return this.definition(index)[EXTENSION] && !this.options.lit && !clear ? BakedMaterial : null;
  }

  extendMaterialParams(index, params) {
    const lightmap = this.definition(index)[EXTENSION];
    if (!lightmap) return Promise.resolve();
    params.lightMapIntensity = (lightmap.intensity ?? 1) * this.options.strength * PER_TEXEL;
    if (this.getMaterialType(index)) params.display = this.display(lightmap);
    return this.parser.assignTexture(params, 'lightMap', lightmap, SRGBColorSpace);
  }

  afterRoot(gltf) {
    const { extensionsUsed = [], materials = [] } = this.parser.json, lightmaps = extensionsUsed.includes(EXTENSION);
    const vertices = materials.some((m) => this.display(m.extensions?.[UNLIT]));
    if (lightmaps && !this.options.lights) hidePunctualLights(gltf);
    const made = new Map(), detailed = new Set(), details = [];
    for (const scene of gltf.scenes) {
      scene.traverse((object) => {
        if (!object.isMesh) return;
        if (lightmaps) dropLightMapWithoutUV(object);
        if (vertices) this.useVertexLight(object, made);
        if (!detailed.has(object.material)) details.push(this.add(object.material));
        if (!detailed.has(object.material)) details.push(this.detail(object.material));
        detailed.add(object.material);
      });
    }
    return Promise.all(details).then(() => { if (this.options.fog) shadeFog(gltf); });
  }

  // The loader asks no plugin for the type of an unlit material.
  useVertexLight(mesh, made) {
    const from = mesh.material, index = this.parser.associations.get(from)?.materials;
    const display = index !== undefined && this.display(this.definition(index)[UNLIT]);
    if (!display) return;
    if (!made.has(from)) {
      const material = new BakedMaterial();
      MeshBasicMaterial.prototype.copy.call(material, from);
      const { texture = 1 } = display; // by how much the file's texture is brighter, and its light less
      material.color.multiplyScalar(1 / texture);
      material.display = { ...display, vertex: true, strength: this.options.strength * texture };
      this.parser.associations.set(material, { materials: index });
      made.set(from, material);
    }
    mesh.material = made.get(from);
  }

  // Such a surface is added to the background, or multiplies it. For the former pixels are made for blending, and brightened by their
  // alpha; the latter multiply by 1 + alpha · (2 · shown - 1).
  async add(material) {
    const index = this.parser.associations.get(material)?.materials, blend = index !== undefined && this.parser.json.materials[index].extras?.blend;
    if (blend === 'add') material.blending = AdditiveBlending;
    if (blend !== 'multiply' || !material.transparent || material.blending === CustomBlending) return;
    Object.assign(material, { blending: CustomBlending, blendSrc: DstColorFactor, blendDst: SrcColorFactor, blendSrcAlpha: ZeroFactor, blendDstAlpha: OneFactor });
    const { behind } = this.parser.json.materials[index].extras, own = behind && material.map && behind.factor?.length === 3;
    const uniforms = own ? { behindMap: { value: await stored(this.parser, behind.texture) }, behindFactor: { value: new Vector3(...behind.factor) } } : {};
    patch(material, `multiply ${own} ${!!material.display}`, (shader) => {
      Object.assign(shader.uniforms, uniforms);
      const light = material.isBakedMaterial && material.display && !material.display.vertex ? BEHIND_LIGHT : '1.0';
      shader.fragmentShader = (own ? 'uniform sampler2D behindMap;\nuniform vec3 behindFactor;\n' : '') + shader.fragmentShader.replace(/#include <(colorspace|encodings)_fragment>/,
        `$&\ngl_FragColor.rgb = ${own ? `0.5 * behindFactor * texture2D(behindMap, vMapUv).rgb * ${light}` : 'mix(vec3(0.5), gl_FragColor.rgb, gl_FragColor.a)'};`);
    });
  }

  // Detail textures multiply what is shown by twice themselves.
  async detail(material) {
    const index = this.parser.associations.get(material)?.materials;
    const { details: list, environment } = this.parser.json.materials[index]?.extras ?? {};
    if (environment && this.options.environment && material.isMeshBasicMaterial) await showEnvironment(this.parser, material, environment);
    if (!this.options.details || !Array.isArray(list) || !material.isBakedMaterial || !material.display) return;
    const textures = await Promise.all(list.map((d) => stored(this.parser, d.texture)));
    const uniforms = { detailMaps: { value: textures }, detailRows: { value: list.flatMap(({ transform: t }) => [new Vector3(...t.slice(0, 3)), new Vector3(...t.slice(3))]) } };
    patch(material, `details ${list.length}`, (shader) => showDetails(shader, uniforms, list.length));
  }

  // The object of docs/light.md, where it is one.
  display(extension) {
    const display = this.options.display && extension?.extras?.display;
    return display && display.albedo > 0 && display.albedo <= 1 && display.exponent > 0 ? display : null;
  }

  definition(index) {
    return this.parser.json.materials[index].extensions ?? {};
  }
}

// showDetails adds detail textures, as stored, to a shader that shows light as displayed.
function showDetails(shader, uniforms, count) {
  Object.assign(shader.uniforms, uniforms);
  const each = (line) => Array.from({ length: count }, (_, i) => line(i)).join('\n');
  shader.vertexShader = `uniform vec3 detailRows[${2 * count}];\nvarying vec2 vDetails[${count}];\n${shader.vertexShader}`
    .replace('#include <uv_vertex>', `$&\n${each((i) => `vDetails[${i}] = vec2(dot(detailRows[${2 * i}], vec3(uv, 1.0)), dot(detailRows[${2 * i + 1}], vec3(uv, 1.0)));`)}`);
  shader.fragmentShader = `uniform sampler2D detailMaps[${count}];\nvarying vec2 vDetails[${count}];\n${shader.fragmentShader}`
    .replace(' + displayEncode(glow) * displayEmission;', `;\n${each((i) => `  shown = min(shown, vec3(1.0)) * 2.0 * texture2D(detailMaps[${i}], vDetails[${i}]).rgb;`)}\n  shown += displayEncode(glow) * displayEmission;`);
}

// A mesh that lacks the UV set gets full light, instead of a stray texel or, in older versions, a shader error.
function dropLightMapWithoutUV(mesh) {
  const channel = mesh.material.lightMap ? mesh.material.lightMap.channel : null;
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
