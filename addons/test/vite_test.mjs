// usage: node vite_test.mjs DIST MAP.glb [PICTURES]
// Uses the packages of a release in DIST (or of npm pack) in new projects of Vite and strict TypeScript: three.js in the oldest and the
// newest supported version, and Babylon.js. Each project must build, and all must show the map alike: within 3 of 255 on average. It
// needs npm's registry.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from './client.mjs';

const [dist, map, pictures] = process.argv.slice(2).map((p) => path.resolve(p)), here = path.dirname(fileURLToPath(import.meta.url));
const TOOLS = { typescript: '7.0.2', vite: '8.3.8' }, SIZE = [640, 360], TOLERANCE = 3;
const PROJECTS = [
  { name: 'three r177', code: 'three', packages: { three: '0.177.0', '@types/three': '0.177.0' } },
  { name: 'three r187', code: 'three', packages: { three: '0.187.0', '@types/three': '0.187.0' } },
  { name: 'Babylon 9.35', code: 'babylon', packages: { '@babylonjs/core': '9.35.0', '@babylonjs/loaders': '9.28.0' } },
];

// start returns the position of a player's eyes in metres.
function start(file) {
  const data = fs.readFileSync(file), { nodes } = JSON.parse(data.subarray(20, 20 + data.readUInt32LE(12)));
  const [x, y, z] = nodes.find((n) => /^info_player/.test(n.extras?.classname) && n.translation)?.translation ?? [0, 1, 0];
  return [x, y + 0.8, z];
}

// build makes a project like a user, checks its types, and returns the folder that Vite wrote.
function build({ code, packages }) {
  const project = fs.mkdtempSync(path.join(os.tmpdir(), 'bsp2gltf-vite-')), run = (...command) => execFileSync('npx', ['--no-install', ...command], { cwd: project, stdio: 'pipe' });
  const archive = fs.readdirSync(dist).find((n) => n.startsWith(`bsp2gltf-${code}-`));
  fs.writeFileSync(path.join(project, 'package.json'), JSON.stringify({ private: true, type: 'module', devDependencies: TOOLS, dependencies: { ...packages, [`bsp2gltf-${code}`]: `file:${path.join(dist, archive)}` } }));
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], { cwd: project, stdio: 'pipe' });
  for (const folder of ['src', 'public']) fs.mkdirSync(path.join(project, folder));
  fs.copyFileSync(path.join(here, 'vite', 'tsconfig.json'), path.join(project, 'tsconfig.json'));
  fs.copyFileSync(path.join(here, 'vite', `${code}.ts`), path.join(project, 'src', 'main.ts'));
  fs.copyFileSync(map, path.join(project, 'public', 'map.glb'));
  fs.writeFileSync(path.join(project, 'src', 'view.ts'), `export const eye: [number, number, number] = [${start(map)}], yaw: number = 30, fov: number = 60, size: [number, number] = [${SIZE}];\n`);
  fs.writeFileSync(path.join(project, 'index.html'), '<!doctype html><link rel="icon" href="data:,"><style>body { margin: 0 } canvas { display: block }</style><body><script type="module" src="/src/main.ts"></script>');
  run('tsc', '-p', '.');
  run('vite', 'build', '--logLevel', 'error');
  return project;
}

const types = { '.js': 'text/javascript', '.html': 'text/html' };
async function show(browser, folder) {
  const server = http.createServer((request, response) => {
    const file = path.join(folder, path.normalize(new URL(request.url, 'http://x').pathname).replace(/\/$/, '/index.html'));
    fs.readFile(file, (error, data) => {
      response.writeHead(error ? 404 : 200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' });
      response.end(data);
    });
  });
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  const page = await browser.newPage({ viewport: { width: SIZE[0], height: SIZE[1] } }), problems = [];
  const broken = new Promise((done) => { page.on('pageerror', (e) => done(problems.push(String(e)))); });
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const ready = page.waitForFunction(() => document.title === 'ready', null, { timeout: 300000 }).catch((e) => problems.push(e.message));
  await Promise.race([ready, broken]);
  const pixels = await page.evaluate(async () => {
    const canvas = document.querySelector('canvas') ?? document.createElement('canvas'), flat = document.createElement('canvas');
    [flat.width, flat.height] = [canvas.width, canvas.height];
    const context = flat.getContext('2d');
    context.drawImage(canvas, 0, 0);
    return { url: flat.toDataURL(), data: [...context.getImageData(0, 0, flat.width, flat.height).data] };
  });
  await page.close();
  server.close();
  return { ...pixels, problems };
}

const browser = await launch(), seen = [];
let failures = 0;
for (const project of PROJECTS) {
  let folder = null, wrong = '';
  try {
    folder = build(project);
    const { data, url, problems } = await show(browser, path.join(folder, 'dist'));
    if (pictures) fs.writeFileSync(path.join(pictures, `vite-${project.name.replace(/\W+/g, '-')}.png`), Buffer.from(url.split(',')[1], 'base64'));
    const mean = (of) => data.reduce((sum, v, i) => sum + (i % 4 < 3 ? of(v, i) : 0), 0) / (data.length * 0.75), brightness = mean((v) => v);
    wrong = problems.join('; ') || (mean((v) => Math.abs(v - brightness)) < 5 ? 'the picture is plain' : '');
    if (!wrong && seen.length) {
      const difference = mean((v, i) => Math.abs(v - seen[0][i]));
      if (!(difference <= TOLERANCE)) wrong = `differs by ${difference.toFixed(2)} of 255`;
      else project.name += `, ${difference.toFixed(3)} of 255 beside ${PROJECTS[0].name}`;
    }
    seen.push(data);
  } catch (error) {
    wrong = [error.message, error.stdout, error.stderr].filter(Boolean).join('\n').slice(0, 4000);
  }
  console.log(wrong ? `FAIL ${project.name} in Vite, strict: ${wrong}` : `ok ${project.name} in Vite, strict`);
  failures += wrong ? 1 : 0;
  if (folder) fs.rmSync(folder, { recursive: true });
}
await browser.close();
process.exit(failures ? 1 : 0);
