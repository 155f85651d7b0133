// usage: node babylon_test.mjs DIR
// Like three_test.mjs, with Babylon.js.
import fs from 'node:fs';
import path from 'node:path';
import { differences, openPage } from './client.mjs';

const TOLERANCE = 3;
const dir = process.argv[2];
const { width, height, samples: plain, display, moved, shaded, filtered, turned, ranged, hazed, dipped, brightened, exposed, veiled, mirrored, acted } = JSON.parse(fs.readFileSync(path.join(dir, 'test.json')));
const samples = [...plain, ...display, ...shaded, ...filtered].filter((s) => !s.lenient && !s.name.startsWith('no_uv1'));
const page = await openPage(width, height);
const pixels = async (at, more, file = 'test.glb') => {
  const found = await page.run('babylon.html', { file: `/file${path.resolve(dir, file)}`, size: `${width}x${height}`, at: JSON.stringify(at.map((s) => [s.x, s.y])), ...more });
  return { ...found, wrong: differences(at, found.pixels, TOLERANCE) };
};

const { version, wrong } = await pixels(samples, { plugin: 1 });
await page.screenshot(path.join(dir, 'babylon.png'));
const lit = samples.filter((s) => s.lit), without = (await pixels(lit, {})).wrong;
const bent = samples.filter((s) => s.name.startsWith('display') && s.lit), linear = (await pixels(bent, { plugin: 1, options: '{"display":false}' })).wrong;
const far = [...(await pixels(ranged, { plugin: 1 }, 'range.glb')).wrong, ...(await pixels(hazed, { plugin: 1 }, 'haze.glb')).wrong, ...(await pixels(dipped, { plugin: 1 }, 'dip.glb')).wrong];
const toward = (await pixels(turned, { plugin: 1 })).wrong, flat = (await pixels(turned, { plugin: 1, options: '{"directed":false}' })).wrong;
if (flat.length <= 3) toward.push(`directed: false: only ${flat.length} of ${turned.length} pixels differ`);
console.log(toward.length ? `FAIL Babylon: light with a direction\n  ${toward.join('\n  ')}` : `ok Babylon: ${turned.length} pixels of light with a direction, and without it`);
const gamma = [...(await pixels(brightened, { plugin: 1 }, 'gamma.glb')).wrong, ...(await pixels(hazed, { plugin: 1, options: '{"gamma":false}' }, 'gamma.glb')).wrong];
console.log(gamma.length ? `FAIL Babylon: gamma\n  ${gamma.join('\n  ')}` : `ok Babylon: ${brightened.length} pixels with a display's gamma, and without it`);
const clear = (await pixels([...shaded.filter((s) => s.name.startsWith('fog')), ...ranged], { plugin: 1, options: '{"fog":false}' }, 'range.glb')).wrong;
const behind = (await pixels(veiled.filter((d) => !d.name.startsWith('no_uv1')), { plugin: 1 }, 'inside.glb')).wrong;
console.log(behind.length ? `FAIL Babylon: the surface of a fog, from inside\n  ${behind.join('\n  ')}` : `ok Babylon: ${veiled.length} pixels behind the surface of a fog, from inside`);
const bright = (await pixels(exposed, { plugin: 1 }, 'exposure.glb')).wrong;
const unexposed = (await pixels(exposed.map((d) => ({ ...d, rgb: d.clear })), { plugin: 1, options: '{"exposure":false}' }, 'exposure.glb')).wrong;
console.log(bright.length + unexposed.length ? `FAIL Babylon: exposure\n  ${[...bright, ...unexposed].join('\n  ')}` : `ok Babylon: ${exposed.length} pixels exposed as the file says, and not with exposure: false`);
const blended = mirrored.filter((d) => !d.name.startsWith('apart')); // Babylon.js approximates materials that multiply and add by blending
const dull = (await pixels(blended, { plugin: 1 }, 'mirror.glb')).wrong;
const later = (await pixels(moved, { plugin: 1, time: 0.5 })).wrong;
console.log(later.length ? `FAIL Babylon: what moves\n  ${later.join('\n  ')}` : `ok Babylon: ${moved.length} pixels of what moves, after half a second`);
const movements = [];
for (const [state, more] of [['rest', {}], ['rest', { skinned: 'door' }], ['start', { time: 1 }], ['open', { time: 1, play: 'door open' }], ['open', { time: 1, play: 'door' }], ['rest', { time: 1, play: 'door', still: 1 }]]) {
  const found = await pixels(acted[state], { plugin: 1, ...more }, 'movements.glb');
  movements.push(...found.wrong.map((w) => `${state} ${JSON.stringify(more)}: ${w}`));
  if (String(found.running) !== 'map start' || found.act !== (more.play ? 'door open' : null)) movements.push(`${found.running} runs, ${found.act} was played`);
  if (found.skinned !== (more.skinned ? 'door open,door close' : '')) movements.push(`a skin below ${more.skinned} has ${found.skinned}`);
  if (found.movements.join(' ') !== 'door open,door,open,false,1 door close,door,close,false,1 lift cycle,lift,cycle,true,2 leaf open,leaf,open,false,1 leaf close,leaf,close,false,1') movements.push(found.movements.join(' '));
}
await page.close();
console.log(movements.length ? `FAIL Babylon: movements\n  ${movements.join('\n  ')}` : 'ok Babylon: the start and movements');
console.log(wrong.length ? `FAIL Babylon ${version}\n  ${wrong.join('\n  ')}` : `ok Babylon ${version}: ${samples.length} pixels within ${TOLERANCE}`);
console.log(far.length ? `FAIL Babylon: fog by distance\n  ${far.join('\n  ')}` : `ok Babylon: fog by distance: ${ranged.length + hazed.length + dipped.length} pixels`);
console.log(dull.length ? `FAIL Babylon: reflections\n  ${dull.join('\n  ')}` : `ok Babylon: ${blended.length} pixels of what reflects or multiplies`);
const foggy = ranged.length + 3; // all except the sky
if (clear.length < foggy * 0.9) console.log(`FAIL Babylon: with fog: false only ${clear.length} of ${foggy} pixels differ`);
if (without.length <= lit.length * 0.9) console.log(`FAIL Babylon: without the plugin only ${without.length} of ${lit.length} pixels differ`);
if (linear.length < bent.length * 0.3) console.log(`FAIL Babylon: with display: false only ${linear.length} of ${bent.length} pixels differ`);
else console.log(`ok Babylon: display: false multiplies in linear light (${linear.length} of ${bent.length} pixels differ)`);
process.exit(toward.length || behind.length || gamma.length || bright.length || unexposed.length || wrong.length || movements.length || later.length || far.length || dull.length || clear.length < foggy * 0.9 || linear.length < bent.length * 0.3 || without.length <= lit.length * 0.9 ? 1 : 0);
