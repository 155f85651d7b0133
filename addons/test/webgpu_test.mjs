// usage: node webgpu_test.mjs DIR
// Like three_test.mjs, with WebGPURenderer: pixels of light, emission, vertex colours, blending, fog, exposure and gamma, by the nodes
// of bsp2gltf-three/webgpu; and a warning from bsp2gltf-three. On WebGL 2, and on WebGPU if Chromium has it.
import fs from 'node:fs';
import path from 'node:path';
import { differences, openPage, versions } from './client.mjs';

const TOLERANCE = 3, ROUGH = 8, dir = path.resolve(process.argv[2]);
const { width, height, samples: plain, display, shaded, ranged, hazed, dipped, brightened, exposed, veiled, mirrored } = JSON.parse(fs.readFileSync(path.join(dir, 'test.json')));
const LEFT_OUT = /^(details|chrome|directed|second|mirror|apart|mix|over|environment)/; // parts that only change shaders of WebGLRenderer
const page = await openPage(width, height);
let failures = 0;
const check = (what, wrong) => {
  console.log(wrong.length ? `FAIL ${what}\n  ${wrong.slice(0, 12).join('\n  ')}${wrong.length > 12 ? `\n  and ${wrong.length - 12} more` : ''}` : `ok ${what}`);
  failures += wrong.length ? 1 : 0;
};
for (const version of versions) {
  const shoot = async (file, at, more) => {
    const found = await page.run('webgpu.html', { three: version, file: `/file${dir}/${file}`, size: `${width}x${height}`, at: JSON.stringify(at.map((s) => [s.x, s.y])), gl: 1, plugin: 1, ...more });
    return { ...found, wrong: differences(at, found.pixels, TOLERANCE) };
  };
  const samples = [...plain, ...display].filter((s) => !s.lenient && !LEFT_OUT.test(s.name)), { revision, backend, wrong, url } = await shoot('test.glb', samples), name = `three r${revision}, WebGPURenderer on ${backend}`;
  fs.writeFileSync(path.join(dir, `webgpu-r${revision}.png`), Buffer.from(url.split(',')[1], 'base64'));
  check(`${name}: ${samples.length} pixels within ${TOLERANCE}`, wrong);
  check(`${name}: nothing on the console`, page.logs.filter((l) => !/deprecated|GPU stall/i.test(l)));
  for (const [file, list, what] of [['test.glb', shaded, 'fog volumes'], ['range.glb', ranged, 'fog by distance'], ['haze.glb', hazed, 'exponential fog'], ['dip.glb', dipped, 'fog in water'], ['gamma.glb', brightened, 'gamma'],
    ['inside.glb', veiled, 'fog from inside'], ['exposure.glb', exposed, 'exposure']]) {
    const known = list.filter((s) => !LEFT_OUT.test(s.name));
    check(`${name}: ${known.length} pixels of ${what}`, (await shoot(file, known)).wrong);
  }
  // The renderer blends in linear light. For multiplying materials that is nearly the same, for additive ones it is not.
  const factors = mirrored.filter((s) => /^multiply/.test(s.name));
  check(`${name}: ${factors.length} pixels of what multiplies, within ${ROUGH}`, differences(factors, (await shoot('mirror.glb', factors)).pixels, ROUGH));
  const lit = display.filter((s) => s.lit && !LEFT_OUT.test(s.name)), other = await shoot('test.glb', lit, { plugin: 'webgl' });
  check(`${name}: bsp2gltf-three shows ${other.wrong.length} of ${lit.length} pixels wrongly, and warns at once`, page.logs.filter((l) => /bsp2gltf: WebGPURenderer/.test(l)).length === 1 ? [] : page.logs.concat('no warning'));
}
await page.close();
process.exit(failures ? 1 : 0);
