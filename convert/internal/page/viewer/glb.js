// Reads a binary glTF file: its JSON, and accessors as arrays. Every offset is compared with what is there, so that a
// broken file gives one line that says what is wrong.

const COMPONENTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
const TYPES = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
const WHOLE = { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535 };

export class FileError extends Error {}

export function parseGLB(bytes) {
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
    if (type === 0x4e4f534a) {
      try {
        json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(chunk));
      } catch {
        throw new FileError('The description inside of the file (JSON) is broken.');
      }
    } else if (type === 0x004e4942) bin = chunk;
    at = end + (-end & 3);
  }
  if (!json || typeof json !== 'object' || json.asset?.version !== '2.0') throw new FileError('The file has no description (JSON) of glTF 2.0.');
  return new File(json, bin);
}

class File {
  constructor(json, bin) {
    this.json = json;
    this.bin = bin;
    this.cache = new Map();
  }

  item(list, index) {
    const found = this.json[list]?.[index];
    if (!found || typeof found !== 'object') throw new FileError(`${list} ${index} is missing.`);
    return found;
  }

  bytes(index) {
    const { buffer = 0, byteOffset = 0, byteLength } = this.item('bufferViews', index);
    if (buffer !== 0 || !(byteOffset >= 0) || !(byteLength >= 0) || byteOffset + byteLength > this.bin.length) {
      throw new FileError(`bufferView ${index} lies outside of the file.`);
    }
    return this.bin.subarray(byteOffset, byteOffset + byteLength);
  }

  // accessor returns { array, size, whole }: numbers side by side, how many an element has, and what 1 is where they are
  // whole numbers that stand for fractions, else 1.
  accessor(index) {
    if (!this.cache.has(index)) this.cache.set(index, this.read(index));
    return this.cache.get(index);
  }

  read(index) {
    const { bufferView, byteOffset = 0, componentType, normalized, count, type, sparse } = this.item('accessors', index);
    const Type = TYPES[componentType], size = COMPONENTS[type];
    if (!Type || !size || !(count >= 0) || sparse) throw new FileError(`accessor ${index} is of a kind that is not known.`);
    const n = Type.BYTES_PER_ELEMENT, whole = normalized ? WHOLE[componentType] ?? 1 : 1;
    if (bufferView === undefined) {
      if (count * size > 1 << 26) throw new FileError(`accessor ${index} is too large.`);
      return { array: new Type(count * size), size, whole };
    }
    const bytes = this.bytes(bufferView), stride = this.item('bufferViews', bufferView).byteStride ?? n * size;
    if (count > 0 && byteOffset + stride * (count - 1) + n * size > bytes.length) throw new FileError(`accessor ${index} lies outside of its bufferView.`);
    const start = bytes.byteOffset + byteOffset;
    if (stride === n * size && start % n === 0) return { array: new Type(bytes.buffer, start, count * size), size, whole };
    const array = new Type(count * size), target = new Uint8Array(array.buffer);
    for (let i = 0; i < count; i++) target.set(bytes.subarray(byteOffset + i * stride, byteOffset + i * stride + n * size), i * n * size);
    return { array, size, whole };
  }
}
