// usage: node patch_test.mjs DIR
// The plugin for three.js changes three's shaders by texts that it looks for. Where a version of three lacks one, drawing must fail with an
// error that names it: each text is taken out of the shaders in turn. DIR has the files of make_test_glb.mjs and make_reader_glb.mjs.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPage } from './client.mjs';

const dir = path.resolve(process.argv[2]),
  home = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'three');
const texts = fs
  .readdirSync(home)
  .filter((n) => n.endsWith('.js'))
  .flatMap((n) => {
    const code = fs.readFileSync(path.join(home, n), 'utf8');
    return [...code.matchAll(/\breplace\(\s*shader,\s*'(vertex|fragment)',\s*'(#include <\w+>)'/g)].map(([, stage, text]) => `${stage} ${text}`);
  });
const unlooked = fs
  .readdirSync(home)
  .filter(
    (n) => n.endsWith('.js') && /Shader(\s*=[^>]*)?\.replace|Shader\)?`\s*\.replace/.test(fs.readFileSync(path.join(home, n), 'utf8')),
  );
let failures = 0;
const check = (what, wrong) => {
  console.log(wrong ? `FAIL ${what}: ${wrong}` : `ok ${what}`);
  failures += wrong ? 1 : 0;
};
check('shaders are changed by replace of patch.js alone', unlooked.join());

const page = await openPage(64, 64);
for (const version of ['three-177', 'three']) {
  const { revision } = await page.run('three.html', { three: version, file: `/file${dir}/test.glb`, size: '64x64', plugin: 1 });
  const found = await page.evaluate(
    async ({ files, list }) => {
      const THREE = await import('three'),
        { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js'),
        { bsp2gltf } = await import('bsp2gltf-three');
      const renderer = new THREE.WebGLRenderer({ canvas: document.createElement('canvas') }),
        camera = new THREE.PerspectiveCamera();
      const draw = async () => {
        const said = [];
        for (const file of files) {
          const gltf = await bsp2gltf(new GLTFLoader(), { show: true }).loadAsync(file);
          for (const object of gltf.scene.children) {
            // each by itself, as the first error ends the drawing
            if (object.isLight) continue;
            try {
              renderer.compile(object, camera, new THREE.Scene());
            } catch (error) {
              said.push(error.message);
            }
          }
        }
        return said;
      };
      const { basic, standard } = THREE.ShaderLib,
        out = { whole: await draw() };
      for (const name of list) {
        const [stage, ...text] = name.split(' '),
          key = `${stage}Shader`,
          kept = [basic[key], standard[key]];
        for (const shader of [basic, standard]) shader[key] = shader[key].replace(text.join(' '), '');
        out[name] = await draw();
        [basic[key], standard[key]] = kept;
      }
      for (const chunk of ['map_fragment', 'emissivemap_fragment']) {
        const kept = THREE.ShaderChunk[chunk];
        THREE.ShaderChunk[chunk] = kept.replaceAll('DECODE_VIDEO_TEXTURE', 'DECODE_MOVIE');
        out[chunk] = await draw();
        THREE.ShaderChunk[chunk] = kept;
      }
      return out;
    },
    { files: ['test.glb', 'range.glb', 'gamma.glb', 'mirror.glb', 'reader.gltf'].map((n) => `/file${dir}/${n}`), list: [...new Set(texts)] },
  );
  const { whole, ...without } = found;
  check(`three r${revision} has all ${Object.keys(without).length} texts`, whole.join());
  for (const [name, said] of Object.entries(without)) {
    const text = name.split(' ').slice(1).join(' ') || name,
      right = said.filter((s) => s.startsWith(`bsp2gltf: three r${revision} is not supported: there is no "`) && s.includes(text));
    check(
      `three r${revision} without ${name} is refused`,
      right.length && right.length === said.length ? '' : `${said.length} errors: ${said[0]}`,
    );
  }
}
await page.close();
process.exit(failures ? 1 : 0);
