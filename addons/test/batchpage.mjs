// The page of a batch in headless Chromium: opened as a file, with maps whose texts are markup and script.
// usage: node batchpage.mjs BSP2GLTF DEMO.bsp [SHOT.png]
import { execFileSync, spawnSync } from 'node:child_process';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { require } from './client.mjs';

const [program, demo, shot] = process.argv.slice(2);
const hostile = `</script><script>window.PWNED=1</script><img src=x onerror="window.PWNED=2"><!-- & 'x' "`;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'batchpage-'));

// withEntities returns a map of Quake III's format with another text of entities, put at its end.
function withEntities(map, text) {
  const lump = Buffer.from(`${text}\0`, 'latin1');
  const out = Buffer.concat([map, lump]);
  out.writeInt32LE(map.length, 8);
  out.writeInt32LE(lump.length, 12);
  return out;
}

try {
  const map = fs.readFileSync(demo);
  const maps = path.join(folder, 'maps');
  fs.mkdirSync(maps);
  fs.writeFileSync(path.join(maps, 'a-good.bsp'), map);
  const message = hostile.replaceAll('"', '`'); // a quote ends a value
  fs.writeFileSync(path.join(maps, 'hostile.bsp'), withEntities(map, `{"classname" "worldspawn" "message" "${message}"}`));
  fs.writeFileSync(path.join(maps, '<img src=x onerror=PWNED=3>#?%.bsp'), map);
  fs.writeFileSync(path.join(maps, 'javascript:PWNED=4.bsp'), map);
  fs.writeFileSync(path.join(maps, 'z-broken.bsp'), Buffer.concat([Buffer.from('<b>!'), map.subarray(4)]));
  const out = path.join(folder, 'out');
  const batch = spawnSync(program, ['batch', maps, '-o', out], { encoding: 'utf8' });
  assert.equal(batch.status, 1, batch.stderr);
  // Whoever can write into the folder may put something else in the place of a picture.
  const pictures = path.join(out, '.bsp2gltf', 'pictures');
  const drawn = fs.readdirSync(pictures).sort();
  assert.equal(drawn.length, 4, 'a picture of each map that was converted');
  fs.writeFileSync(path.join(pictures, drawn[0]), `<svg xmlns="http://www.w3.org/2000/svg" onload="window.PWNED=7"/>`);
  const file = path.join(folder, 'report.html');
  execFileSync(program, ['batch', 'report', out, '--html', file]);

  const { chromium } = require('playwright-core');
  const executablePath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((p) => p && fs.existsSync(p));
  const browser = await chromium.launch({ executablePath, headless: true, args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  const said = [];
  const asked = [];
  page.on('console', (m) => said.push(m.text()));
  page.on('pageerror', (e) => said.push(String(e)));
  page.on('dialog', (d) => { said.push(`dialog: ${d.message()}`); d.dismiss(); });
  page.on('request', (r) => asked.push(r.url()));
  await page.goto(pathToFileURL(file).href);

  await page.waitForSelector('.card');
  const cards = () => page.$$eval('.card', (all) => all.map((c) => c.innerText));
  const all = await cards();
  assert.equal(all.length, 5);
  assert.match(all[0], /unsupported/, 'failures come first');
  assert.equal(await page.isVisible('#more'), false);
  const columns = new Set(await page.$$eval('.card', (all) => all.map((c) => c.getBoundingClientRect().left)));
  assert.ok(columns.size >= 3, `cards stand side by side: ${columns.size} columns in 1200 pixels`);
  assert.ok(await page.$eval('.card', (c) => c.getBoundingClientRect().top) < 300, 'the first card is in view');
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 1200, 'nothing is wider than the window');
  const [told] = /\S+ materials? missing in \S+ maps?/.exec(batch.stderr);
  assert.equal(await page.textContent('#sum'), `${told}, by game`);
  assert.equal(await page.textContent('h1'), '5 maps, 1 failed');
  assert.ok(all.some((c) => c.includes(message)), 'the message is there as text');
  assert.ok(all.some((c) => c.includes('<img src=x onerror=PWNED=3>#?%.bsp')), 'the name is there as text');

  // Pictures are in the page, and show something.
  const seen = await page.$$eval('.card img', async (all) => Promise.all(all.map(async (i) => {
    await i.decode();
    const c = document.createElement('canvas');
    [c.width, c.height] = [i.naturalWidth, i.naturalHeight];
    const to = c.getContext('2d');
    to.drawImage(i, 0, 0);
    return [i.naturalWidth, i.naturalHeight, new Set(to.getImageData(0, 0, c.width, c.height).data).size > 50];
  })));
  assert.deepEqual(seen, Array(3).fill([320, 180, true]));

  // Search, filter and sort.
  const choose = async (id, value) => {
    await page.$eval(`#${id}`, (e, v) => { e.value = v; e.dispatchEvent(new Event('input')); }, value);
    return cards();
  };
  await page.fill('#search', 'A-GOOD');
  assert.equal((await cards()).length, 1);
  await page.fill('#search', 'onerror');
  assert.equal((await cards()).length, 2);
  await page.fill('#search', '');
  assert.equal((await choose('filter', 'failed')).length, 1);
  assert.equal((await choose('filter', 'converted')).length, 4);
  await choose('filter', 'all');
  const byName = await choose('order', 'name');
  assert.match(byName.at(-1), /z-broken/);
  assert.match(await page.textContent('#totals'), /Quake III/);

  // Links lead to the outputs, whatever their names.
  for (const link of await page.$$eval('.card a', (links) => links.map((a) => a.href))) {
    assert.ok(fs.existsSync(new URL(link)), link);
  }
  assert.deepEqual(asked.filter((u) => !u.startsWith('data:image/webp;base64,')), [pathToFileURL(file).href], 'nothing else is loaded');
  // The policy holds for text that gets past the escapes, too.
  await page.evaluate((h) => { const d = document.createElement('div'); d.innerHTML = h; document.body.append(d); }, '<img src="x" onerror="window.PWNED=5"><img src="data:," onerror="window.PWNED=8"><svg onload="window.PWNED=6">');
  await page.waitForTimeout(200);
  const blocked = said.filter((s) => /Content Security Policy/.test(s));
  assert.ok(blocked.length > 0, 'the policy blocks handlers and images');
  assert.deepEqual(said.filter((s) => !blocked.includes(s)), []);
  assert.equal(await page.evaluate(() => window.PWNED), undefined);
  assert.equal(await page.evaluate(() => document.scripts.length), 6);
  await page.evaluate(() => document.body.lastElementChild.remove());
  await choose('order', 'failures');
  if (shot) await page.screenshot({ path: shot });
  await browser.close();
  console.log('ok: 5 cards with 3 pictures, failures first, search, filters, orders, links; hostile texts are texts; nothing else is loaded');
} finally {
  fs.rmSync(folder, { recursive: true });
}
