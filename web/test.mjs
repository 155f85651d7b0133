// usage: node web/test.mjs PAGE.html BSP2GLTF [DIR]
// Tests the converter's page in headless Chromium, from disk and from a server: a map of each family in every form in which people have
// maps, hostile maps, cancelling, results of maps that are no longer chosen, and saved files, whose bytes must be those of the program
// BSP2GLTF. DIR gets a picture of each. It needs python3 and what addons/test/install.sh installs.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
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

// open opens the page, and records its network requests and errors.
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

// shows converts a map of a folder and checks the viewer.
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
  await picture(page, name);
  check(page.problems.length === 0, `${name}: nothing goes wrong in the page, and it asks for nothing${page.problems.map((p) => `\n     ${p}`).join('')}`);
  page.problems.length = 0;
}

const picture = (page, name) => pictures && page.screenshot({ path: path.join(pictures, `web-${name}.png`) });

// listed waits until the page has looked for maps. It returns the listed maps and the chosen one.
async function listed(page, files) {
  await page.locator('#input-files').setInputFiles(files);
  await page.waitForFunction(() => document.getElementById('count').textContent !== '');
  await finish(page);
  return page.evaluate(() => ({ maps: [...document.getElementById('map').options].map((o) => o.text), chosen: document.getElementById('map').selectedOptions[0]?.text }));
}

// hidden reports whether no result is shown, and the buttons Save .glb and Save as a page do nothing.
async function hidden(page) {
  let saved = false;
  const note = () => { saved = true; };
  page.on('download', note);
  const is = await page.evaluate(async () => {
    document.getElementById('save-glb').click();
    document.getElementById('save-page').click();
    await new Promise((soon) => { setTimeout(soon, 300); });
    return document.getElementById('result').hidden && document.getElementById('working').hidden;
  });
  page.off('download', note);
  return is && !saved && page.problems.length === 0;
}

// refuses drops a file that is not a valid map.
async function refuses(page, name, data, wanted) {
  const file = path.join(work, name);
  fs.writeFileSync(file, data);
  await page.locator('#input-files').setInputFiles(file);
  await page.waitForFunction((n) => [...document.getElementById('map').options].some((o) => o.text === n), name);
  await show(page, name);
  const said = await message(page);
  check(wanted.test(said) && !said.includes('\n') && await page.locator('#message').getAttribute('class') === 'error', `${name} is refused: ${said}`);
  check(await hidden(page), 'no map is shown after that');
}

// probesOf counts the light probes in the compressed .glb that a page contains in elements of class glb.
function probesOf(text) {
  const pieces = [...text.matchAll(/<script type="text\/plain" class="glb">([^<]*)/g)].map((m) => Buffer.from(m[1], 'base64'));
  const glb = gunzipSync(Buffer.concat(pieces)), doc = JSON.parse(glb.subarray(20, 20 + glb.readUInt32LE(12)).toString());
  const probes = doc.scenes[0].extras?.bsp2gltf_light_probes;
  return probes ? doc.accessors[probes.position].count : 0;
}

// saves presses a button and compares the saved file with the program's: a page, or a .glb with nothing beside it.
async function saves(page, button, args, map, name) {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 180000 }), page.locator(button).click()]);
  const have = path.join(work, `saved-${name}`), want = path.join(work, name);
  await download.saveAs(have);
  const own = ['--quiet', '--set', 'game.steam=false', ...args];
  if (name.endsWith('.glb')) fs.writeFileSync(want, execFileSync(program, [...own, '--format', 'glb', map, '-'], { maxBuffer: 1 << 30 }));
  else execFileSync(program, [...own, map, want]);
  check(download.suggestedFilename() === name && fs.readFileSync(have).equals(fs.readFileSync(want)), `${name} ${args.join(' ')} has the bytes of the program's`);
  const probes = name.endsWith('.html') && probesOf(fs.readFileSync(have, 'utf8'));
  fs.rmSync(want);
  await finish(page);
  return probes;
}

const server = http.createServer((request, response) => {
  const found = request.url === '/';
  response.writeHead(found ? 200 : 404, { 'content-type': 'text/html' });
  response.end(found ? fs.readFileSync(html) : '');
});
await new Promise((done) => { server.listen(0, '127.0.0.1', done); });

// notes records the page's progress messages.
const notes = (page) => page.evaluate(() => {
  globalThis.told = [];
  const note = () => globalThis.told.push([document.getElementById('stage').textContent, document.getElementById('progress').value]);
  new MutationObserver(note).observe(document.getElementById('working'), { subtree: true, childList: true, attributes: true });
});

// counted checks the recorded messages of a conversion: the stages, the counts of images and lightmaps, and a bar that only advances.
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

// same saves the shown map as a page and as .glb files, which must have the program's bytes. It returns how many probes the page has.
async function same(page, map, presets) {
  const name = path.basename(map, '.bsp');
  const probes = await saves(page, '#save-page', [], map, `${name}.html`);
  for (const preset of presets) {
    await page.locator('#preset').selectOption(preset);
    await saves(page, '#save-glb', ['--preset', preset], map, `${name}.glb`);
  }
  return probes;
}

check(await same(page, demo, ['blender', 'viewer']) === 0, 'a saved page of Quake III has no probes');
await shows(page, 'source', path.join(testdata, 'source'), 'source/maps/showcase.bsp');
await same(page, path.join(testdata, 'source', 'maps', 'showcase.bsp'), ['blender', 'web']);
check(/The program also writes .* beside it/.test(await page.locator('#message').textContent()) === false, 'the preset web leaves nothing out');
await page.locator('#preset').selectOption('blender');
await page.locator('#map').selectOption({ label: 'source/maps/bump.bsp' });
await saves(page, '#save-glb', ['--preset', 'blender'], path.join(testdata, 'source', 'maps', 'showcase.bsp'), 'showcase.glb'); // it is still the one shown
check(/The program also writes .* beside it/.test(await message(page)), `what a page can't save is named: ${await message(page)}`);
await show(page, 'source/maps/models.bsp');
const probes = await same(page, path.join(testdata, 'source', 'maps', 'models.bsp'), ['godot', 'unreal']);
check(probes > 0, `a saved page of a Source map has its light probes: ${probes}`);
await page.close();

const served = await open(`http://127.0.0.1:${server.address().port}/`);
await shows(served, 'goldsrc', path.join(testdata, 'goldsrc'), 'goldsrc/maps/version30.bsp');
await same(served, path.join(testdata, 'goldsrc', 'maps', 'version30.bsp'), ['unity']);
for (const [name, map] of [['quake', 'goldsrc/maps/version29.bsp'], ['quake2', 'goldsrc/maps/version38.bsp'], ['titanfall', 'respawn/maps/techtest.bsp']]) {
  await shows(served, name, null, path.join(testdata, map));
}

// Names of textures with characters that reverse or hide text are shown with these characters made visible, and set apart from the text
// around them.
{
  const map = fs.readFileSync(demo), [offset, length] = [map.readInt32LE(16), map.readInt32LE(20)], file = path.join(work, 'turned.bsp');
  for (let i = 0; i * 72 < length; i++) map.fill(0, offset + 72 * i, offset + 72 * i + 64).write(`textures/a\u202egnp_${i}\u200b\u2066\u0085`, offset + 72 * i);
  fs.writeFileSync(file, map);
  await shows(served, 'names', null, file);
  const text = await message(served), names = await served.locator('#message bdi').allTextContents();
  check(/\\u202egnp_\d+\\u200b\\u2066/.test(text) && !/[\p{C}]/u.test(text) && names.some((n) => n.includes('\\u202e')), `names that turn text round are readable: ${text}`);
}

// Nothing may be shown of a map that is no longer chosen or listed.
const first = path.join(testdata, 'goldsrc/maps/version30.bsp'), second = path.join(work, 'alone', 'version29.bsp');
fs.mkdirSync(path.dirname(second));
fs.copyFileSync(path.join(testdata, 'goldsrc/maps/version29.bsp'), second);
await served.locator('#clear').click();
check(await hidden(served), 'Start over takes the map away');
check((await listed(served, first)).chosen === 'version30.bsp', 'the first map is chosen');
await show(served, 'version30.bsp');
const two = await listed(served, second);
check(two.chosen === 'version29.bsp' && two.maps.length === 2, `the map that was dropped second is chosen: ${JSON.stringify(two)}`);
check(await hidden(served), 'and the first is not shown any more');
await served.locator('#convert').click();
await finish(served);
await same(served, second, ['viewer']);
await served.locator('#clear').click();
check((await listed(served, first)).maps.join() === 'version30.bsp', 'the same file can be dropped again');
await served.locator('#clear').click();

// Every form in which people have maps.
const forms = execFileSync('python3', [path.join(root, 'addons/test/containers.py'), path.join(testdata, 'features/maps/polygons.bsp'), path.join(work, 'forms')], { encoding: 'utf8' });
for (const line of forms.trim().split('\n')) {
  const [file, kind] = line.split('\t'), name = path.relative(path.join(work, 'forms'), file);
  const files = fs.statSync(file).isDirectory() ? fs.readdirSync(file, { recursive: true }).map((f) => path.join(file, f)).filter((f) => fs.statSync(f).isFile()) : file;
  const { maps } = await listed(served, files);
  if (kind === 'none') check(maps.length === 0 && /archive, which is not read: unpack it/.test(await message(served)), `${name}: ${(await message(served)).split('\n')[0]}`);
  else {
    await served.locator('#convert').click();
    await finish(served);
    const shown = await served.locator('#shown').textContent();
    check(maps.length === (kind === 'two' ? 2 : 1) && shown === 'box' && /30 triangles/.test(await message(served)), `${name}: ${maps} ${await message(served)}`);
  }
  if (kind === 'two') await savesAll(served, ['box', 'other'], name);
  await served.locator('#clear').click();
}

// savesAll saves all maps of the list.
async function savesAll(page, names, what) {
  const got = [];
  const note = (download) => { got.push(download); };
  page.on('download', note);
  await page.locator('#save-all').click();
  await finish(page);
  await page.waitForTimeout(500);
  page.off('download', note);
  const sizes = await Promise.all(got.map(async (d) => fs.readFileSync(await d.path()).subarray(0, 4).toString()));
  check(got.map((d) => d.suggestedFilename()).join() === names.map((n) => `${n}.glb`).join() && sizes.every((s) => s === 'glTF'), `${what}: all maps are saved: ${await message(page)}`);
}
await listed(served, [first, second]);
await savesAll(served, ['version30', 'version29'], 'two maps at once');
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
// Inside the page, because on a fast machine the conversion ends before another process finds the button.
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

// WebAssembly may use 20 MB here.
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
