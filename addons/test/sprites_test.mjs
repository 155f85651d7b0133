// usage: node sprites_test.mjs DIR
// Tests sprites in ../three and ../babylon, from above and from the side: one that faces the viewer, and one that rotates about the
// vertical only; facing the screen or the camera; below rotated nodes. Both are a metre wide and high, and their halves have different
// colours. DIR gets sprites.gltf and toward.gltf.
import path from 'node:path';
import { differences, openPage } from './client.mjs';
import { LEFT, makeSprites, places, RIGHT } from './make_sprites.mjs';

const dir = path.resolve(process.argv[2]), SIZE = 360, BEHIND = [0, 0, 0], files = ['sprites.gltf', 'toward.gltf'];
makeSprites(dir);

const dot = (a, b) => a.reduce((sum, v, i) => sum + v * b[i], 0), sum = (...list) => [0, 1, 2].map((i) => list.reduce((s, v) => s + v[i], 0)), times = (v, f) => v.map((x) => x * f);
// samples returns pixels just inside and outside the edges of both sprites, from a camera that looks at a point between them.
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
