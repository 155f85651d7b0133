// usage: node sprites_test.mjs DIR
// Sprites by ../three and ../babylon, from above and from aside: one that faces the viewer, and one that does so about the vertical only, beside the
// screen or toward the eye, below nodes that are turned. Both are a metre wide and high, their left half of another colour than the right one. DIR gets sprites.gltf.
import fs from 'node:fs';
import path from 'node:path';
import { differences, openPage } from './client.mjs';

const dir = path.resolve(process.argv[2]), SIZE = 360, LEFT = [200, 120, 60], RIGHT = [60, 120, 200], BEHIND = [0, 0, 0];
const toLinear = (v) => ((v / 255 + 0.055) / 1.055) ** 2.4, half = Math.SQRT1_2;
// A sprite is seen from its own -X with Z to the right.
const sides = [[LEFT, -0.5, 0], [RIGHT, 0, 0.5]], places = { faces: [1, 0, 0], upright: [-1, 0, 0] };
const data = Buffer.from(new Float32Array(sides.flatMap(([, a, b]) => [0, -0.5, a, 0, -0.5, b, 0, 0.5, b, 0, -0.5, a, 0, 0.5, b, 0, 0.5, a])).buffer);
const json = {
  asset: { version: '2.0' }, extensionsUsed: ['KHR_materials_unlit'], scene: 0, scenes: [{ nodes: [0, 1] }],
  nodes: [...Object.values(places).map((translation, i) => ({ translation, rotation: [0, half, 0, half], children: [2 + i] })),
    { mesh: 0, extras: { bsp2gltf_sprite: true, faces_viewer: true } }, { mesh: 0, rotation: [half, 0, 0, half], extras: { bsp2gltf_sprite: true, faces_viewer: true, upright: true } }],
  meshes: [{ primitives: sides.map((_, i) => ({ attributes: { POSITION: i }, material: i })) }],
  materials: sides.map(([rgb]) => ({ pbrMetallicRoughness: { baseColorFactor: [...rgb.map(toLinear), 1] }, extensions: { KHR_materials_unlit: {} } })),
  accessors: sides.map(([, a, b], i) => ({ bufferView: 0, byteOffset: 72 * i, componentType: 5126, count: 6, type: 'VEC3', min: [0, -0.5, a], max: [0, 0.5, b] })),
  bufferViews: [{ buffer: 0, byteLength: data.length }], buffers: [{ byteLength: data.length, uri: `data:application/octet-stream;base64,${data.toString('base64')}` }],
};
const files = ['sprites.gltf', 'toward.gltf'];
for (const [i, name] of files.entries()) {
  if (i) json.nodes[3].extras.toward_eye = true;
  fs.writeFileSync(path.join(dir, name), JSON.stringify(json));
}

const dot = (a, b) => a.reduce((sum, v, i) => sum + v * b[i], 0), sum = (...list) => [0, 1, 2].map((i) => list.reduce((s, v) => s + v[i], 0)), times = (v, f) => v.map((x) => x * f);
// samples returns pixels just within the edges of both sprites, and beyond them, seen from an eye that looks at a point between the sprites.
function samples(yaw, pitch, toward) {
  const [y, p] = [yaw, pitch].map((v) => v * Math.PI / 180), right = [Math.cos(y), 0, -Math.sin(y)], ahead = [-Math.sin(y) * Math.cos(p), Math.sin(p), -Math.cos(y) * Math.cos(p)];
  const up = [Math.sin(y) * Math.sin(p), Math.cos(p), Math.cos(y) * Math.sin(p)], eye = times(ahead, -2.5);
  const away = sum(places.upright, times(eye, -1)), far = Math.hypot(away[0], away[2]), aside = [-away[2] / far, 0, away[0] / far];
  const at = (name, a, b) => {
    const way = sum(places[name], times(toward && name === 'upright' ? aside : right, a), times(name === 'upright' ? [0, 1, 0] : up, b), times(eye, -1)), pixel = (v) => Math.round((v / dot(way, ahead) + 1) * SIZE / 2);
    return { x: pixel(dot(way, right)), y: SIZE - 1 - pixel(dot(way, up)) };
  };
  const list = Object.keys(places).flatMap((name) => [[-0.45, 0, LEFT], [-0.05, 0, LEFT], [0.05, 0, RIGHT], [0.45, 0, RIGHT], [-0.25, 0.43, LEFT], [0.25, -0.43, RIGHT], [-0.57, 0, BEHIND], [0.57, 0, BEHIND], [0.25, 0.57, BEHIND], [0.25, -0.57, BEHIND]]
    .map(([a, b, rgb]) => ({ name: `${name} at ${a}, ${b}`, rgb, ...at(name, a, b) })));
  return { eye, list };
}

const page = await openPage(SIZE, SIZE);
let failures = 0;
for (const client of [{ html: 'three.html', three: 'three-177' }, { html: 'three.html', three: 'three' }, { html: 'babylon.html' }]) {
  for (const [yaw, pitch, toward] of [[0, 0, 0], [0, -45, 0], [30, -60, 0], [-20, 40, 0], [0, 0, 1], [30, -60, 1], [-20, 40, 1]]) {
    const { html, ...query } = client, { eye, list } = samples(yaw, pitch, toward);
    const { pixels } = await page.run(html, { ...query, file: `/file${dir}/${files[toward]}`, plugin: 1, size: `${SIZE}x${SIZE}`, eye: eye.join(), yaw, pitch, fov: 90, at: JSON.stringify(list.map(({ x, y }) => [x, y])) });
    const wrong = differences(list, pixels, 3), what = `sprites: ${client.three ?? 'Babylon'}, yaw ${yaw}, pitch ${pitch}${toward ? ', toward the eye' : ''}: ${list.length} pixels`;
    console.log(wrong.length ? `FAIL ${what}\n  ${wrong.join('\n  ')}` : `ok ${what}`);
    failures += wrong.length;
  }
}
await page.close();
process.exit(failures ? 1 : 0);
