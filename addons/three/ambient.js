/**
 * Lights objects that you add to a map as the game lights moving objects: by the light grid of Quake III's maps, which is in the file,
 * by the probes of Source's maps, which are in NAME_probes.json beside it or, in a page, in the file, or else by the lightmaps of floors.
 *
 *   const ambient = await bsp2gltfAmbient(gltf, await (await fetch('map_probes.json')).json()); // the second argument only for Source maps
 *   scene.add(ambient.shade(thing));
 */
import { LightProbe, Matrix4, Sphere, Vector3, Vector4 } from 'three';
import { inParts, listProbes, ofProbes, onGrid, onSurface } from '../shared/ambientlight.js';
import { onFloors } from '../shared/floorlight.js';
import { declare, patch, replace } from './patch.js';

/**
 * Reads the light of a loaded file. The result has shade(object), light(position), probe(position, lightProbe) and source: grid, probes or
 * floors. It is null if there is no light. Probes of another map are left out, with a warning.
 */
export async function bsp2gltfAmbient(gltf, probes = null) {
  const x = gltf.scene.userData.bsp2gltf_light_grid;
  if (x) {
    const [ambient, directed, toward] = (await accessors(gltf, [x.ambient, x.directed, x.toward])).map((a) => (i) => three(a, i));
    return reader(gltf, 'grid', (at) => onGrid({ ...x, ambient, directed, toward }, at));
  }
  const foreign = probes?.map && probes.map !== gltf.scene.userData.bsp2gltf_map_sha256;
  if (foreign) console.warn('bsp2gltf: the light probes belong to another map and are left out');
  const list = (foreign ? null : probes?.probes) ?? (await readPacked(gltf));
  if (Array.isArray(list) && list.length) return reader(gltf, 'probes', (at) => ofProbes(list, at));
  const floors = floorsOf(gltf);
  return floors.length ? reader(gltf, 'floors', lazily(() => onFloors(floors.map((floor) => floor())) ?? (() => ({ base: [0, 0, 0], lamps: [] })))) : null;
}

const lazily = (make) => {
  let made = null;
  return (at) => (made ??= make())(at);
};

// floorsOf returns for each mesh with a lightmap what reads it, with the pages as they are in the file: light styles replace them later.
function floorsOf({ scene, scenes = [] }) {
  const found = [], pages = new Map();
  for (const top of scenes) top.traverse((mesh) => {
    const { material, geometry, userData } = mesh, map = material?.lightMap;
    if (!mesh.isMesh || !map?.image?.width || userData.bsp2gltf_sky || !geometry.attributes[`uv${map.channel || ''}`]) return;
    const { image, channel } = map, intensity = material.lightMapIntensity / Math.PI; // of irradiance, as three has it
    found.push(() => {
      if (!pages.has(image)) pages.set(image, pixelsOf(image));
      return { ...trianglesOf(mesh, geometry.attributes[`uv${channel || ''}`], scene), page: pages.get(image), intensity };
    });
  });
  return found;
}

function pixelsOf(image) {
  const { width, height } = image, canvas = Object.assign(document.createElement('canvas'), { width, height }), context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, width, height);
}

// trianglesOf returns the corners of a mesh's triangles in the space of a scene, and their places on the page.
function trianglesOf(mesh, uv, scene) {
  const { attributes: { position }, index } = mesh.geometry, count = index ? index.count : position.count, corner = new Vector3();
  mesh.updateWorldMatrix(true, false);
  scene.updateWorldMatrix(true, false);
  const toScene = new Matrix4().copy(scene.matrixWorld).invert().multiply(mesh.matrixWorld), positions = new Float32Array(3 * count), coordinates = new Float32Array(2 * count);
  for (let i = 0; i < count; i++) {
    const vertex = index ? index.getX(i) : i;
    corner.fromBufferAttribute(position, vertex).applyMatrix4(toScene).toArray(positions, 3 * i);
    coordinates.set([uv.getX(vertex), uv.getY(vertex)], 2 * i);
  }
  return { positions, coordinates };
}

const accessors = ({ parser }, indices) => Promise.all(indices.map((i) => parser.getDependency('accessor', i)));
const three = (a, i) => [a.getX(i), a.getY(i), a.getZ(i)];

// readPacked returns the probes that are in the file, or null if there are none.
async function readPacked(gltf) {
  const x = gltf.scene.userData.bsp2gltf_light_probes;
  if (!x) return null;
  const list = (a) => Array.from({ length: a.count }, (_, i) => three(a, i)).flat();
  const [position, light] = (await accessors(gltf, [x.position, x.light])).map(list);
  return listProbes(position, light, Number(x.scale) || 1);
}

// reader returns ambient's functions, given find, which returns the light at a place.
function reader(gltf, source, find) {
  const light = (position) => {
    const found = find(position.toArray()), { all, way } = inParts(found);
    return { all: new Vector3(...all), way: way.map((w) => new Vector3(...w)), on: (n) => new Vector3(...onSurface(found, n.toArray())) };
  };
  return {
    source,
    // shade lights an object and all below it by the map, wherever they are. Each mesh gets a material of its own.
    shade(object) {
      object.traverse((mesh) => {
        if (mesh.isMesh) shadeMesh(gltf, find, mesh);
      });
      return object;
    },
    light,
    probe(position, probe = new LightProbe()) {
      const { all, way } = light(position), c = probe.sh.coefficients;
      for (const k of c) k.set(0, 0, 0);
      // three.js multiplies the first coefficient by 0.886227 and the next three by 1.023328, and divides by π.
      c[0].copy(all).multiplyScalar(Math.PI / 0.886227);
      for (const [to, axis] of [[1, 1], [2, 2], [3, 0]]) c[to].copy(way[axis]).multiplyScalar(Math.PI / 1.023328);
      return probe;
    },
  };
}

const MAX_LAMPS = 8; // at a place
const sphere = new Sphere(), at = new Vector3(), shaded = new WeakSet(); // meshes

function shadeMesh(gltf, find, mesh) {
  if (shaded.has(mesh)) return;
  shaded.add(mesh);
  const { onBeforeRender } = mesh, many = Array.isArray(mesh.material);
  const uniforms = { mapLight: { value: new Vector3() }, mapLamps: { value: Array.from({ length: MAX_LAMPS }, () => new Vector4()) }, mapLampsFrom: { value: Array.from({ length: MAX_LAMPS }, () => new Vector3()) } };
  const materials = [mesh.material].flat().map((material) => {
    if (material.isBakedMaterial || !LIT.some((kind) => material[kind])) return material; // the map's light does not apply to it
    const copy = material.clone();
    patch(copy, 'ambient', (shader) => addMapLight(shader, uniforms));
    gltf.bsp2gltf?.exposure?.add(copy);
    return copy;
  });
  mesh.material = many ? materials : materials[0];
  const last = new Vector3(Infinity, Infinity, Infinity);
  mesh.onBeforeRender = function (...all) {
    onBeforeRender.apply(this, all);
    if (!mesh.geometry.boundingSphere) mesh.geometry.computeBoundingSphere();
    const place = gltf.scene.worldToLocal(at.copy(sphere.copy(mesh.geometry.boundingSphere).applyMatrix4(mesh.matrixWorld).center));
    if (place.equals(last)) return;
    last.copy(place);
    setMapLight(uniforms, find(place.toArray()), gltf.scene.matrixWorld);
  };
}

const LIT = ['isMeshStandardMaterial', 'isMeshPhongMaterial', 'isMeshLambertMaterial', 'isMeshToonMaterial'];

function setMapLight(uniforms, { base, lamps }, toWorld) {
  uniforms.mapLight.value.fromArray(base);
  uniforms.mapLamps.value.forEach((value, i) => {
    const { color, from, squared } = lamps[i] ?? { color: [0, 0, 0], from: [0, 1, 0], squared: false };
    value.set(...color, Number(squared));
    uniforms.mapLampsFrom.value[i].fromArray(from).transformDirection(toWorld);
  });
}

// The map's light is stated as the light of a white surface; three.js divides irradiance by π.
function addMapLight(shader, uniforms) {
  Object.assign(shader.uniforms, uniforms);
  declare(shader, 'fragment', `uniform vec3 mapLight, mapLampsFrom[${MAX_LAMPS}];\nuniform vec4 mapLamps[${MAX_LAMPS}];`);
  replace(shader, 'fragment', '#include <lights_fragment_begin>', `$&
#ifdef RE_IndirectDiffuse
{
  vec3 facing = inverseTransformDirection(normal, viewMatrix), light = mapLight;
  for (int i = 0; i < ${MAX_LAMPS}; i++) {
    float part = max(dot(facing, mapLampsFrom[i]), 0.0);
    light += mapLamps[i].rgb * (mapLamps[i].w > 0.5 ? part * part : part);
  }
  irradiance += PI * light;
}
#endif`);
}
