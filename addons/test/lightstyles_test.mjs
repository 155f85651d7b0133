// usage: node lightstyles_test.mjs
// Tests how a file's light styles flicker, against the table in bsp/internal/lightstyle.
import assert from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { listStyles, partsOf } from '../shared/lightstyles.js';

const here = path.dirname(fileURLToPath(import.meta.url));
const table = fs.readFileSync(path.join(here, '../../bsp/internal/lightstyle/lightstyle.go'), 'utf8');
const patterns = [...table.matchAll(/^\t(\d+): +"([a-z]+)",$/gm)].map(([, style, pattern]) => [Number(style), pattern]);
const lamp = (extras) => ({ extras: { classname: 'light', ...extras } });
const style = (number, ...lamps) => {
  const [{ pattern, on }] = listStyles({ nodes: lamps.map(lamp) }, new Map([[0, [{ style: number, name: '' }]]]));
  return [pattern, on];
};

assert.equal(patterns.length, 12);
for (const [number, pattern] of patterns) assert.deepEqual(style(number, { style: String(number), spawnflags: '1', pattern: 'a' }), [pattern, true]);
assert.deepEqual(style(32, { style: '32' }), ['', true]);
assert.deepEqual(style(32, { style: '32', pattern: 'AzM' }), ['azm', true]);
assert.deepEqual(style(33, { style: '33', defaultstyle: '10' }), [patterns[9][1], true]);
assert.deepEqual(style(33, { style: '33' }, { style: '33', spawnflags: '1' }), ['', false]);
assert.deepEqual(style(33, { style: '33', spawnflags: '1' }, { style: '33' }), ['', true]);
assert.deepEqual(style(34, { style: '33', spawnflags: '1' }), ['', true]);

const pages = [{ index: 0, style: 40, night: false, name: '' }], levels = (extras, ...times) => {
  const list = listStyles({ scenes: [{ extras }], nodes: [lamp({ style: '40', pattern: 'am' })] }, new Map([[0, pages]]));
  return times.map((seconds) => (partsOf(pages, list, false, seconds)[0]?.amount ?? 0).toFixed(2));
};
assert.deepEqual(levels({}, 0, 0.075, 0.1, 0.175, 0.2, null), ['0.00', '0.00', '1.00', '1.00', '0.00', '0.50']);
assert.deepEqual(levels({ bsp2gltf_smooth_styles: true }, 0, 0.075, 0.1, 0.175, null), ['0.00', '0.75', '1.00', '0.25', '0.50']);
console.log('ok light styles are those of the converter');
