// usage: node sky_test.mjs DIR
// Tests a sky box in ../three and ../babylon, with sides divided as bsp2gltf divides them. From beside its node it must look as from
// its node; also at angles at which its corners are exactly beside the camera; and both must show it alike after gltf-transform has
// quantized it. DIR gets sky.gltf and sky-quantized.glb.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { openPage, require } from './client.mjs';
import { png } from './png.mjs';

const dir = path.resolve(process.argv[2]), SIZE = [320, 180], EXTRAS = { bsp2gltf_sky: true }, HALF = 50, STEPS = 4;
const parts = [], json = { asset: { version: '2.0' }, extensionsUsed: ['KHR_materials_unlit'], scene: 0, scenes: [{ nodes: [0] }], nodes: [{ name: 'sky', translation: [3, -2, 5], mesh: 0, extras: EXTRAS }], meshes: [{ primitives: [] }],
  materials: [], textures: [{ source: 0, sampler: 0 }], images: [], samplers: [{ magFilter: 9729, minFilter: 9729 }], accessors: [], bufferViews: [] };
let length = 0;
const view = (data) => {
  const padding = -length & 3;
  parts.push(Buffer.alloc(padding), data);
  json.bufferViews.push({ buffer: 0, byteOffset: length + padding, byteLength: data.length });
  length += padding + data.length;
  return json.bufferViews.length - 1;
};
const accessor = (type, n, list, more) => json.accessors.push({ bufferView: view(Buffer.from(new (type === 5126 ? Float32Array : Uint16Array)(list).buffer)), componentType: type, count: list.length / n, type: ['SCALAR', 'VEC2', 'VEC3'][n - 1], ...more }) - 1;
json.images.push({ mimeType: 'image/png', bufferView: view(png(Array.from({ length: 8 }, (_, y) => Array.from({ length: 8 }, (_, x) => [30 * x + 20, 30 * y + 20, (x + y) % 2 ? 200 : 60, 255])), 4)) });
const ROW = STEPS + 1, grid = Array.from({ length: ROW * ROW }, (_, i) => [i % ROW / STEPS, Math.floor(i / ROW) / STEPS]), cells = grid.map((_, i) => i).filter((i) => i % ROW < STEPS && i < ROW * STEPS);
const indices = accessor(5123, 1, cells.flatMap((i) => [i, i + 1, i + ROW + 1, i, i + ROW + 1, i + ROW])), uv = accessor(5126, 2, grid.flatMap(([a, b]) => [a, 1 - b]));
for (const [k, corners] of [[-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1], [1, -1, 1, -1, -1, 1, -1, 1, 1, 1, 1, 1], [-1, -1, 1, -1, -1, -1, -1, 1, -1, -1, 1, 1], [1, -1, -1, 1, -1, 1, 1, 1, 1, 1, 1, -1],
  [-1, 1, -1, 1, 1, -1, 1, 1, 1, -1, 1, 1], [-1, -1, 1, 1, -1, 1, 1, -1, -1, -1, -1, -1]].entries()) {
  const of = (f) => [0, 1, 2].map((i) => HALF * f(...corners.filter((_, c) => c % 3 === i)));
  const color = [1, 1, 1].map((v, i) => (k === i ? 0.4 : v));
  json.materials.push({ pbrMetallicRoughness: { baseColorTexture: { index: 0 }, baseColorFactor: [...color, 1] }, extensions: { KHR_materials_unlit: {} }, extras: EXTRAS });
  json.meshes[0].primitives.push({ attributes: { POSITION: accessor(5126, 3, grid.flatMap(([a, b]) => [0, 1, 2].map((i) => HALF * (corners[i] + a * (corners[3 + i] - corners[i]) + b * (corners[9 + i] - corners[i])))), { min: of(Math.min), max: of(Math.max) }), TEXCOORD_0: uv }, indices, material: k });
}
json.buffers = [{ byteLength: length, uri: `data:application/octet-stream;base64,${Buffer.concat(parts).toString('base64')}` }];
fs.writeFileSync(path.join(dir, 'sky.gltf'), JSON.stringify(json));
const program = path.join(path.dirname(require.resolve('playwright-core/package.json')), '..', '.bin', 'gltf-transform');
execFileSync(program, ['quantize', path.join(dir, 'sky.gltf'), path.join(dir, 'sky-quantized.glb')], { stdio: 'pipe' });

const page = await openPage(...SIZE), pixels = () => page.evaluate(() => {
  const canvas = document.querySelector('canvas'), flat = document.createElement('canvas');
  [flat.width, flat.height] = [canvas.width, canvas.height];
  const context = flat.getContext('2d');
  context.drawImage(canvas, 0, 0);
  return [...context.getImageData(0, 0, flat.width, flat.height).data];
});
const draw = async (client, file, eye, yaw, pitch = 0) => {
  await page.run(`${client}.html`, { file: `/file${dir}/${file}`, plugin: 1, size: SIZE.join('x'), eye, yaw, pitch, fov: 60, aliased: 1 });
  return pixels();
};
const apart = (a, b) => a.reduce((sum, v, i) => sum + Math.abs(v - b[i]), 0) / a.length;
let failures = 0;
const check = (what, difference, most) => {
  console.log(`${difference <= most ? 'ok' : 'FAIL'} sky: ${what}: ${difference.toFixed(2)} of 255`);
  failures += difference <= most ? 0 : 1;
};
const seen = {};
for (const client of ['three', 'babylon']) {
  const beside = await draw(client, 'sky.gltf', '3,-2,5', 45.02);
  check(`${client} at 45 degrees`, apart(await draw(client, 'sky.gltf', '3,-2,5', 45), beside), 1);
  check(`${client} from aside`, apart(await draw(client, 'sky.gltf', '-9,12,20', 45.02), beside), 0.1);
  check(`${client} downwards`, apart(await draw(client, 'sky.gltf', '3,-2,5', 0, -45), await draw(client, 'sky.gltf', '3,-2,5', 0, -45.02)), 1);
  seen[client] = await draw(client, 'sky-quantized.glb', '3,-2,5', 45.02);
  check(`${client}, quantized, from its middle`, apart(seen[client], beside), 1);
  seen[client] = [beside, seen[client], await draw(client, 'sky-quantized.glb', '-9,12,20', 45.02)];
}
['plain', 'quantized', 'quantized, from aside'].forEach((what, i) => check(`Babylon beside three.js, ${what}`, apart(seen.three[i], seen.babylon[i]), 1));
await page.close();
process.exit(failures ? 1 : 0);
