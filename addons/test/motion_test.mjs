// usage: node motion_test.mjs DIR
// Tests motion as docs/internals/readers.md describes it: its numbers in materialmotion.js, which the packages for three.js and
// Babylon.js share, and a wall of tiles, one for each kind of motion, which both must show alike at several times. DIR gets
// motion.gltf.
import fs from 'node:fs';
import path from 'node:path';
import { hoverAt, rowsAt, deformAt, wave } from '../shared/materialmotion.js';
import { openPage } from './client.mjs';
import { png } from './png.mjs';

const dir = path.resolve(process.argv[2]), SIZE = [640, 360], TOLERANCE = 3;
let failures = 0;
const check = (what, wrong) => {
  console.log(wrong ? `FAIL motion: ${what}: ${wrong}` : `ok motion: ${what}`);
  failures += wrong ? 1 : 0;
};
const near = (a, b) => a.every((v, i) => Math.abs(v - b[i]) < 1e-9);
const at = (rows, s, t) => [rows[0] * s + rows[1] * t + rows[2], rows[3] * s + rows[4] * t + rows[5]];

// Numbers computed from the tables of the document.
for (const [name, w, want] of [['sin', [0.5, 0.25, 0, 1], 0.75], ['square', [0, 1, 0.5, 1], -1], ['triangle', [0, 1, 0.25, 1], 0], ['sawtooth', [1, 2, 0, 2], 2], ['inversesawtooth', [0, 1, 0, 1], 0.75]]) {
  const have = wave([name, ...w], 0.25);
  check(`a wave of ${name}`, Math.abs(have - want) < 1e-9 ? '' : `${have}, want ${want}`);
}
for (const [change, want] of [[['scale', 2, 3], [0.5, 1.5]], [['scroll', 0.5, -1], [0.5, 0]], [['transform', 1, 2, 3, 4, 5, 6], [4.25, 9.5]],
  [['rotate', -180], [0.5, 0.25]], [['stretch', 'sin', 2, 0, 0, 0], [0.375, 0.5]]]) {
  const have = at(rowsAt([change], null, 0.5), 0.25, 0.5);
  check(`${change}`, near(have, want) ? '' : `${have}, want ${want}`);
}
check('changes follow each other after rest is undone', near(at(rowsAt([['scale', 2, 2], ['scroll', 1, 0]], [4, 0, 1, 0, 4, 0], 0.5), 5, 4), [2.5, 2]) ? '' : 'wrong');
check('at rest nothing is shaken', JSON.stringify(deformAt({ base: [['turb', 1, 0, 1]], deform: [['move', 'sin', 1, 0, 0, 0, 1, 1, 1]] }, null)).replace(/[^1-9]/g, ''));
check('an item has turned by a quarter and is highest', (({ angle, height }) => near([angle, height], [Math.PI / 2, 4]))(hoverAt([2, 4, 1, 0.5], 0.5)) ? '' : 'wrong');
check('an item that only floats is half as high a sixth of a beat later', (({ angle, height }) => near([angle, height], [0, 2]))(hoverAt([0, 4, 1, 0.5], 0.5 + 1 / 6)) ? '' : 'wrong');

// One tile for each. The fourth also hovers, with a phase from its position.
const MOTIONS = [{ base: [['scroll', 0.3, 0.1]] }, { base: [['rotate', 40]] }, { base: [['stretch', 'sin', 1, 0.4, 0, 0.7]] }, { base: [['turb', 0.1, 0.2, 0.5]] }, { base: [['warp', 0.05, 6.28, 2]] },
  { base: [['transform', 0.8, 0.3, 0.1, -0.3, 0.8, 0.2], ['scroll', 0.1, 0.2]] }, { rest: [2, 0, 0.5, 0, 2, 0.25], base: [['scale', 2, 2], ['scroll', 0.1, 0]] },
  { color: ['sin', 0.5, 0.4, 0.1, 0.9], color_rest: 0.5 }, { frames: [1, 0, 1], fps: 2 }, { deform: [['wave', 'sin', 0, 0.3, 0, 0.8, 0.5]] }, { deform: [['bulge', 6, 0.2, 2]] },
  { deform: [['move', 'triangle', 0, 0.3, 0, 0.6, 0.3, 1, 0]] }, { facing: 'sprite' }, { facing: 'axis' },
  { base: [['ripple', 0.1, 6.28, 2]], clock: 1 }, { deform: [['swell', 0.15]], clock: 0.5 },
  { mirror: [['scroll', 0.3, 0.1]] }];
const TIMES = ['rest', 0, 1, 2.5];
const picture = (seed) => png(Array.from({ length: 8 }, (_, y) => Array.from({ length: 8 }, (_, x) => [(37 * x + 90 * seed) % 200 + 40, (53 * y) % 200 + 40, (x * y * 13 + 70 * seed) % 200 + 40, 255])), 4);
const parts = [], json = { asset: { version: '2.0' }, extensionsUsed: ['KHR_materials_unlit'], scene: 0, scenes: [{ nodes: [0], extras: { bsp2gltf_unit: 1 / 32 } }], nodes: [{ children: [] }], meshes: [], materials: [],
  textures: [{ source: 0, sampler: 0 }, { source: 1, sampler: 0 }], images: [], samplers: [{ magFilter: 9729, minFilter: 9729 }], accessors: [], bufferViews: [], buffers: [] };
let length = 0;
const view = (data) => {
  const padding = -length & 3;
  parts.push(Buffer.alloc(padding), data);
  json.bufferViews.push({ buffer: 0, byteOffset: length + padding, byteLength: data.length });
  length += padding + data.length;
  return json.bufferViews.length - 1;
};
const accessor = (type, n, list, more) => json.accessors.push({ bufferView: view(Buffer.from(new (type === 5126 ? Float32Array : Uint16Array)(list).buffer)), componentType: type, count: list.length / n, type: ['SCALAR', 'VEC2', 'VEC3'][n - 1], ...more }) - 1;
json.images.push(...[0, 1].map((k) => ({ mimeType: 'image/png', bufferView: view(picture(k)) })));
const indices = accessor(5123, 1, [0, 1, 2, 0, 2, 3]), uv = accessor(5126, 2, [0, 1, 1, 1, 1, 0, 0, 0]), normals = accessor(5126, 3, [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]);
MOTIONS.forEach((motion, i) => {
  const half = 0.4, turned = motion.facing ? 0.3 : 0, high = motion.facing === 'axis' ? 1 : 0.8; // squares must not be parallel to the picture
  const at = [-half, -half * high, turned, half, -half * high, -turned, half, half * high, -turned, -half, half * high, turned];
  const position = accessor(5126, 3, at, { min: [-half, -half, -turned], max: [half, half, turned] });
  json.materials.push({ pbrMetallicRoughness: { baseColorTexture: { index: 0 } }, extensions: { KHR_materials_unlit: {} },
    extras: { motion, ...(motion.mirror ? { environment: { texture: 1, mean: [0.5, 0.5, 0.5] } } : {}) } });
  json.meshes.push({ primitives: [{ attributes: { POSITION: position, NORMAL: normals, TEXCOORD_0: uv }, indices, material: i }] });
  const hover = i === 3 && { rotation: [0, 0, 0.6, 0.8], extras: { hover: [7, 0.3, 1.7, 0.4] } };
  json.nodes[0].children.push(json.nodes.push({ mesh: i, translation: [i % 6 - 2.2, 1 - Math.floor(i / 6), 0], ...hover }) - 1);
});
json.buffers = [{ byteLength: length, uri: `data:application/octet-stream;base64,${Buffer.concat(parts).toString('base64')}` }];
fs.writeFileSync(path.join(dir, 'motion.gltf'), JSON.stringify(json));

// Both look from the side, at a grid of points.
const points = Array.from({ length: 64 * 36 }, (_, i) => [10 * (i % 64) + 5, 10 * Math.floor(i / 64) + 5]), page = await openPage(...SIZE);
const pixels = () => page.evaluate((list) => {
  const canvas = document.querySelector('canvas'), flat = document.createElement('canvas');
  [flat.width, flat.height] = [canvas.width, canvas.height];
  const context = flat.getContext('2d');
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, flat.width, flat.height);
  return list.map(([x, y]) => [...data.slice(4 * (x + flat.width * y), 4 * (x + flat.width * y) + 3)]);
}, points);
const query = { file: `/file${dir}/motion.gltf`, plugin: 1, size: SIZE.join('x'), eye: '0.4,0.3,2.2', yaw: 8, fov: 75, aliased: 1 }, before = {};
for (const time of TIMES) {
  const seen = {};
  for (const client of ['three', 'babylon']) {
    await page.run(`${client}.html`, { ...query, ...(time === 'rest' ? {} : { time }) });
    seen[client] = await pixels();
    if (process.env.KEEP) await page.screenshot(path.join(dir, `motion-${client}-${time}.png`));
  }
  const far = (a, b) => Math.max(...a.map((v, k) => Math.abs(v - b[k]))), apart = points.filter((_, i) => far(seen.three[i], seen.babylon[i]) > TOLERANCE);
  check(`Babylon shows at ${time} what three.js does`, apart.length > points.length / 200 ? `${apart.length} of ${points.length} pixels differ, at ${apart.slice(0, 5).join('; ')}` : ''); // edges of texels and tiles
  for (const client of ['three', 'babylon']) {
    const changed = before[client]?.filter((p, i) => far(p, seen[client][i]) > 20).length;
    if (before[client]) check(`${client} has moved until ${time}`, changed > (time === 0 ? 40 : 300) ? '' : `only ${changed} of ${points.length} pixels`);
    const shining = points.flatMap(([x, y], i) => (x > 0.8 * SIZE[0] && y > 0.7 * SIZE[1] ? [i] : [])); // the last tile
    if (before[client] && time > 0) check(`${client} has turned the surroundings until ${time}`, shining.filter((i) => far(before[client][i], seen[client][i]) > 20).length > 20 ? '' : 'no');
    before[client] = seen[client];
  }
}
await page.close();
process.exit(failures ? 1 : 0);
