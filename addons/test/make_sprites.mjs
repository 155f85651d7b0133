// usage: node make_sprites.mjs DIR
// Writes sprites.gltf and sprites.glb: two sprites below nodes that are turned, one that faces the viewer, and one that does so about the
// vertical only. Both are a metre wide and high, their left half of another colour than the right one. In toward.gltf the latter turns to
// the eye's place.
import fs from 'node:fs';
import path from 'node:path';

export const LEFT = [200, 120, 60], RIGHT = [60, 120, 200], places = { faces: [1, 0, 0], upright: [-1, 0, 0] };

/** Writes the files into a folder. */
export function makeSprites(dir) {
  // A sprite is seen from its own -X with Z to the right.
  const sides = [[LEFT, -0.5, 0], [RIGHT, 0, 0.5]], toLinear = (v) => ((v / 255 + 0.055) / 1.055) ** 2.4, half = Math.SQRT1_2;
  const data = Buffer.from(new Float32Array(sides.flatMap(([, a, b]) => [0, -0.5, a, 0, -0.5, b, 0, 0.5, b, 0, -0.5, a, 0, 0.5, b, 0, 0.5, a])).buffer);
  const json = {
    asset: { version: '2.0', generator: 'bsp2gltf' }, extensionsUsed: ['KHR_materials_unlit'], scene: 0, scenes: [{ nodes: [0, 1] }],
    nodes: [...Object.values(places).map((translation, i) => ({ translation, rotation: [0, half, 0, half], children: [2 + i] })),
      { mesh: 0, extras: { bsp2gltf_sprite: true, faces_viewer: true } },
      { mesh: 1, rotation: [half, 0, 0, half], extras: { bsp2gltf_sprite: true, faces_viewer: true, upright: true } }],
    meshes: ['faces', 'upright'].map((name) => ({ name, primitives: sides.map((_, i) => ({ attributes: { POSITION: i }, material: i })) })),
    materials: sides.map(([rgb]) => ({ pbrMetallicRoughness: { baseColorFactor: [...rgb.map(toLinear), 1] }, extensions: { KHR_materials_unlit: {} } })),
    accessors: sides.map(([, a, b], i) => ({ bufferView: 0, byteOffset: 72 * i, componentType: 5126, count: 6, type: 'VEC3', min: [0, -0.5, a], max: [0, 0.5, b] })),
    bufferViews: [{ buffer: 0, byteLength: data.length }], buffers: [{ byteLength: data.length }],
  };
  const text = Buffer.from(JSON.stringify(json)), padded = Buffer.concat([text, Buffer.alloc(-text.length & 3, 0x20)]);
  const words = (...list) => Buffer.from(new Uint32Array(list).buffer);
  const chunks = Buffer.concat([words(padded.length, 0x4e4f534a), padded, words(data.length, 0x004e4942), data]);
  fs.writeFileSync(path.join(dir, 'sprites.glb'), Buffer.concat([words(0x46546c67, 2, 12 + chunks.length), chunks]));
  json.buffers[0].uri = `data:application/octet-stream;base64,${data.toString('base64')}`;
  fs.writeFileSync(path.join(dir, 'sprites.gltf'), JSON.stringify(json));
  json.nodes[3].extras.toward_eye = true;
  fs.writeFileSync(path.join(dir, 'toward.gltf'), JSON.stringify(json));
}

if (process.argv[1] === import.meta.filename) makeSprites(process.argv[2]);
