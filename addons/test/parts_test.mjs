// usage: node parts_test.mjs
// A bundler must include only those parts of bsp2gltf-three that are imported, and the package's main file must include all of them.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { require } from './client.mjs';

const home = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'three'),
  { build } = require('esbuild');
// The files that each part needs.
const SHADER = ['color', 'patch'],
  TEXTURED = ['color', 'traverse', 'patch', 'slots'],
  BAKED = ['baked', 'color', 'traverse', 'patch', 'slots'];
const PARTS = {
  bsp2gltfLightmaps: ['light', ...BAKED],
  hidePunctualLights: ['light'],
  BakedMaterial: BAKED,
  BakedLambertMaterial: BAKED,
  DisplayRenderPass: ['pass', 'color'],
  bsp2gltfDispose: ['dispose', 'traverse'],
  bsp2gltfBlend: ['blend', 'order', ...TEXTURED],
  bsp2gltfDetails: ['details', 'detailmodes', ...TEXTURED],
  bsp2gltfDirected: ['directed', ...TEXTURED],
  bsp2gltfSecond: ['second', 'traverse', ...SHADER],
  bsp2gltfEnvironment: ['environment', ...TEXTURED],
  bsp2gltfFog: ['fog', 'fogdata', ...SHADER],
  bsp2gltfExposure: ['exposure', 'traverse', ...SHADER],
  bsp2gltfGamma: ['gamma', 'traverse', ...SHADER],
  bsp2gltfShow: ['show', ...TEXTURED],
  bsp2gltfMerge: ['merge', 'traverse'],
  bsp2gltfSky: ['sky', 'order', 'traverse', ...SHADER],
  bsp2gltfSprites: ['sprites', 'billboards', 'traverse', ...SHADER],
  bsp2gltfHidden: ['hidden'],
  bsp2gltfVariants: ['variants', 'traverse'],
  bsp2gltfLevels: ['levels'],
  bsp2gltfStyles: ['styles', 'lightstyles', 'stylemixer', 'traverse', ...SHADER],
  bsp2gltfMotion: ['motion', 'materialmotion', 'entitymovements', 'movements', 'hover', 'traverse', ...SHADER],
  bsp2gltfAmbient: ['ambient', 'ambientlight', 'floorlight', ...SHADER],
};

// bundled returns the exported names, the names of the files that contribute to a bundle of these exports, and its size.
async function bundled(names) {
  const {
    metafile: { outputs },
  } = await build({
    stdin: { contents: `export ${names} from ${JSON.stringify(path.join(home, 'index.js'))};`, resolveDir: home },
    bundle: true,
    minify: true,
    format: 'esm',
    external: ['three', 'three/*'],
    write: false,
    metafile: true,
    outfile: 'out.js',
    logLevel: 'silent',
  });
  const [{ inputs, bytes, exports: exported }] = Object.values(outputs);
  return {
    exported,
    bytes,
    files: Object.entries(inputs)
      .filter(([, i]) => i.bytesInOutput > 0)
      .map(([name]) => path.basename(name, '.js'))
      .filter((n) => n !== '<stdin>')
      .sort(),
  };
}

let failures = 0;
const check = (what, wrong) => {
  console.log(wrong ? `FAIL ${what}: ${wrong}` : `ok ${what}`);
  failures += wrong ? 1 : 0;
};
for (const [name, want] of Object.entries(PARTS)) {
  const { files, bytes } = await bundled(`{ ${name} }`),
    more = files.filter((f) => !want.includes(f));
  check(`${name} alone: ${bytes} bytes of ${files}`, more.length ? `has ${more}, too` : '');
}
const all = await bundled('{ bsp2gltf }'),
  scripts = [home, path.join(home, '../shared')].flatMap((folder) => fs.readdirSync(folder)).filter((n) => n.endsWith('.js'));
check(
  `bsp2gltf: ${all.bytes} bytes of ${all.files.length} files`,
  scripts
    .map((n) => path.basename(n, '.js'))
    .filter((n) => !all.files.includes(n) && !['index', 'pass', 'webgpu'].includes(n))
    .join(),
);
// Each packed package has all files of its folder and of the shared one, and no import leads out of it.
const packed = fs.mkdtempSync(path.join(os.tmpdir(), 'bsp2gltf-parts-'));
for (const name of ['three', 'babylon']) {
  const folder = path.join(home, '..', name),
    archive = execFileSync('node', [path.join(home, '../pack.mjs'), name, packed], { encoding: 'utf8' }).trim();
  execFileSync('tar', ['-xzf', archive], { cwd: packed });
  const all = fs.readdirSync(path.join(packed, 'package'), { recursive: true }),
    wanted = [...fs.readdirSync(folder), ...fs.readdirSync(path.join(home, '../shared')).map((n) => `shared/${n}`)].filter((n) => /\.(js|ts|html)$/.test(n)),
    imports = all
      .filter((n) => /\.(js|ts)$/.test(n))
      .flatMap((n) => [...fs.readFileSync(path.join(packed, 'package', n), 'utf8').matchAll(/from '(\.[^']*)'/g)].map((m) => path.join(path.dirname(n), m[1])));
  check(
    `bsp2gltf-${name} has all of its ${wanted.length} files, and what they import`,
    [...wanted, ...imports].filter((n) => !all.includes(n) && !all.includes(n.replace(/\.js$/, '.d.ts'))).join(),
  );
  fs.rmSync(path.join(packed, 'package'), { recursive: true });
}
fs.rmSync(packed, { recursive: true });
const named = (await bundled('*')).exported.filter((n) => !['bsp2gltf', 'MOZLightmapPlugin', 'wave', 'coordinates'].includes(n));
check(`each of ${named.length} exports is a row of this test`, named.filter((n) => !(n in PARTS)).join());
process.exit(failures ? 1 : 0);
