/**
 * Lights objects that you add to a map as the game lights moving objects: by the light grid of Quake III's maps, which is in the file,
 * by the probes of Source's maps, which are in NAME_probes.json beside it or, in a page, in the file, or else by the lightmaps of floors.
 */
import { inParts, listProbes, ofProbes, onGrid, onSurface } from '../shared/ambientlight.js';
import { curves } from '../shared/color.js';
import { onFloors } from '../shared/floorlight.js';
import { along, IDENTITY } from './sprites.js';

const NAME = 'bsp2gltf_ambient', MOST = 8; // at a place
const files = new WeakMap(); // by scene: the light of the files that it has loaded

/** Registers the extension that reads the light of files. */
export function registerAmbient(GLTFLoader, MaterialPluginBase, { exposure }) {
  GLTFLoader.RegisterExtension(NAME, (loader) => {
    const { scenes = [], scene: number = 0 } = loader.gltf, extras = scenes[number]?.extras ?? {};
    return {
      name: NAME,
      enabled: true, // also without light in the file, because probes may be beside it
      dispose() {},
      onReady() {
        const scene = loader.babylonScene, { bsp2gltf_map_sha256: map, bsp2gltf_exposure: stated } = extras;
        const factor = exposure && stated > 0 && Number.isFinite(stated) ? stated : 1;
        const file = { map, factor, root: loader.rootBabylonMesh, find: findLight(loader, extras), MaterialPluginBase };
        file.find.catch(() => {}); // bsp2gltfAmbient reports it
        if (!files.has(scene)) files.set(scene, new Set());
        files.get(scene).add(file);
        loader.rootBabylonMesh?.onDisposeObservable.add(() => files.get(scene).delete(file));
      },
    };
  });
}

// findLight returns { source, find }, where find gives the light at a place in the file's axes, or null if the file has no grid and no
// probes. It reads everything at once, because the loader can't be used once it has finished.
async function findLight(loader, extras) {
  const { bsp2gltf_light_grid: grid, bsp2gltf_light_probes: packed } = extras;
  const read = (i) => loader._loadFloatAccessorAsync(`/accessors/${i}`, loader.gltf.accessors[i]);
  if (grid) {
    const lists = await Promise.all([grid.ambient, grid.directed, grid.toward].map(read));
    const [ambient, directed, toward] = lists.map((list) => (i) => [...list.subarray(3 * i, 3 * i + 3)]);
    return { source: 'grid', find: (at) => onGrid({ ...grid, ambient, directed, toward }, at) };
  }
  if (!packed) return null;
  const list = listProbes(...(await Promise.all([packed.position, packed.light].map(read))), Number(packed.scale) || 1);
  return list.length ? { source: 'probes', find: (at) => ofProbes(list, at) } : null;
}

/**
 * Reads the light of what a scene has loaded; probes is NAME_probes.json, for Source maps only. The result has light(position), in the
 * scene's axes, shade(material), which lights a PBRMaterial by the light at each of its meshes, and source: grid, probes or floors. It is
 * null if there is no light. Probes of another map are left out, with a warning.
 */
export async function bsp2gltfAmbient(scene, probes = null) {
  const list = Array.isArray(probes?.probes) && probes.probes.length ? probes.probes : null;
  for (const file of files.get(scene) ?? []) {
    const own = await file.find;
    if (own) return reader(file, own.source, own.find);
    if (!list) continue;
    if (!probes.map || probes.map === file.map) return reader(file, 'probes', (at) => ofProbes(list, at));
    console.warn('bsp2gltf: the light probes belong to another map and are left out');
  }
  for (const file of files.get(scene) ?? []) {
    const find = onFloors(await floorsOf(file.root));
    if (find) return reader(file, 'floors', find);
  }
  return null;
}

// floorsOf returns the triangles below a root that have a lightmap, in the file's axes.
async function floorsOf(root) {
  const found = [], pages = new Map(), toFile = root?.computeWorldMatrix(true).clone().invert();
  for (const mesh of root?.getChildMeshes() ?? []) {
    const page = mesh.material?.lightmapTexture, positions = mesh.getVerticesData('position'), uv = mesh.getVerticesData(page?.coordinatesIndex ? 'uv2' : 'uv');
    if (!page || !positions || !uv || mesh.metadata?.gltf?.extras?.bsp2gltf_sky) continue;
    if (!pages.has(page)) pages.set(page, page.readPixels()); // those of a style's page are of its last update
    const data = await pages.get(page);
    if (!data) continue;
    const m = mesh.computeWorldMatrix(true).multiply(toFile).m, indices = mesh.getIndices() ?? Array.from({ length: positions.length / 3 }, (_, i) => i);
    const place = (i) => { const [x, y, z] = positions.slice(3 * i, 3 * i + 3); return [0, 1, 2].map((k) => x * m[k] + y * m[4 + k] + z * m[8 + k] + m[12 + k]); };
    const { width, height } = page.getSize();
    found.push({ positions: Float32Array.from([...indices].flatMap(place)), coordinates: Float32Array.from([...indices].flatMap((i) => [uv[2 * i], uv[2 * i + 1]])), page: { width, height, data }, intensity: page.level });
  }
  return found;
}

function reader({ root, factor, MaterialPluginBase }, source, find) {
  const lightAt = ({ x, y, z }) => {
    const to = root?.computeWorldMatrix(true), m = to?.m ?? IDENTITY, inverse = to?.clone().invert().m ?? IDENTITY;
    const { base, lamps, models } = find([0, 1, 2].map((k) => x * inverse[k] + y * inverse[4 + k] + z * inverse[8 + k] + inverse[12 + k]));
    const turned = (lamp) => ({ ...lamp, from: lamp.from.some(Boolean) ? along(lamp.from, m) : lamp.from });
    return { base, lamps: lamps.map(turned), models: models && turned(models) };
  };
  let Plugin = null;
  return {
    source,
    light(position) {
      const found = lightAt(position);
      return { ...inParts(found), on: ({ x, y, z }) => onSurface(found, [x, y, z]) };
    },
    shade(material) {
      if (!MaterialPluginBase) throw new Error('bsp2gltf: shade() needs the option MaterialPluginBase');
      if (!/^PBR/.test(material.getClassName())) throw new Error(`bsp2gltf: shade() needs a PBRMaterial, not a ${material.getClassName()}`);
      Plugin ??= ambientPlugin(MaterialPluginBase, (position) => values(lightAt(position), factor));
      if (!material.pluginManager?.getPlugin(NAME)) new Plugin(material);
      return material;
    },
  };
}

// values returns the light as numbers for the shader: rows of four, the first for light from all sides, two for each lamp.
function values({ base, lamps }, factor) {
  const out = new Float32Array(16 * 5), scaled = (color) => color.map((v) => v * factor);
  const rows = lamps.slice(0, MOST).map(({ color, from, squared }) => [...scaled(color), Number(squared), ...from, 0]);
  out.set([...scaled(base), 0, ...rows.flat()]);
  return out;
}

function ambientPlugin(MaterialPluginBase, find) {
  return class AmbientPlugin extends MaterialPluginBase {
    constructor(material) {
      super(material, NAME, 210, { BSP2GLTF_AMBIENT: true });
      this.registerForExtraEvents = true; // for hardBindForSubMesh
      this._enable(true);
    }
    isCompatible(language) { return language === 0; } // GLSL
    prepareDefinesBeforeAttributes(defines) { defines._needNormals = true; }
    getUniforms() {
      return { ubo: [{ name: 'bakedAmbient', size: 16, type: 'mat4', arraySize: 5 }], fragment: 'uniform mat4 bakedAmbient[5];\n' };
    }
    hardBindForSubMesh(buffer, scene, engine, subMesh) { // for each mesh of the material
      buffer.updateMatrices('bakedAmbient', find(subMesh.getMesh().getBoundingInfo().boundingSphere.centerWorld));
    }
    getClassName() { return 'Bsp2gltfAmbientPlugin'; }
    getCustomCode(stage) {
      return stage === 'fragment' ? { CUSTOM_FRAGMENT_DEFINITIONS: FUNCTIONS, CUSTOM_FRAGMENT_BEFORE_FOG: LIT } : null;
    }
  };
}

// Babylon.js' own conversion to linear light and back is a plain power of 2.2.
const FUNCTIONS = curves('ambient');
const LIT = `
#ifdef NORMAL
{
  vec3 light = bakedAmbient[0][0].rgb;
  for (int i = 1; i <= 2 * ${MOST}; i += 2) {
    vec4 lamp = bakedAmbient[i / 4][i % 4];
    float part = max(dot(normalW, bakedAmbient[(i + 1) / 4][(i + 1) % 4].xyz), 0.0);
    light += lamp.rgb * (lamp.w > 0.5 ? part * part : part);
  }
  finalColor.rgb = toLinearSpace(ambientEncode(max(finalColor.rgb + albedoOpacityOut.surfaceAlbedo * light, vec3(0.0))));
}
#endif
`;
