// usage: node web/test.mjs PAGE.html BSP2GLTF [DIR]
// The converter's page in headless Chromium, from the disk and served: a map of each family, one in an archive, hostile ones,
// cancelling, and saved files, whose bytes must be those of the program BSP2GLTF. DIR gets a picture of each. Needs what
// addons/test/install.sh installs.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { require } from '../addons/test/client.mjs';

const [html, program, pictures] = process.argv.slice(2);
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const testdata = path.join(root, 'testdata');
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'bsp2gltf-web-'));
const { chromium } = require('playwright-core');
const executablePath = process.env.CHROMIUM || '/usr/bin/chromium';
const start = (...more) => chromium.launch({ executablePath, headless: true, args: [...more,
  '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'] });
let browser = await start();
let failures = 0;

function check(ok, what) {
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${what}`);
  failures += ok ? 0 : 1;
}

// open opens the page, and notes what it asks of the network and what goes wrong in it.
async function open(url) {
  const page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
  page.problems = [];
  page.on('request', (r) => { if (!r.url().startsWith(url) && !/^(blob|data):/.test(r.url())) page.problems.push(`asks for ${r.url()}`); });
  page.on('pageerror', (e) => page.problems.push(`${e}`));
  page.on('console', (m) => { if (m.type() === 'error' && !/favicon/.test(m.location().url)) page.problems.push(m.text()); });
  await page.goto(url);
  return page;
}

const message = (page) => page.locator('#message').textContent();

// finish waits for the end of a conversion.
async function finish(page) {
  await page.waitForFunction(() => document.getElementById('working').hidden, null, { timeout: 180000 });
}

async function show(page, map) {
  await page.locator('#map').selectOption({ label: map });
  await page.locator('#convert').click();
  await finish(page);
}

// shows converts a map of a folder, and looks at the viewer.
async function shows(page, name, folder, map) {
  await page.locator('#clear').click({ force: true }).catch(() => {});
  if (folder) await page.locator('#input-folder').setInputFiles(folder);
  else await page.locator('#input-files').setInputFiles(map);
  await page.waitForFunction((wanted) => [...document.getElementById('map').options].some((o) => o.text === wanted), folder ? map : path.basename(map), { timeout: 60000 });
  await show(page, folder ? map : path.basename(map));
  const frame = page.frames().at(-1);
  const canvas = await frame.waitForSelector('canvas', { timeout: 60000 }).catch(() => null);
  await page.waitForTimeout(1500);
  const said = await message(page);
  check(canvas && /triangles/.test(said), `${name}: ${said.replace(/ Drop the game.*again\./, '')}`);
  if (pictures) await page.screenshot({ path: path.join(pictures, `web-${name}.png`) });
  check(page.problems.length === 0, `${name}: nothing goes wrong in the page, and it asks for nothing${page.problems.map((p) => `\n     ${p}`).join('')}`);
  page.problems.length = 0;
}

// refuses drops a file that is no good map.
async function refuses(page, name, data, wanted) {
  const file = path.join(work, name);
  fs.writeFileSync(file, data);
  await page.locator('#input-files').setInputFiles(file);
  await page.waitForFunction((n) => [...document.getElementById('map').options].some((o) => o.text === n), name);
  await show(page, name);
  const said = await message(page);
  check(wanted.test(said) && !said.includes('\n') && await page.locator('#message').getAttribute('class') === 'error', `${name} is refused: ${said}`);
}

// saves presses a button and compares what is saved with what the program writes.
async function saves(page, button, args, map, name) {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 180000 }), page.locator(button).click()]);
  const have = path.join(work, `saved-${name}`), want = path.join(work, name);
  await download.saveAs(have);
  execFileSync(program, ['--quiet', '--set', 'game.steam=false', ...args, map, want]);
  check(download.suggestedFilename() === name && fs.readFileSync(have).equals(fs.readFileSync(want)), `${name} ${args.join(' ')} has the bytes of the program's`);
  fs.rmSync(want);
  await finish(page);
}

const server = http.createServer((request, response) => {
  const found = request.url === '/';
  response.writeHead(found ? 200 : 404, { 'content-type': 'text/html' });
  response.end(found ? fs.readFileSync(html) : '');
});
await new Promise((done) => { server.listen(0, '127.0.0.1', done); });

// notes keeps what the page tells of its progress.
const notes = (page) => page.evaluate(() => {
  globalThis.told = [];
  const note = () => globalThis.told.push([document.getElementById('stage').textContent, document.getElementById('progress').value]);
  new MutationObserver(note).observe(document.getElementById('working'), { subtree: true, childList: true, attributes: true });
});

// counted looks at what was noted of a conversion: the stages, images and pages of light as they are done, and a bar that goes on.
async function counted(page) {
  const told = await page.evaluate(() => globalThis.told), texts = [...new Set(told.map(([text]) => text))];
  const last = (items) => texts.filter((text) => text.startsWith(items)).at(-1)?.match(/: (\d+) of (\d+)$/);
  const images = last('images'), pages = last('lightmap pages');
  check(images && images[1] === images[2] && +images[2] > 10 && pages && pages[1] === pages[2], `the page counts: ${texts.join(', ')}`);
  check(texts.includes('reading the map') && texts.includes('writing') && told.every(([, value], i) => !i || value >= told[i - 1][1]), `its bar goes on: ${told.map(([, value]) => value.toFixed(2)).join(' ')}`);
}

const page = await open(pathToFileURL(path.resolve(html)).href);
await notes(page);
await shows(page, 'quake3', path.join(testdata, 'demo'), 'demo/maps/demo.bsp');
await counted(page);
const demo = path.join(testdata, 'demo', 'maps', 'demo.bsp');
await saves(page, '#save-page', [], demo, 'demo.html');
for (const preset of ['blender', 'viewer']) {
  await page.locator('#preset').selectOption(preset);
  await saves(page, '#save-glb', ['--preset', preset], demo, 'demo.glb');
}
await shows(page, 'source', path.join(testdata, 'source'), 'source/maps/showcase.bsp');
await page.close();

const served = await open(`http://127.0.0.1:${server.address().port}/`);
for (const [name, map] of [['goldsrc', 'goldsrc/maps/version30.bsp'], ['quake', 'goldsrc/maps/version29.bsp'], ['quake2', 'goldsrc/maps/version38.bsp'], ['titanfall', 'respawn/maps/techtest.bsp']]) {
  await shows(served, name, null, path.join(testdata, map));
}
const pk3 = path.join(work, 'demo.pk3');
execFileSync('python3', ['-m', 'zipfile', '-c', pk3, ...fs.readdirSync(path.join(testdata, 'demo'))], { cwd: path.join(testdata, 'demo') });
await served.locator('#clear').click();
await served.locator('#input-files').setInputFiles(pk3);
await served.waitForFunction(() => document.getElementById('map').options.length > 0 && document.getElementById('working').hidden, null, { timeout: 120000 });
await show(served, 'demo.pk3:maps/demo.bsp');
check(/3[0-9] of 3[0-9] materials found/.test(await message(served)), `a map in an archive: ${await message(served)}`);

const real = fs.readFileSync(demo);
await refuses(served, 'text.bsp', 'this is no map, but text', /text\.bsp.*not a map/);
await refuses(served, 'short.bsp', real.subarray(0, real.length >> 1), /lump/);
const hostile = Buffer.from(real);
for (let i = 8; i < 8 + 17 * 8; i += 4) hostile.writeUInt32LE(0x7ffffff0, i);
await refuses(served, 'hostile.bsp', hostile, /lump/);

await served.locator('#map').selectOption({ label: 'demo.pk3:maps/demo.bsp' });
// In the page itself: on a fast machine the conversion is over before another process has found the button.
await served.evaluate(async () => {
  document.getElementById('convert').click();
  await new Promise((soon) => { setTimeout(soon, 50); });
  document.getElementById('cancel').click();
});
await finish(served);
check(await message(served) === 'cancelled', `cancelled: ${await message(served)}`);
await show(served, 'demo.pk3:maps/demo.bsp');
check(/triangles/.test(await message(served)), 'and again after that');
check(served.problems.length === 0, `nothing goes wrong in the page${served.problems.map((p) => `\n     ${p}`).join('')}`);
await browser.close();

// WebAssembly may have 20 MB here.
browser = await start('--js-flags=--wasm-max-mem-pages=320');
const small = await open(pathToFileURL(path.resolve(html)).href);
await small.locator('#input-folder').setInputFiles(path.join(testdata, 'source'));
await small.waitForFunction(() => document.getElementById('map').options.length > 0);
await show(small, 'source/maps/showcase.bsp');
check(/needs more memory than a page may have/.test(await message(small)), `without memory: ${await message(small)}`);
await browser.close();
server.close();
fs.rmSync(work, { recursive: true });
process.exit(failures ? 1 : 0);
