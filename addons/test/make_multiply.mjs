// usage: node make_multiply.mjs DIR
// Writes multiply.glb: a wall, and before it squares that multiply it: one at full strength, and one at half.
import fs from 'node:fs';
import path from 'node:path';

const toLinear = (v) => (v <= 10 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4), unlit = { KHR_materials_unlit: {} };
const parts = [ // x, y, half a side, distance, colour, alpha
  [0, 0, 3, 0, [200, 150, 100], 1],
  [-0.6, 0, 0.5, 0.1, [102, 64, 20], 1],
  [0.6, 0, 0.5, 0.1, [51, 102, 127], 0.5],
];
const data = Buffer.from(new Float32Array(parts.flatMap(([x, y, r, z]) => [[-r, -r], [r, -r], [r, r], [-r, -r], [r, r], [-r, r]].flatMap(([u, v]) => [x + u, y + v, z]))).buffer);
const json = {
  asset: { version: '2.0', generator: 'bsp2gltf' }, extensionsUsed: ['KHR_materials_unlit'], scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0, name: 'wall' }],
  meshes: [{ name: 'wall', primitives: parts.map((_, i) => ({ attributes: { POSITION: i }, material: i })) }],
  materials: parts.map(([, , , , rgb, alpha], i) => ({ name: `part ${i}`, pbrMetallicRoughness: { baseColorFactor: [...rgb.map(toLinear), alpha] }, extensions: unlit,
    ...(i ? { alphaMode: 'BLEND', extras: { blend: 'multiply', sort: 9 } } : {}) })),
  accessors: parts.map(([x, y, r, z], i) => ({ bufferView: 0, byteOffset: 72 * i, componentType: 5126, count: 6, type: 'VEC3', min: [x - r, y - r, z].map(Math.fround), max: [x + r, y + r, z].map(Math.fround) })),
  bufferViews: [{ buffer: 0, byteLength: data.length, byteStride: 12 }], buffers: [{ byteLength: data.length }],
};
const text = Buffer.from(JSON.stringify(json)), padded = Buffer.concat([text, Buffer.alloc(-text.length & 3, 0x20)]);
const words = (...list) => Buffer.from(new Uint32Array(list).buffer);
const chunks = Buffer.concat([words(padded.length, 0x4e4f534a), padded, words(data.length, 0x004e4942), data]);
fs.writeFileSync(path.join(process.argv[2], 'multiply.glb'), Buffer.concat([words(0x46546c67, 2, 12 + chunks.length), chunks]));
