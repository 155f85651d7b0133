// usage: node patch_test.mjs DIR
// The plugin for three.js changes three's shaders by replacing texts. If a version of three lacks a text, the part that needs it must
// be left out, with one warning that names it, and everything must be drawn without it. The test renames each chunk in turn. DIR has
// the files of make_test_glb.mjs and make_reader_glb.mjs.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPage, versions } from './client.mjs';

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
for (const version of versions) {
  const { revision } = await page.run('three.html', { three: version, file: `/file${dir}/test.glb`, size: '64x64', plugin: 1 });
  const found = await page.evaluate(
    async ({ files, list }) => {
      const THREE = await import('three'),
        { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js'),
        { bsp2gltf, bsp2gltfAmbient } = await import('bsp2gltf-three');
      const camera = new THREE.PerspectiveCamera();
      // draw returns the plugin's warnings, and what can't be drawn.
      const draw = async () => {
        const renderer = new THREE.WebGLRenderer({ canvas: document.createElement('canvas') }),
          gl = renderer.getContext(),
          said = { warnings: [], errors: [] },
          warn = console.warn;
        console.warn = (...all) => said.warnings.push(all.join(' '));
        for (const lamps of [false, true])
          for (const file of files) {
            const gltf = await bsp2gltf(new GLTFLoader(), { show: true, lamps }).loadAsync(file);
            (await bsp2gltfAmbient(gltf, { probes: [{ position: [0, 0, 0], light: new Array(6).fill([1, 1, 1]) }] })).shade(gltf.scene.add(...['Standard', 'Lambert', 'Phong', 'Toon'].map((n) => new THREE.Mesh(new THREE.BoxGeometry(), new THREE[`Mesh${n}Material`]()))));
            try {
              renderer.compile(gltf.scene, camera, new THREE.Scene().add(...(lamps ? [new THREE.PointLight()] : [])));
            } catch (error) {
              said.errors.push(error.message);
            }
          }
        for (const { program, name } of renderer.info.programs)
          if (!gl.getProgramParameter(program, gl.LINK_STATUS)) said.errors.push(`${name}: ${gl.getProgramInfoLog(program)}`.slice(0, 300));
        console.warn = warn;
        renderer.dispose();
        renderer.forceContextLoss();
        return said;
      };
      const { basic, standard, lambert } = THREE.ShaderLib,
        out = { whole: await draw() };
      for (const name of list) {
        const [stage, ...text] = name.split(' '),
          key = `${stage}Shader`,
          kept = [basic[key], standard[key], lambert[key]];
        const chunk = /<(\w+)>/.exec(name)[1];
        THREE.ShaderChunk[`renamed_${chunk}`] = THREE.ShaderChunk[chunk];
        for (const shader of [basic, standard, lambert]) shader[key] = shader[key].replace(text.join(' '), `#include <renamed_${chunk}>`);
        out[name] = await draw();
        [basic[key], standard[key], lambert[key]] = kept;
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
  check(`three r${revision} has all ${Object.keys(without).length} texts`, [...whole.warnings, ...whole.errors].join());
  for (const [name, { warnings, errors }] of Object.entries(without)) {
    const text = name.split(' ').slice(1).join(' ') || name,
      right = warnings.filter((s) => /^bsp2gltf: \w+ is left out, for three r/.test(s) && (s.includes(text) || s.endsWith('to which it adds'))),
      parts = warnings.map((s) => s.replace(/ is left out.*/, ''));
    check(
      `three r${revision} without ${name}: ${[...new Set(right.map((s) => s.slice(10, s.indexOf(' is left'))))].join(', ')} left out, the rest drawn`,
      errors.length || !right.length || new Set(warnings).size !== warnings.length ? `${right.length} of ${warnings.length} warnings (${parts}), ${errors.length} errors: ${errors[0] ?? warnings[0]}` : '',
    );
  }
}
await page.close();
process.exit(failures ? 1 : 0);
