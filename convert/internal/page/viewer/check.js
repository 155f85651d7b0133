// Checks a binary glTF file before three.js reads it, so that a broken file gives one line that states what is wrong: all offsets must
// be inside the file, and the nodes must be trees.

export const COMPONENTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
const BYTES = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const WHOLE = { 5121: Uint8Array, 5123: Uint16Array, 5125: Uint32Array }; // types of vertex indices
const MOST_NODES = 1 << 20, MOST_NUMBERS = 1 << 26;

export class FileError extends Error {}

// check returns { json, bin } of the file, or throws a FileError about the first defect.
export function check(bytes) {
  const { json, bin } = chunks(bytes), item = (list, index) => {
    const found = json[list]?.[index];
    if (!found || typeof found !== 'object') throw new FileError(`${list} ${index} is missing.`);
    return found;
  };
  (json.bufferViews ?? []).forEach(({ buffer = 0, byteOffset = 0, byteLength }, i) => {
    if (buffer !== 0 || !(byteOffset >= 0) || !(byteLength >= 0) || byteOffset + byteLength > bin.length) throw new FileError(`bufferView ${i} lies outside of the file.`);
  });
  (json.accessors ?? []).forEach((accessor, i) => checkAccessor(accessor, i, item, bin));
  (json.meshes ?? []).forEach(({ primitives = [] }, i) => primitives.forEach((p) => {
    checkVertices(p, item);
    checkIndices(p, i, item, bin);
  }));
  (json.images ?? []).forEach((image, i) => {
    if (image.bufferView === undefined) throw new FileError(`image ${i} is not in the file.`);
  });
  checkNodes(json, item, bin);
  (json.skins ?? []).forEach(({ joints = [], inverseBindMatrices }, i) => {
    for (const joint of joints) item('nodes', joint);
    const matrices = inverseBindMatrices === undefined ? null : item('accessors', inverseBindMatrices);
    if (!joints.length || (matrices && (matrices.type !== 'MAT4' || matrices.count < joints.length))) throw new FileError(`skin ${i} has no matrix for each joint.`);
  });
  return { json, bin };
}

function chunks(bytes) {
  if (bytes.length < 20) throw new FileError(`The file ends after ${bytes.length} bytes.`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length), word = (at) => view.getUint32(at, true);
  if (word(0) !== 0x46546c67) throw new FileError('This is not a binary glTF file: it does not start with "glTF".');
  if (word(4) !== 2) throw new FileError(`glTF version ${word(4)} is not known; 2 is.`);
  if (word(8) > bytes.length) throw new FileError(`The file is cut off: ${bytes.length} of ${word(8)} bytes are there.`);
  let json = null, bin = new Uint8Array(0);
  for (let at = 12; at + 8 <= word(8);) {
    const size = word(at), type = word(at + 4), end = at + 8 + size;
    if (end > word(8)) throw new FileError('A chunk of the file is longer than the file.');
    const chunk = bytes.subarray(at + 8, end);
    if (type === 0x4e4f534a) json = parse(chunk);
    else if (type === 0x004e4942) bin = chunk;
    at = end + (-end & 3);
  }
  if (!json || typeof json !== 'object' || json.asset?.version !== '2.0') throw new FileError('The file has no description (JSON) of glTF 2.0.');
  return { json, bin };
}

function parse(chunk) {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(chunk));
  } catch {
    throw new FileError('The description inside of the file (JSON) is broken.');
  }
}

function checkAccessor({ bufferView, byteOffset = 0, componentType, count, type, sparse }, i, item, bin) {
  const size = COMPONENTS[type] * BYTES[componentType];
  if (!size || !(count >= 0)) throw new FileError(`accessor ${i} is of a kind that is not known.`);
  if (sparse) checkSparse(sparse, i, count, size, item, bin);
  if (bufferView === undefined) {
    if (count * COMPONENTS[type] > MOST_NUMBERS) throw new FileError(`accessor ${i} is too large.`);
    return;
  }
  const { byteLength, byteStride = size } = item('bufferViews', bufferView);
  if (count > 0 && byteOffset + byteStride * (count - 1) + size > byteLength) throw new FileError(`accessor ${i} lies outside of its bufferView.`);
}

// checkSparse checks the sparse values of an accessor.
function checkSparse({ count, indices, values }, i, all, size, item, bin) {
  const bytes = BYTES[indices?.componentType], from = item('bufferViews', indices?.bufferView), of = item('bufferViews', values?.bufferView);
  if (!WHOLE[indices.componentType] || !(count > 0) || (indices.byteOffset ?? 0) + count * bytes > from.byteLength || (values.byteOffset ?? 0) + count * size > of.byteLength)
    throw new FileError(`accessor ${i} lies outside of its bufferView.`);
  const most = greatest(indices.componentType, bin, (from.byteOffset ?? 0) + (indices.byteOffset ?? 0), count);
  if (most >= all) throw new FileError(`accessor ${i} names number ${most} of ${all}.`);
}

// greatest returns the greatest of count integers in the file, or -1 if there are none.
function greatest(componentType, bin, from, count) {
  const Type = WHOLE[componentType], size = BYTES[componentType], start = bin.byteOffset + from;
  const list = start % size ? new Type(bin.buffer.slice(start, start + count * size)) : new Type(bin.buffer, start, count);
  let most = -1;
  for (let i = 0; i < list.length; i++) if (list[i] > most) most = list[i];
  return most;
}

// checkVertices checks that each attribute and each morph target has a value for each vertex.
function checkVertices({ attributes = {}, targets = [] }, item) {
  const { count: vertices } = item('accessors', attributes.POSITION);
  for (const other of [attributes, ...targets].flatMap((list) => Object.values(list))) if (item('accessors', other).count < vertices) throw new FileError(`accessor ${other} has fewer numbers than there are vertices.`);
}

function checkIndices({ attributes, indices }, mesh, item, bin) {
  if (indices === undefined) return;
  const { count: vertices } = item('accessors', attributes.POSITION), { bufferView, byteOffset = 0, componentType, count } = item('accessors', indices);
  if (!WHOLE[componentType] || bufferView === undefined) throw new FileError(`accessor ${indices} is of a kind that is not known.`);
  const most = greatest(componentType, bin, (item('bufferViews', bufferView).byteOffset ?? 0) + byteOffset, count);
  if (most >= vertices) throw new FileError(`a primitive of mesh ${mesh} names vertex ${most} of ${vertices}.`);
}

function checkNodes(json, item, bin) {
  const todo = [...item('scenes', json.scene ?? 0).nodes ?? []], seen = new Set();
  for (let i = 0; i < todo.length; i++) {
    const index = todo[i], { mesh, camera, skin, children = [], extensions } = item('nodes', index);
    if (seen.has(index) || i > MOST_NODES) throw new FileError(`node ${index} is its own parent, or has two.`);
    seen.add(index);
    if (mesh !== undefined) item('meshes', mesh);
    if (camera !== undefined) item('cameras', camera);
    if (skin !== undefined) checkJoints(json.meshes[mesh], item('skins', skin), item, bin);
    todo.push(...children, ...extensions?.MSFT_lod?.ids ?? []);
  }
}

// checkJoints checks that the skin of a node has all joints to which vertices of its mesh refer.
function checkJoints(mesh, { joints = [] }, item, bin) {
  for (const { attributes = {} } of mesh?.primitives ?? []) {
    if (attributes.JOINTS_0 === undefined) continue;
    const { bufferView, byteOffset = 0, componentType, count, type } = item('accessors', attributes.JOINTS_0);
    if (!WHOLE[componentType] || bufferView === undefined || type !== 'VEC4') throw new FileError(`accessor ${attributes.JOINTS_0} is of a kind that is not known.`);
    const most = greatest(componentType, bin, (item('bufferViews', bufferView).byteOffset ?? 0) + byteOffset, 4 * count);
    if (most >= joints.length) throw new FileError(`a mesh names joint ${most} of ${joints.length}.`);
  }
}
