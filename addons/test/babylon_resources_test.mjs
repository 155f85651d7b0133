// usage: node babylon_resources_test.mjs DIR
// Loads ten maps, one after another, into AssetContainers of one Babylon.js scene: nothing of them remains. DIR has the files of
// make_test_glb.mjs and make_reader_glb.mjs, and a map of each kind, *.map.glb. Also loads a file of --preset web, web.glb, without a
// decoder: the page must say what is missing.
import fs from 'node:fs';
import path from 'node:path';
import { openPage } from './client.mjs';

const dir = path.resolve(process.argv[2]), maps = fs.readdirSync(dir).filter((n) => /^(test|range|gamma|mirror|movements|reader)\.gl(b|tf)$|\.map\.glb$/.test(n));
let page = await openPage(320, 180);
let failures = 0;
const check = (what, wrong) => {
  console.log(wrong?.length ? `FAIL ${what}: ${wrong}` : `ok ${what}`);
  failures += wrong?.length ? 1 : 0;
};
await page.run('babylon.html', { file: `/file${dir}/test.glb`, size: '64x64', plugin: 1 });
const held = await page.evaluate(async (files) => {
  const { bsp2gltfStyles, bsp2gltfMotion } = await import('/addons/babylon/index.js'), engine = new BABYLON.Engine(document.createElement('canvas'), false), scene = new BABYLON.Scene(engine), out = [];
  scene.createDefaultCamera();
  scene.render();
  const count = () => ({ textures: scene.textures.length, internal: engine.getLoadedTexturesCache().length, materials: scene.materials.length, geometries: scene.geometries.length, meshes: scene.meshes.length, nodes: scene.transformNodes.length,
    observers: scene.onBeforeRenderObservable.observers.length + scene.onBeforeActiveMeshesEvaluationObservable.observers.length, targets: engine._renderTargetWrapperCache.length });
  const run = async (file) => {
    const [, folder, name] = /^(.*\/)([^/]*)$/.exec(file), container = await BABYLON.SceneLoader.LoadAssetContainerAsync(folder, name, scene);
    container.addAllToScene();
    for (const mesh of scene.meshes) mesh.alwaysSelectAsActiveMesh = true;
    await scene.whenReadyAsync();
    const styles = bsp2gltfStyles(scene);
    for (const style of styles.list) style.on = true;
    for (const night of [false, styles.hasNight]) {
      styles.night = night;
      await styles.update(0.3);
      bsp2gltfMotion(scene).update(0.7);
      scene.render();
    }
    const whole = count();
    container.dispose();
    scene.render();
    return whole;
  };
  await run(files.find((f) => /styles/.test(f)) ?? files[0]); // makes what is made once for an engine
  for (let i = 0; i < 10; i++) {
    const first = count(), whole = await run(files[i % files.length]);
    await new Promise((soon) => { setTimeout(soon, 50); });
    out.push([files[i % files.length], first, whole, count()]);
  }
  return out;
}, maps.map((n) => `/file${dir}/${n}`));
const leaks = held.filter(([, before, , after]) => JSON.stringify(before) !== JSON.stringify(after)).map(([file, ...states]) => `${path.basename(file)}: ${JSON.stringify(states)}`);
check(`Babylon: ten maps replaced leave nothing: at most ${Math.max(...held.map((h) => h[2].internal))} textures, ${Math.max(...held.map((h) => h[2].geometries))} geometries at a time`, leaks.join('\n  '));
await page.close();
page = await openPage(64, 64); // a new one, because Babylon looks for the decoder only once
await page.run('babylon.html', { file: `/file${dir}/test.glb`, size: '64x64', plugin: 1 });
const said = await page.evaluate(async (file) => {
  BABYLON.MeshoptCompression.Configuration = { decoder: { url: '/npm/not-installed/meshopt_decoder.cjs' } };
  const scene = new BABYLON.Scene(new BABYLON.Engine(document.createElement('canvas'), false)), [, folder, name] = /^(.*\/)([^/]*)$/.exec(file);
  return BABYLON.SceneLoader.ImportMeshAsync('', folder, name, scene).then(() => 'it is loaded', (error) => error.message);
}, `/file${dir}/web.glb`);
check('Babylon without a decoder: the error and the console say what is missing', /npm install meshoptimizer/.test(said) && page.logs.some((l) => /^error: bsp2gltf: .*npm install meshoptimizer/.test(l)) ? '' : [said, ...page.logs].join('\n  ').slice(0, 2000));
await page.close();
process.exit(failures ? 1 : 0);
