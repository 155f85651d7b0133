// usage: node reader_test.mjs DIR
// Tests what only a viewer with all extras shows, in ../three with the oldest and the newest supported three.js: the sky around the
// camera, sprites, hidden parts, variants, levels of detail, light styles. DIR has the files of make_reader_glb.mjs.
import fs from 'node:fs';
import path from 'node:path';
import { differences, openPage } from './client.mjs';

const dir = path.resolve(process.argv[2]),
  cases = JSON.parse(fs.readFileSync(path.join(dir, 'reader.json'))),
  SIZE = 360,
  TOLERANCE = 3;
const page = await openPage(SIZE, SIZE);
let failures = 0;
for (const version of ['three-177', 'three']) {
  for (const options of [{}, { reversedDepthBuffer: true, reverseDepthBuffer: true }, { logarithmicDepthBuffer: true }]) {
    await page.run('three.html', { three: version, file: `/file${dir}/reader.gltf`, size: '64x64', plugin: 1, eye: '0,0,2', fov: 90 });
    const found = await page.evaluate(
      async ({ file, list, size, depth }) => {
        const THREE = await import('three'),
          { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js'),
          { bsp2gltf } = await import('bsp2gltf-three');
        const renderer = new THREE.WebGLRenderer({ canvas: document.createElement('canvas'), preserveDrawingBuffer: true, ...depth }),
          gl = renderer.getContext(),
          pixel = new Uint8Array(4),
          out = [];
        renderer.setSize(size, size, false);
        for (const { eye, time, variant = null, level = 0, styles, points } of list) {
          const gltf = await bsp2gltf(new GLTFLoader()).loadAsync(file),
            has = gltf.bsp2gltf,
            camera = new THREE.PerspectiveCamera(90, 1, 1, 9);
          camera.position.set(...eye);
          has.variants.select(variant);
          has.levels.show(level);
          for (const style of styles ? has.styles.list : []) style.on = !!styles.on;
          has.styles.night = !!styles?.night;
          if (styles) await has.styles.update(renderer);
          if (time !== undefined) has.motion.update(time);
          renderer.render(gltf.scene, camera);
          out.push(
            points.map(({ at: [x, y] }) => {
              const [u, v] = [(x - eye[0]) / eye[2], (y - eye[1]) / eye[2]];
              gl.readPixels(Math.round(((u + 1) * size) / 2), Math.round(((v + 1) * size) / 2), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
              return [...pixel.slice(0, 3)];
            }),
          );
        }
        return { revision: THREE.REVISION, out };
      },
      { file: `/file${dir}/reader.gltf`, list: cases, size: SIZE, depth: options },
    );
    cases.forEach(({ name, points }, i) => {
      const wrong = differences(points, found.out[i], TOLERANCE),
        what = `three r${found.revision}, ${Object.keys(options)[0] ?? 'plain depth'}: reader ${name}, ${points.length} pixels`;
      console.log(wrong.length ? `FAIL ${what}\n  ${wrong.join('\n  ')}` : `ok ${what}`);
      failures += wrong.length;
    });
    const logs = page.logs.filter((l) => !/preserveDrawingBuffer|glTF.*MSFT_lod/.test(l));
    if (logs.length) console.log(logs.slice(0, 4).join('\n'));
  }
}
const switchable = ({ variant, level }, { name }) => !(variant || level) || name.startsWith('light'); // Babylon itself switches variants and levels
for (const c of cases) {
  const { name, eye, time, styles } = c, points = c.points.filter((p) => switchable(c, p));
  const list = points.map((p) => ({ ...p, x: Math.round(((p.at[0] - eye[0]) / eye[2] + 1) * SIZE / 2), y: SIZE - 1 - Math.round(((p.at[1] - eye[1]) / eye[2] + 1) * SIZE / 2) }));
  const { version, pixels } = await page.run('babylon.html', { file: `/file${dir}/reader.gltf`, plugin: 1, size: `${SIZE}x${SIZE}`, eye: eye.join(), fov: 90, at: JSON.stringify(list.map((p) => [p.x, p.y])), ...(time === undefined ? {} : { time }), ...(styles ? { styles: JSON.stringify(styles) } : {}) });
  const wrong = differences(list, pixels, TOLERANCE), what = `Babylon ${version}: reader ${name}, ${list.length} pixels`;
  console.log(wrong.length ? `FAIL ${what}\n  ${wrong.join('\n  ')}` : `ok ${what}`);
  failures += wrong.length;
  const said = page.logs.filter((l) => !/BJS - .*WebGL/.test(l));
  if (said.length) console.log(said.slice(0, 4).join('\n'));
}
await page.close();
process.exit(failures ? 1 : 0);
