/**
 * Draws static meshes together: near meshes with the same material become one, and a mesh at many places is drawn with instances. A map
 * of hundreds of meshes then takes a few dozen draw calls, and what is behind the camera is still culled.
 */
import { Box3, BufferAttribute, BufferGeometry, InstancedMesh, Matrix4, Mesh, Vector3 } from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';

import { noticeRenderer, owned, setUp } from './traverse.js';

const FEW_TRIANGLES = 1000, NEAR = 8; // of a merged mesh that is not divided further; metres between the centres of its farthest parts
const MANY = 24, LARGE = 300; // numbers of places and vertices above which instances take less memory than copies
const LAYER = 30; // of meshes that are drawn as parts of merged ones

/**
 * Merges the visible meshes of a loaded file. Call it after everything that changes materials. The meshes themselves stay in the scene,
 * in the layer merged.layer, which no camera sees: enable it in a Raycaster, too. Call merged.update() after something is shown, hidden
 * or given another material. Meshes that move together are merged together; transparent meshes and those that face the camera are drawn
 * as before.
 */
export function bsp2gltfMerge(gltf) {
  const moved = movedObjects(gltf), made = new Map(), layers = new Map();
  const merged = {
    layer: LAYER,
    update() {
      for (const [mesh, mask] of layers) if (mesh.layers.mask === 1 << LAYER) mesh.layers.mask = mask;
      layers.clear();
      for (const { mesh } of made.values()) mesh.removeFromParent();
      const areas = [...groupsOf(gltf, moved)].flatMap(([key, group]) => divide(group).map((part, i) => [`${key} ${i}`, part]));
      for (const [key, group] of areas) {
        if (group.length < 2) continue;
        const ids = group.map(({ mesh }) => mesh.id).join();
        if (made.get(key)?.ids !== ids) {
          free(made.get(key)?.mesh);
          made.set(key, { ids, mesh: join(group) });
        }
        group[0].owner.add(made.get(key).mesh);
        for (const { mesh } of group) {
          layers.set(mesh, mesh.layers.mask);
          mesh.layers.set(LAYER);
        }
      }
    },
  };
  if (gltf.parser) owned(gltf.parser, { dispose: () => { for (const { mesh } of made.values()) free(mesh); } });
  merged.update();
  return merged;
}

// free disposes of a merged mesh. Instances share the geometry of their parts, so it is kept.
function free(mesh) {
  if (mesh?.isInstancedMesh) mesh.dispose();
  else mesh?.geometry.dispose();
}

// movedObjects returns the objects that the file's animations move.
function movedObjects({ parser, scenes }) {
  const { animations = [] } = parser.json, found = new Set();
  const nodes = new Set(animations.flatMap(({ channels = [] }) => channels.map(({ target }) => target?.node)));
  for (const scene of scenes) scene.traverse((object) => { if (nodes.has(parser.associations.get(object)?.nodes)) found.add(object); });
  return found;
}

// groupsOf returns groups of meshes that can be drawn together, each mesh with the object that moves it and its matrix relative to
// that.
function groupsOf({ scenes }, moved) {
  const groups = new Map(), counts = new Map(), list = [];
  for (const scene of scenes) {
    scene.traverseVisible((mesh) => {
      if (!canMerge(mesh)) return;
      let owner = mesh;
      const matrix = new Matrix4();
      for (; owner !== scene && !moved.has(owner); owner = owner.parent) {
        owner.updateMatrix();
        matrix.premultiply(owner.matrix);
      }
      const same = `${owner.id} ${mesh.material.id} ${mesh.geometry.id} ${matrix.determinant() < 0}`;
      counts.set(same, (counts.get(same) ?? 0) + 1);
      list.push({ mesh, owner, matrix, same });
    });
  }
  for (const part of list) {
    const { mesh, owner, same } = part, { geometry, material } = mesh;
    const instanced = counts.get(same) >= MANY && geometry.attributes.position.count >= LARGE && part.matrix.determinant() > 0;
    const { renderOrder, layers, castShadow, receiveShadow } = mesh;
    const key = instanced ? same : [owner.id, material.id, renderOrder, layers.mask, castShadow, receiveShadow, kindOf(geometry)].join(' ');
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push({ ...part, instanced });
  }
  return groups;
}

// divide divides the meshes of a group by position until each part is small: a merged mesh is drawn whole even if only a corner of it
// is visible.
function divide(group) {
  const triangles = group.reduce((sum, { mesh: { geometry: { index, attributes } } }) => sum + (index ?? attributes.position).count / 3, 0);
  if (group.length < 2) return [group];
  const centers = group.map(({ mesh, matrix }) => centerOf(mesh.geometry).applyMatrix4(matrix)), box = new Box3().setFromPoints(centers), size = box.getSize(new Vector3());
  const axis = ['x', 'y', 'z'].reduce((a, b) => (size[b] > size[a] ? b : a));
  if (triangles <= FEW_TRIANGLES || size[axis] <= NEAR) return [group];
  const middle = (box.min[axis] + box.max[axis]) / 2, sides = [[], []];
  group.forEach((part, i) => sides[Number(centers[i][axis] > middle)].push(part));
  return sides.flatMap(divide);
}

function centerOf(geometry) {
  if (!geometry.boundingBox) geometry.computeBoundingBox();
  return geometry.boundingBox.getCenter(new Vector3());
}

// canMerge reports whether a mesh can be drawn with others: not one that is repositioned each frame, and not one that is sorted.
function canMerge(mesh) {
  const { geometry, material, layers } = mesh;
  return mesh.isMesh && !mesh.isInstancedMesh && !mesh.isSkinnedMesh && !mesh.userData.bsp2gltf_merged && layers.mask !== 0 &&
    material.isMaterial && !material.transparent && (!Object.hasOwn(mesh, 'onBeforeRender') || mesh.onBeforeRender === noticeRenderer) && !geometry.attributes.squareMiddle &&
    !geometry.attributes._chrome &&
    !Object.keys(geometry.morphAttributes).length;
}

// kindOf describes the attributes of a geometry; only geometries with the same attributes can be merged.
const kindOf = ({ attributes, index }) => Object.keys(attributes).sort().map((name) => {
  const { array, itemSize, normalized } = attributes[name];
  return name === 'position' ? name : `${name} ${array.constructor.name} ${itemSize} ${normalized}`;
}).concat(index ? 'index' : '').join();

function join(group) {
  const [{ mesh: first, instanced }] = group, mesh = instanced ? instances(group) : new Mesh(mergeGeometries(group.map(placed)), first.material);
  const { renderOrder, castShadow, receiveShadow, layers } = first;
  Object.assign(mesh, { name: 'merged', renderOrder, castShadow, receiveShadow });
  setUp(mesh, (merged) => { merged.raycast = () => {}; }); // raycasts hit its parts
  mesh.layers.mask = layers.mask;
  mesh.userData.bsp2gltf_merged = true;
  mesh.matrixAutoUpdate = false;
  return mesh;
}

function instances(group) {
  const { geometry, material } = group[0].mesh, mesh = new InstancedMesh(geometry, material, group.length);
  group.forEach(({ matrix }, i) => mesh.setMatrixAt(i, matrix));
  return mesh;
}

// placed returns a copy of a mesh's geometry, transformed, with its triangles' fronts kept.
function placed({ mesh: { geometry }, matrix }) {
  const copy = new BufferGeometry();
  for (const [name, from] of Object.entries(geometry.attributes)) copy.setAttribute(name, name === 'position' ? floats(from) : own(from));
  if (geometry.index) copy.setIndex(geometry.index.clone());
  copy.applyMatrix4(matrix);
  if (matrix.determinant() < 0) turnRound(copy);
  return copy;
}

// own returns a copy of an attribute that shares no array.
function own(attribute) {
  const { array, count, itemSize, normalized } = attribute;
  if (!attribute.isInterleavedBufferAttribute) return attribute.clone();
  const out = new BufferAttribute(new array.constructor(count * itemSize), itemSize, normalized);
  for (let i = 0; i < count; i++) for (let c = 0; c < itemSize; c++) out.setComponent(i, c, attribute.getComponent(i, c));
  return out;
}

function floats(attribute) {
  const { count } = attribute, array = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) array.set([attribute.getX(i), attribute.getY(i), attribute.getZ(i)], 3 * i);
  return new BufferAttribute(array, 3);
}

// turnRound reverses the winding of each triangle.
function turnRound(geometry) {
  const index = geometry.index ?? new BufferAttribute(Uint32Array.from({ length: geometry.attributes.position.count }, (_, i) => i), 1);
  for (let i = 0; i + 2 < index.count; i += 3) {
    const a = index.getX(i);
    index.setX(i, index.getX(i + 2));
    index.setX(i + 2, a);
  }
  geometry.setIndex(index);
}
