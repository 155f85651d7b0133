// usage: node package_test.mjs DIST MAP.glb [PICTURES]
// Installs the packages bsp2gltf-three and bsp2gltf-babylon of a release in DIST into empty projects, as their READMEs say, and opens
// their examples in Chromium with no network except the project's own folder. Then runs the code of the READMEs, unchanged.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { require } from './client.mjs';

const [dist, map, pictures] = process.argv.slice(2);
const clients = path.dirname(require.resolve('playwright-core/package.json'));
const { chromium } = require('playwright-core');
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', headless: true,
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'] });
let failures = 0;

// code returns the JavaScript of a README, all blocks as one module, after declarations of the names that it assumes.
const given = {
  three: 'const thing = new THREE.Object3D();\n',
  babylon: "const canvas = document.body.appendChild(document.createElement('canvas')); canvas.style = 'width: 100vw; height: 100vh';\nconst engine = new BABYLON.Engine(canvas, true);\nconst scene = new BABYLON.Scene(engine);\n",
};
const shown = { // draws the scene, where the README leaves that to its user
  three: '',
  babylon: 'scene.activeCamera = scene.cameras[0]; engine.runRenderLoop(() => scene.render());\n',
};
function code(name, readme) {
  const blocks = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map((m) => m[1]);
  // Blocks are independent: each block with a name that another one declares gets its own scope; imports go to the top.
  const imports = [], bodies = blocks.map((b) => b.replace(/^import .*$/gm, (line) => { imports.push(line); return ''; }));
  return [blocks.length, `${[...new Set(imports)].join('\n')}\n${given[name]}${bodies.join('\n')}\n${shown[name]}document.title = 'ready';`];
}
for (const [name, peers] of [['three', ['three']], ['babylon', ['babylonjs', 'babylonjs-loaders']]]) {
  const project = fs.mkdtempSync(path.join(os.tmpdir(), 'bsp2gltf-package-'));
  const archive = fs.readdirSync(dist).find((n) => n.startsWith(`bsp2gltf-${name}-`));
  fs.writeFileSync(path.join(project, 'package.json'), '{"private": true}');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps', '--loglevel=error', path.resolve(dist, archive)], { cwd: project });
  // The packages that npm would download are installed for the tests already.
  for (const peer of peers) fs.symlinkSync(path.join(clients, '..', peer), path.join(project, 'node_modules', peer));
  fs.copyFileSync(path.join(project, 'node_modules', `bsp2gltf-${name}`, 'example.html'), path.join(project, 'example.html'));
  fs.copyFileSync(map, path.join(project, 'map.glb'));
  const types = { '.js': 'text/javascript', '.html': 'text/html' };
  const server = http.createServer((request, response) => {
    fs.readFile(path.join(project, new URL(request.url, 'http://x').pathname), (error, data) => {
      response.writeHead(error ? 404 : 200, { 'content-type': types[path.extname(new URL(request.url, 'http://x').pathname)] ?? 'application/octet-stream' });
      response.end(data);
    });
  });
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  const base = `http://127.0.0.1:${server.address().port}`;
  const page = await browser.newPage({ viewport: { width: 640, height: 400 } });
  const problems = [];
  page.on('request', (r) => { if (!r.url().startsWith(base) && !/^(blob|data):/.test(r.url())) problems.push(`asks for ${r.url()}`); });
  page.on('pageerror', (e) => problems.push(`${e}`));
  page.on('response', (r) => { if (r.status() >= 400 && !/favicon/.test(r.url())) problems.push(`${r.status()} ${r.url()}`); });
  await page.goto(`${base}/example.html?map.glb`);
  await page.waitForSelector('canvas');
  await page.waitForTimeout(8000);
  const picture = path.join(pictures ?? project, `package-${name}.png`);
  await page.screenshot({ path: picture });
  const size = fs.statSync(picture).size; // an empty picture has a few kilobytes
  console.log(`${problems.length || size < 60000 ? 'FAIL' : 'ok'} bsp2gltf-${name} from ${archive}: the example shows the map, ${size} bytes of picture ${problems.join('; ')}`);
  failures += problems.length || size < 60000 ? 1 : 0;
  const home = path.join(project, 'node_modules', `bsp2gltf-${name}`);
  const [blocks, script] = code(name, fs.readFileSync(path.join(home, 'README.md'), 'utf8'));
  const head = fs.readFileSync(path.join(home, 'example.html'), 'utf8').match(/<script (src|type="importmap").*?<\/script>/gs).join('\n');
  fs.writeFileSync(path.join(project, 'readme.html'), `<!doctype html><body>${head}<script type="module">${script}</script>`);
  fs.mkdirSync(path.join(project, 'maps'));
  fs.copyFileSync(map, path.join(project, 'maps', 'map.glb'));
  problems.length = 0;
  await page.goto(`${base}/readme.html`);
  const ready = await page.waitForFunction(() => document.title === 'ready', null, { timeout: 60000 }).then(() => true, () => false);
  await page.waitForTimeout(3000);
  await page.screenshot({ path: picture.replace('.png', '-readme.png') });
  const drawn = fs.statSync(picture.replace('.png', '-readme.png')).size;
  const fine = ready && blocks > 0 && !problems.length && drawn > 60000;
  console.log(`${fine ? 'ok' : 'FAIL'} bsp2gltf-${name}: the ${blocks} blocks of code in its README run, ${drawn} bytes of picture ${problems.join('; ')}`);
  failures += fine ? 0 : 1;
  await page.close();
  server.close();
  fs.rmSync(project, { recursive: true });
}
await browser.close();
process.exit(failures ? 1 : 0);
