// This reads a file into the viewer's terms: pieces to draw (a primitive where a node places it), materials, entities,
// bookmarks, fogs. Nothing here knows WebGL.
import { Acts, movedNodes, mover } from './acts.js';
import { FileError } from './glb.js';
import { add, compose, direction, identity, multiply, pitchOf, toLinear, yawOf } from './math.js';

const MOST_NODES = 1 << 20;
const FINEST = { level: 0, levels: 1 }; // which level of detail a node is, 0 the finest, of how many

export function readScene(file) {
  const { json } = file, root = file.item('scenes', json.scene ?? 0);
  const scene = {
    file, name: String(root.name ?? 'map'), unit: 1 / 32, extras: root.extras ?? {},
    pieces: [], entities: [], bookmarks: [], fogs: [], sprites: [], variants: (json.extensions?.KHR_materials_variants?.variants ?? []).map((v) => String(v.name)),
    materials: (json.materials ?? []).map(readMaterial),
    triangles: 0, levels: 1, movers: new Map(),
  };
  const unitOf = Number(root.extras?.bsp2gltf_unit);
  if (unitOf > 0) scene.unit = unitOf;
  const exposure = Number(root.extras?.bsp2gltf_exposure);
  scene.exposure = exposure > 0 && Number.isFinite(exposure) ? Math.min(Math.max(exposure, 1 / 64), 64) : 1; // the game's, to begin with
  scene.materials.push({ ...readMaterial({ name: 'no material' }), index: scene.materials.length });
  const todo = (root.nodes ?? []).map((n) => [n, identity(), null, '', FINEST, null]), seen = new Set(), moved = movedNodes(json);
  for (let i = 0; i < todo.length; i++) {
    const [index, parent, owner, kind, detail, upper] = todo[i], node = file.item('nodes', index);
    if (seen.has(index) || i > MOST_NODES) throw new FileError(`node ${index} is its own parent, or has two.`);
    seen.add(index);
    const matrix = multiply(parent, node.matrix ?? compose(node.translation, node.rotation, node.scale));
    const extras = node.extras ?? {}, its = kindOf(node, extras) || kind;
    const moves = moved.has(index) ? mover(index, node, parent, upper) : upper;
    if (moves !== upper) scene.movers.set(index, moves);
    let entity = owner;
    if (typeof extras.classname === 'string') {
      entity = { index: scene.entities.length, mover: moves, name: String(node.name ?? extras.classname), classname: extras.classname, extras, matrix,
        at: [matrix[12], matrix[13], matrix[14]], placed: 'origin' in extras || !('mesh' in node) };
      scene.entities.push(entity);
    }
    const coarser = (!detail.level && node.extensions?.MSFT_lod?.ids) || [], levels = coarser.length ? coarser.length + 1 : detail.levels;
    scene.levels = Math.max(scene.levels, levels);
    addPieces(scene, node, matrix, entity, its, { ...detail, levels, mover: moves });
    addPlace(scene, node, matrix, entity, extras);
    for (const child of node.children ?? []) todo.push([child, matrix, entity, its, { ...detail, levels }, moves]);
    for (const [k, lower] of coarser.entries()) todo.push([lower, parent, entity, its, { level: k + 1, levels }, moves]); // in place of the node
  }
  const bent = (scene.materials.find((m) => m.display && m.lightmap) ?? scene.materials.find((m) => m.display));
  scene.display = bent ? { linear: toLinear(bent.display.albedo) } : null; // the game multiplies light as displayed
  scene.acts = new Acts(file, scene.movers);
  scene.bookmarks.sort((a, b) => a.order - b.order);
  return scene;
}

// kindOf says what a node is that can be shown or not: "" is the map.
function kindOf(node, extras) {
  if (extras.bsp2gltf_sky) return 'sky';
  if (extras.bsp2gltf_skybox_3d) return '3D skybox';
  if (extras.bsp2gltf_hidden) return /trigger/i.test(node.name ?? '') ? 'triggers' : 'hidden brushes';
  if (/-convcolonly$/.test(node.name ?? '')) return 'collision';
  return '';
}

function addPieces(scene, node, matrix, entity, kind, detail) {
  if (node.mesh === undefined) return;
  const { file } = scene, mesh = file.item('meshes', node.mesh), instances = node.extensions?.EXT_mesh_gpu_instancing;
  const places = instances ? instancePlaces(file, instances.attributes ?? {}).map((m) => multiply(matrix, m)) : [matrix];
  if (kind === 'hidden brushes' && entity && /trigger/i.test(entity.classname)) kind = 'triggers';
  for (const [number, p] of (mesh.primitives ?? []).entries()) {
    if ((p.mode ?? 4) !== 4 || p.attributes?.POSITION === undefined) continue;
    const variants = new Map();
    for (const { material, variants: of = [] } of p.extensions?.KHR_materials_variants?.mappings ?? []) for (const v of of) variants.set(v, material);
    for (const place of places) {
      const piece = { ...detail, primitive: p, key: `${node.mesh} ${number}`, matrix: place, entity, kind: layerKind(scene, p, kind),
        material: scene.materials[p.material] ? p.material : scene.materials.length - 1, variants, extras: node.extras ?? {}, name: String(node.name ?? '') };
      scene.pieces.push(piece);
    }
  }
}

// Fog that was drawn as layers for viewers that can't shade it is not shown: this one can.
function layerKind(scene, p, kind) {
  return !kind && scene.materials[p.material]?.extras.bsp2gltf_fog ? 'fog layers' : kind;
}

function instancePlaces(file, { TRANSLATION, ROTATION, SCALE }) {
  const read = (index, size) => {
    if (index === undefined) return null;
    const { array, whole } = file.accessor(index);
    return (i) => Array.from(array.subarray(i * size, i * size + size), (v) => v / whole);
  };
  const t = read(TRANSLATION, 3), r = read(ROTATION, 4), s = read(SCALE, 3);
  const count = file.item('accessors', TRANSLATION ?? ROTATION ?? SCALE).count;
  return Array.from({ length: count }, (_, i) => compose(t?.(i), r?.(i), s?.(i)));
}

// addPlace notes what a node means besides being drawn: an eye to look from, a fog.
function addPlace(scene, node, matrix, entity, extras) {
  const at = [matrix[12], matrix[13], matrix[14]];
  if (node.camera !== undefined) {
    const lens = scene.file.item('cameras', node.camera).perspective ?? {};
    const d = direction(matrix, [0, 0, -1]);
    scene.bookmarks.push({ name: String(node.name ?? 'camera'), at, yaw: yawOf(d), pitch: pitchOf(d), fov: lens.yfov ?? 0, order: 1 });
  } else if (entity && extras.classname && /^(info_player|info_vip|info_coop|team_ctf|info_deathmatch|info_observer|info_survivor)/i.test(extras.classname)) {
    const d = direction(matrix, [1, 0, 0]); // the game's forward
    // Where the eyes of one who stands there are: Quake III and GoldSrc name the middle of the body, Source the feet.
    const eye = /^VBSP|^rBSP|^PSBV/.test(String(scene.extras.bsp2gltf_format)) ? 64 : 26;
    scene.bookmarks.push({ name: String(node.name ?? extras.classname), at: add(at, [0, eye * scene.unit, 0]), yaw: yawOf(d), pitch: 0, fov: 0, order: 0 });
  }
  if (extras.bsp2gltf_skybox_3d) scene.box = extras;
  if (extras.bsp2gltf_fog) scene.fogs.push({ matrix, extras });
}

// A material's numbers in the terms of the shaders.
function readMaterial(m, index) {
  const pbr = m.pbrMetallicRoughness ?? {}, ext = m.extensions ?? {}, extras = m.extras ?? {};
  const unlit = ext.KHR_materials_unlit, light = ext.MOZ_lightmap;
  const display = (light ?? unlit)?.extras?.display;
  const strength = ext.KHR_materials_emissive_strength?.emissiveStrength ?? 1;
  return {
    index, name: String(m.name ?? `material ${index}`), extras,
    base: slot(pbr.baseColorTexture), factor: (pbr.baseColorFactor ?? [1, 1, 1, 1]).map((v, i) => (i < 3 && unlit && display?.texture > 0 ? v / display.texture : v)),
    emissive: slot(m.emissiveTexture), emission: (m.emissiveFactor ?? [0, 0, 0]).map((v) => v * strength),
    alpha: m.alphaMode ?? 'OPAQUE', cutoff: m.alphaCutoff ?? 0.5, doubleSided: !!m.doubleSided,
    lightmap: light ? { texture: light.index, intensity: light.intensity ?? 1 } : null,
    vertexLight: !!unlit && !!display, unlit: !!unlit,
    display: display?.albedo > 0 && display.exponent > 0 ? display : null,
    motion: readMotion(extras.motion), details: readDetails(extras.details),
    behind: Number.isInteger(extras.behind?.texture) && numbers(extras.behind.factor, 3) ? extras.behind : null, environment: readEnvironment(extras.environment),
    sort: Number(extras.sort) || 0, adds: extras.blend === 'add', multiplies: extras.blend === 'multiply' && m.alphaMode === 'BLEND',
  };
}

function slot(info) {
  if (!info) return null;
  const { scale = [1, 1], offset = [0, 0], rotation = 0 } = info.extensions?.KHR_texture_transform ?? {};
  const c = Math.cos(rotation), s = Math.sin(rotation);
  // u' = uv[0] u + uv[1] v + uv[2], v' = uv[3] u + uv[4] v + uv[5]
  return { texture: info.index, set: info.texCoord ?? 0, uv: [scale[0] * c, scale[1] * s, offset[0], -scale[0] * s, scale[1] * c, offset[1]] };
}

// readDetails takes textures that multiply what is shown by twice themselves; two at most.
function readDetails(x) {
  return (Array.isArray(x) ? x : []).filter((d) => Number.isInteger(d?.texture) && Array.isArray(d.transform) && d.transform.length === 6 && d.transform.every(Number.isFinite)).slice(0, 2);
}

const numbers = (l, n) => Array.isArray(l) && l.length === n && l.every(Number.isFinite);

// readEnvironment takes a picture of the surroundings.
function readEnvironment(x) {
  const list = (l, n, or) => (numbers(l, n) ? l : or), white = [1, 1, 1];
  if (!Number.isInteger(x?.texture) || !list(x.mean, 3)) return null;
  return {
    texture: x.texture, transform: list(x.transform, 6, [1, 0, 0, 0, 1, 0]), mean: x.mean, color: list(x.color, 3, white), factor: list(x.factor, 3, white),
    share: Number.isInteger(x.factor_texture) ? x.factor_texture : null, vertex: !!x.vertex, emission: !!x.emission,
  };
}

// readMotion takes what is as docs/extras.md says: numbers, lists of them behind a name.
function readMotion(x) {
  if (!x || typeof x !== 'object') return {};
  const numbers = (l) => Array.isArray(l) && l.every(Number.isFinite);
  const list = (l) => (Array.isArray(l) && l.every((c) => Array.isArray(c) && typeof c[0] === 'string' && c.slice(1).every((v) => Number.isFinite(v) || typeof v === 'string')) ? l : null);
  const one = (w) => (Array.isArray(w) && typeof w[0] === 'string' && numbers(w.slice(1, 5)) && w.length === 5 ? w : null);
  return {
    base: list(x.base), glow: list(x.glow), deform: list(x.deform), rest: numbers(x.rest) && x.rest.length === 6 ? x.rest : null,
    color: one(x.color), color_rest: Number(x.color_rest), glow_color: one(x.glow_color), glow_color_rest: Number(x.glow_color_rest),
    frames: Array.isArray(x.frames) && x.frames.every(Number.isInteger) && x.frames.length && x.fps > 0 ? x.frames : null, fps: x.fps,
    facing: x.facing,
  };
}
