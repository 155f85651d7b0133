// usage: node babylon_test.mjs DIR
// As three_test.mjs, with Babylon.js.
import fs from 'node:fs';
import path from 'node:path';
import { differences, openPage } from './client.mjs';

const TOLERANCE = 3;
const dir = process.argv[2];
const { width, height, samples: plain, display } = JSON.parse(fs.readFileSync(path.join(dir, 'test.json')));
const samples = [...plain, ...display].filter((s) => !s.lenient && !s.name.startsWith('no_uv1'));
const page = await openPage(width, height);
const query = { file: `/file${path.resolve(dir, 'test.glb')}`, size: `${width}x${height}` };
const pixels = async (at, more) => {
  const found = await page.run('babylon.html', { ...query, at: JSON.stringify(at.map((s) => [s.x, s.y])), ...more });
  return { version: found.version, wrong: differences(at, found.pixels, TOLERANCE) };
};

const { version, wrong } = await pixels(samples, { plugin: 1 });
await page.screenshot(path.join(dir, 'babylon.png'));
const lit = samples.filter((s) => s.lit), without = (await pixels(lit, {})).wrong;
const bent = samples.filter((s) => s.name.startsWith('display') && s.lit), linear = (await pixels(bent, { plugin: 1, options: '{"display":false}' })).wrong;
await page.close();
console.log(wrong.length ? `FAIL Babylon ${version}\n  ${wrong.join('\n  ')}` : `ok Babylon ${version}: ${samples.length} pixels within ${TOLERANCE}`);
if (without.length <= lit.length * 0.9) console.log(`FAIL Babylon: without the plugin only ${without.length} of ${lit.length} pixels differ`);
if (linear.length < bent.length * 0.3) console.log(`FAIL Babylon: with display: false only ${linear.length} of ${bent.length} pixels differ`);
else console.log(`ok Babylon: display: false multiplies in linear light (${linear.length} of ${bent.length} pixels differ)`);
process.exit(wrong.length || linear.length < bent.length * 0.3 || without.length <= lit.length * 0.9 ? 1 : 0);
