// Checks a binary glTF file before three.js reads it, so that a broken file gives one line that says what is wrong: every offset is
// compared with what is there, and the nodes with a tree.

export const COMPONENTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
const BYTES = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const WHOLE = { 5121: Uint8Array, 5123: Uint16Array, 5125: Uint32Array }; // numbers of vertices
const MOST_NODES = 1 << 20, MOST_NUMBERS = 1 << 26;

export class FileError extends Error {}

// check returns { json, bin } of the file, or throws a FileError that names the first thing that is wrong.
export function check(bytes) {
  const { json, bin } = chunks(bytes), item = (list, index) => {
    const found = json[list]?.[index];
    if (!found || typeof found !== 'object') throw new FileError(`${list} ${index} is missing.`);
    return found;
  };
  (json.bufferViews ?? []).forEach(({ buffer = 0, byteOffset = 0, byteLength }, i) => {
    if (buffer !== 0 || !(byteOffset >= 0) || !(byteLength >= 0) || byteOffset + byteLength > bin.length) throw new FileError(`bufferView ${i} lies outside of the file.`);
  });
  (json.accessors ?? []).forEach((accessor, i) => checkAccessor(accessor, i, item));
  (json.meshes ?? []).forEach(({ primitives = [] }, i) => primitives.forEach((p) => checkIndices(p, i, item, bin)));
  (json.images ?? []).forEach((image, i) => {
    if (image.bufferView === undefined) throw new FileError(`image ${i} is not in the file.`);
  });
  checkNodes(json, item);
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

function checkAccessor({ bufferView, byteOffset = 0, componentType, count, type, sparse }, i, item) {
  const size = COMPONENTS[type] * BYTES[componentType];
  if (!size || !(count >= 0) || sparse) throw new FileError(`accessor ${i} is of a kind that is not known.`);
  if (bufferView === undefined) {
    if (count * COMPONENTS[type] > MOST_NUMBERS) throw new FileError(`accessor ${i} is too large.`);
    return;
  }
  const { byteLength, byteStride = size } = item('bufferViews', bufferView);
  if (count > 0 && byteOffset + byteStride * (count - 1) + size > byteLength) throw new FileError(`accessor ${i} lies outside of its bufferView.`);
}

function checkIndices({ attributes = {}, indices }, mesh, item, bin) {
  const { count: vertices } = item('accessors', attributes.POSITION);
  for (const other of Object.values(attributes)) if (item('accessors', other).count < vertices) throw new FileError(`accessor ${other} has fewer numbers than there are vertices.`);
  if (indices === undefined) return;
  const { bufferView, byteOffset = 0, componentType, count } = item('accessors', indices), Type = WHOLE[componentType];
  if (!Type || bufferView === undefined) throw new FileError(`accessor ${indices} is of a kind that is not known.`);
  const start = bin.byteOffset + (item('bufferViews', bufferView).byteOffset ?? 0) + byteOffset, size = BYTES[componentType], end = start + count * size;
  const list = start % size ? new Type(bin.buffer.slice(start, end)) : new Type(bin.buffer, start, count);
  let most = -1;
  for (let i = 0; i < list.length; i++) if (list[i] > most) most = list[i];
  if (most >= vertices) throw new FileError(`a primitive of mesh ${mesh} names vertex ${most} of ${vertices}.`);
}

function checkNodes(json, item) {
  const todo = [...item('scenes', json.scene ?? 0).nodes ?? []], seen = new Set();
  for (let i = 0; i < todo.length; i++) {
    const index = todo[i], { mesh, camera, children = [], extensions } = item('nodes', index);
    if (seen.has(index) || i > MOST_NODES) throw new FileError(`node ${index} is its own parent, or has two.`);
    seen.add(index);
    if (mesh !== undefined) item('meshes', mesh);
    if (camera !== undefined) item('cameras', camera);
    todo.push(...children, ...extensions?.MSFT_lod?.ids ?? []);
  }
}
