// usage: node parts_test.mjs
// A bundler includes only those parts of bsp2gltf-three that are imported, and the door includes all files of the package.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { require } from './client.mjs';

const home = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'three'),
  { build } = require('esbuild');
// The files that each part needs.
const SHADER = ['patch'],
  TEXTURED = ['gather', 'patch', 'places'];
const PARTS = {
  bsp2gltfLightmaps: ['baked', 'light', 'patch', 'places'],
  hidePunctualLights: ['light'],
  BakedMaterial: ['baked', 'patch', 'places'],
  bsp2gltfBlend: ['blend', ...TEXTURED],
  bsp2gltfDetails: ['details', 'modes', ...TEXTURED],
  bsp2gltfDirected: ['directed', ...TEXTURED],
  bsp2gltfSecond: ['second', 'gather', 'patch'],
  bsp2gltfEnvironment: ['environment', ...TEXTURED],
  bsp2gltfFog: ['fog', ...SHADER],
  bsp2gltfExposure: ['exposure', 'gather', ...SHADER],
  bsp2gltfGamma: ['gamma', 'gather', ...SHADER],
  bsp2gltfShow: ['show', 'gather', ...SHADER],
  bsp2gltfMerge: ['merge'],
  bsp2gltfSky: ['sky', ...SHADER],
  bsp2gltfSprites: ['sprites', 'squares', 'gather', ...SHADER],
  bsp2gltfHidden: ['hidden'],
  bsp2gltfVariants: ['variants', 'gather'],
  bsp2gltfLevels: ['levels'],
  bsp2gltfStyles: ['styles', 'sheets', 'mix', 'gather', ...SHADER],
  bsp2gltfMotion: ['motion', 'waves', 'acts', 'hover', ...SHADER],
  bsp2gltfAmbient: ['ambient', 'grid'],
};

// bundled returns what is exported, the names of the files of which a bundle of these exports has anything, and its size.
async function bundled(names) {
  const {
    metafile: { outputs },
  } = await build({
    stdin: { contents: `export ${names} from ${JSON.stringify(path.join(home, 'index.js'))};`, resolveDir: home },
    bundle: true,
    minify: true,
    format: 'esm',
    external: ['three'],
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
  scripts = fs.readdirSync(home).filter((n) => n.endsWith('.js'));
check(
  `bsp2gltf: ${all.bytes} bytes of ${all.files.length} files`,
  scripts
    .map((n) => path.basename(n, '.js'))
    .filter((n) => !all.files.includes(n) && n !== 'index')
    .join(),
);
for (const name of ['three', 'babylon']) {
  const folder = path.join(home, '..', name),
    [{ files }] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })),
    packed = files.map((f) => f.path),
    missing = fs.readdirSync(folder).filter((n) => /\.(js|ts|html)$/.test(n) && !packed.includes(n));
  check(`bsp2gltf-${name} has all of its files`, missing.join());
}
const read = (folder, n) => fs.readFileSync(path.join(home, '..', folder, n), 'utf8');
for (const name of ['grid.js', 'modes.js', 'sheets.js', 'squares.js', 'waves.js']) check(`${name} is the same in both packages`, read('three', name) === read('babylon', name) ? '' : 'it differs');
const named = (await bundled('*')).exported.filter((n) => !['bsp2gltf', 'MOZLightmapPlugin', 'wave', 'coordinates'].includes(n));
check(`each of ${named.length} exports is a row of this test`, named.filter((n) => !(n in PARTS)).join());
process.exit(failures ? 1 : 0);
