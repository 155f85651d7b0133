// A page in headless Chromium. It finds the packages of package.json at /npm/, this repository's addons at /addons/, and any file at
// /file/. install.sh installs the packages.
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'bsp2gltf-clients');
export const require = createRequire(path.join(cache, 'package.json'));
export const modules = path.join(cache, 'node_modules');

// The versions of three.js that the tests open: the oldest that we support, the one in package.json, and the newest if install.sh has
// installed it.
const versionOf = (name) => { try { return JSON.parse(fs.readFileSync(path.join(modules, name, 'package.json'), 'utf8')).version; } catch { return null; } };
export const versions = process.env.THREE ? [process.env.THREE] : ['three-177', 'three', ...([null, versionOf('three')].includes(versionOf('three-newest')) ? [] : ['three-newest'])];

const addons = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');

const types = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.cjs': 'text/javascript', '.html': 'text/html', '.glb': 'model/gltf-binary',
  '.gltf': 'model/gltf+json', '.png': 'image/png' };

// launch starts Chromium with software GL.
export async function launch() {
  const { chromium } = require('playwright-core');
  const executablePath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
    .find((p) => p && fs.existsSync(p));
  if (!executablePath) throw new Error('no Chromium: set CHROMIUM to its path');
  return chromium.launch({ executablePath, headless: true,
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'] });
}

export async function openPage(width, height) {
  const server = http.createServer((request, response) => {
    const [, where, rest] = /^\/(\w+)\/(.*)/.exec(decodeURIComponent(new URL(request.url, 'http://x').pathname)) ?? [];
    const roots = { npm: modules, addons, file: '/' };
    fs.readFile(path.join(roots[where] ?? '/nowhere', rest ?? ''), (error, data) => {
      response.writeHead(error ? 404 : 200, { 'content-type': types[path.extname(rest ?? '')] ?? 'application/octet-stream' });
      response.end(data);
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const browser = await launch();
  const page = await browser.newPage({ viewport: { width, height } });
  const logs = [];
  page.on('console', (m) => /GPU stall|Failed to load resource: .*404.*favicon/.test(m.text()) || logs.push(`${m.type()}: ${m.text()}`));
  page.on('pageerror', (e) => logs.push(`error: ${e}`));
  const base = `http://127.0.0.1:${server.address().port}`;
  return {
    logs,
    // run opens a page of this folder and returns its window.RESULT.
    async run(html, query) {
      logs.length = 0;
      await page.goto(`${base}/addons/test/${html}?${new URLSearchParams(query)}`);
      const handle = await page.waitForFunction(() => window.RESULT, null, { timeout: 120000 }).catch((error) => {
        throw new Error([error.message, ...logs.slice(0, 20)].join('\n')); // the page's messages say why it does not finish
      });
      const result = await handle.jsonValue();
      if (result.error) throw new Error(result.error);
      return result;
    },
    // shoot returns a PNG from a camera, by the page's window.shoot.
    async shoot(view) {
      return Buffer.from((await page.evaluate((v) => window.shoot(v), view)).split(',')[1], 'base64');
    },
    evaluate: (f, argument) => page.evaluate(f, argument),
    screenshot: (file) => page.screenshot({ path: file }),
    async close() {
      await browser.close();
      server.close();
    },
  };
}

// differences compares the page's pixels with the samples of test.json, and returns a text for each that differs.
export function differences(samples, pixels, tolerance) {
  return samples.map((s, i) => Math.max(...s.rgb.map((v, k) => Math.abs(v - pixels[i][k]))) > tolerance
    ? `${s.name}: want ${s.rgb}, have ${pixels[i]}` : null).filter(Boolean);
}
