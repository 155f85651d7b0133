// What a loaded file states about the map besides what is drawn: entities, views, and parts that can be shown or hidden.
import { Box3, Vector3 } from 'three';
import { add, pitchOf, yawOf } from './math.js';

const SPAWN = /^(info_player|info_vip|info_coop|team_ctf|info_deathmatch|info_observer|info_survivor)/i;

// How the bsp2gltf_format of models begins.
const MODEL = /^(IDST|IDPO|RAPO|IDP2|IDP3|IDSP|ZYMOTICMODEL|DARKPLACESMODEL|INTERQUAKEMODEL|MD5Version)/;

// isModel reports whether a file holds a model by itself, without a map.
export const isModel = (json) => MODEL.test(String(json.scenes?.[json.scene ?? 0]?.extras?.bsp2gltf_format));

// readMap returns { name, unit, extras, model, entities, bookmarks, view, missing, kinds (objects by kind), entityOf(object),
// nameOf(object), kindOf(object), extrasOf(material) }.
export function readMap({ parser, scene }) {
  const { json } = parser, root = json.scenes[json.scene ?? 0], extras = root.extras ?? {}, known = new Map();
  const map = { name: String(root.name ?? 'map'), unit: Number(extras.bsp2gltf_unit) > 0 ? Number(extras.bsp2gltf_unit) : 1 / 32, extras, model: isModel(json), entities: [], bookmarks: [], kinds: new Map() };
  scene.updateWorldMatrix(true, true);
  const walk = (object, owner, upper) => {
    const index = parser.associations.get(object)?.nodes, node = index === undefined ? {} : json.nodes[index];
    const its = { entity: owner, kind: upper, name: node.name === undefined ? known.get(object.parent)?.name ?? '' : String(node.name) };
    known.set(object, its);
    if (index !== undefined) readNode(map, object, node, its, json);
    if (object.isMesh && its.kind === 'hidden brushes' && /trigger/i.test(its.entity?.classname ?? '')) setKind(map, object, its, 'triggers');
    if (object.isMesh && !its.kind && object.material.userData.bsp2gltf_fog) its.kind = 'fog layers';
    for (const child of object.children) walk(child, its.entity, its.kind);
  };
  walk(scene, null, '');
  for (const [kind, objects] of map.kinds) { // keep objects that show something
    const seen = objects.filter(showsMesh);
    if (seen.length) map.kinds.set(kind, seen);
    else map.kinds.delete(kind);
  }
  map.bookmarks.sort((a, b) => a.order - b.order);
  map.view = viewOf(extras.bsp2gltf_view);
  map.missing = missingOf(extras.bsp2gltf_missing);
  const find = (object) => {
    for (let o = object; o; o = o.parent) if (known.has(o)) return known.get(o);
    return { entity: null, kind: '', name: '' };
  };
  return Object.assign(map, { entityOf: (o) => find(o).entity, nameOf: (o) => find(o).name, kindOf: (o) => find(o).kind,
    extrasOf: (material) => json.materials?.[parser.associations.get(material)?.materials]?.extras ?? {} });
}

// viewOf returns the first view, or null if the file states none.
function viewOf(x) {
  const { at, yaw, pitch } = x ?? {};
  return Array.isArray(at) && at.length === 3 && [...at, yaw, pitch].every(Number.isFinite) ? { at, yaw, pitch, fov: 0 } : null;
}

// missingOf returns what was not found, as { textures, models, names } (two counts and a list), or null if nothing was missing.
function missingOf(x) {
  const { textures, models, names } = x ?? {}, counts = [textures, models].every((n) => Number.isSafeInteger(n) && n >= 0);
  return counts && textures + models > 0 && Array.isArray(names) ? { textures, models, names: names.slice(0, 100).map(String) } : null;
}

function readNode(map, object, { name, mesh, camera, extras = {} }, its, json) {
  const at = new Vector3().setFromMatrixPosition(object.matrixWorld).toArray();
  const kind = extras.bsp2gltf_sky ? 'sky' : extras.bsp2gltf_skybox_3d ? '3D skybox' : extras.bsp2gltf_hidden ? hiddenKind(name, extras.variant)
    : /-(conv)?colonly$/.test(name ?? '') ? 'collision' : '';
  if (kind) setKind(map, object, its, kind);
  if (typeof extras.classname === 'string') {
    its.entity = { index: map.entities.length, object, name: String(name ?? extras.classname), classname: extras.classname, extras, at, placed: 'origin' in extras || mesh === undefined };
    map.entities.push(its.entity);
  }
  const toward = (v) => v.transformDirection(object.matrixWorld).toArray();
  if (camera !== undefined) {
    const d = toward(new Vector3(0, 0, -1));
    map.bookmarks.push({ name: String(name ?? 'camera'), at, yaw: yawOf(d), pitch: pitchOf(d), fov: json.cameras[camera].perspective?.yfov ?? 0, order: 1 });
  } else if (SPAWN.test(extras.classname ?? '')) {
    // Eye height: Quake III's and GoldSrc's origins are at the middle of the body, Source's at the feet.
    const eye = /^VBSP|^rBSP|^PSBV/.test(String(map.extras.bsp2gltf_format)) ? 64 : 26;
    map.bookmarks.push({ name: String(name ?? extras.classname), at: add(at, [0, eye * map.unit, 0]), yaw: yawOf(toward(new Vector3(1, 0, 0))), pitch: 0, fov: 0, order: 0 });
  }
}

const hiddenKind = (name, variant) => (variant !== undefined ? 'other body parts' : /trigger/i.test(name ?? '') ? 'triggers' : 'hidden brushes');

function setKind(map, object, its, kind) {
  its.kind = kind;
  if (!map.kinds.has(kind)) map.kinds.set(kind, []);
  map.kinds.get(kind).push(object);
}

// showsMesh reports whether an object, or one below it, is a mesh with vertices.
const showsMesh = (object) => (object.isMesh && object.geometry.attributes.position?.count > 0) || object.children.some(showsMesh);

// posedBox is boxOf for the current pose, vertex by vertex: three.js takes the union of all morph targets.
export function posedBox(objects, chosen) {
  const all = new Box3(), at = new Vector3();
  for (const object of objects) {
    object.updateWorldMatrix(true, true);
    object.traverseVisible((mesh) => {
      const count = mesh.isMesh && !mesh.userData.bsp2gltf_merged && chosen(mesh) ? mesh.geometry.attributes.position.count : 0;
      for (let i = 0; i < count; i++) all.expandByPoint(mesh.getVertexPosition(i, at).applyMatrix4(mesh.matrixWorld));
    });
  }
  return all.isEmpty() ? null : { low: all.min.toArray(), high: all.max.toArray() };
}

// boxOf returns the bounding box { low, high } of those meshes below objects that chosen accepts, or null if there are none.
export function boxOf(objects, chosen) {
  const all = new Box3(), one = new Box3();
  for (const object of objects) {
    object.traverse((mesh) => {
      if (!mesh.isMesh || mesh.userData.bsp2gltf_merged || !chosen(mesh)) return;
      if (!mesh.geometry.boundingBox) mesh.geometry.computeBoundingBox();
      if ((mesh.isInstancedMesh || mesh.isSkinnedMesh) && !mesh.boundingBox) mesh.computeBoundingBox();
      all.union(one.copy(mesh.boundingBox ?? mesh.geometry.boundingBox).applyMatrix4(mesh.matrixWorld));
    });
  }
  return all.isEmpty() ? null : { low: all.min.toArray(), high: all.max.toArray() };
}
