// Loads the file that the page holds, with three.js and our plugin, without any request: images are decoded from the file's own bytes.
import { BufferAttribute, DataTexture, Texture } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { bsp2gltf } from '../../../../addons/three/index.js';
import { check, COMPONENTS, FileError } from './check.js';
import { isModel } from './map.js';

// unpack returns the file: the page holds it as gzip in base64, in pieces.
export async function unpack() {
  const pieces = [...document.querySelectorAll('script.glb')];
  if (!pieces.length) throw new FileError('The page holds no map.');
  const stream = new ReadableStream({
    pull(controller) {
      const piece = pieces.shift();
      if (!piece) return controller.close();
      controller.enqueue(globalThis.bytesOf(piece.textContent.trim()));
      piece.remove();
    },
  });
  return new Uint8Array(await new Response(stream.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
}

// load returns the loaded file, and a list of what can't be shown of it. progress is called with the number of images done.
export async function load(bytes, progress) {
  const { json, bin } = check(bytes), failed = [], loader = new GLTFLoader();
  bsp2gltf(loader, { unlit: !isModel(json), show: true, merge: true });
  loader.register((parser) => ownBuffer(parser, bin));
  loader.register((parser) => ownImages(parser, failed, progress));
  try {
    return { gltf: await loader.parseAsync(json, ''), failed };
  } catch (error) {
    if (/^bsp2gltf:/.test(error.message)) throw error;
    throw new FileError(error.message);
  }
}

const TYPES = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };

// ownBuffer makes accessors views of the file's bytes, rather than of copies of each bufferView: some files have ten thousand.
function ownBuffer(parser, bin) {
  const { accessors = [], bufferViews = [] } = parser.json, loadAccessor = parser.loadAccessor.bind(parser), { buffer } = bin;
  parser.loadBufferView = (index) => {
    const { byteOffset = 0, byteLength } = bufferViews[index], start = bin.byteOffset + byteOffset;
    return Promise.resolve(buffer.slice(start, start + byteLength));
  };
  parser.loadAccessor = (index) => {
    const { bufferView, byteOffset = 0, componentType, count, type, normalized = false, sparse } = accessors[index], view = bufferViews[bufferView];
    const Type = TYPES[componentType], size = COMPONENTS[type], start = bin.byteOffset + (view?.byteOffset ?? 0) + byteOffset;
    if (!view || sparse || (view.byteStride ?? size * Type.BYTES_PER_ELEMENT) !== size * Type.BYTES_PER_ELEMENT || start % Type.BYTES_PER_ELEMENT) return loadAccessor(index);
    return Promise.resolve(new BufferAttribute(new Type(buffer, start, count * size), size, normalized));
  };
  return { name: 'buffer' };
}

// ownImages decodes images here: three.js' loaders would request them by URL, which the page's policy forbids.
function ownImages(parser, failed, progress) {
  const { images = [] } = parser.json, made = new Map();
  let done = 0, asked = 0;
  parser.loadImageSource = (index) => {
    if (!made.has(index)) {
      asked++;
      made.set(index, picture(parser, index).catch((error) => {
        failed.push(`image ${index}: ${error.message}`);
        return plain(String(images[index]?.extras?.bsp2gltf ?? '').startsWith('lightmap') ? 255 : 160);
      }).then((texture) => {
        progress(++done, asked);
        return texture;
      }));
      return made.get(index);
    }
    return made.get(index).then((texture) => texture.clone());
  };
  return { name: 'images' };
}

async function picture(parser, index) {
  const { bufferView, mimeType } = parser.json.images[index], blob = new Blob([await parser.getDependency('bufferView', bufferView)], { type: mimeType });
  const texture = new Texture(await createImageBitmap(blob, { premultiplyAlpha: 'none', colorSpaceConversion: 'none' }));
  Object.assign(texture, { needsUpdate: true, userData: { mimeType } });
  return texture;
}

function plain(grey) {
  const texture = new DataTexture(Uint8Array.of(grey, grey, grey, 255), 1, 1);
  texture.needsUpdate = true;
  return texture;
}
