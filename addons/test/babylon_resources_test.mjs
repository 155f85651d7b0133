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
page = await openPage(64, 64);
await page.run('babylon.html', { file: `/file${dir}/test.glb`, size: '64x64', plugin: 1 });
const lamps = await page.evaluate(async (file) => {
  const { bsp2gltf } = await import('/addons/babylon/index.js'), { Engine, Scene, SceneLoader, PointLight, UniversalCamera, Vector3, GLTF2 } = BABYLON;
  const engine = new Engine(document.createElement('canvas'), false, { preserveDrawingBuffer: true }), [, folder, name] = /^(.*\/)([^/]*)$/.exec(file);
  engine.setSize(64, 64);
  const draw = async (options, light) => {
    bsp2gltf(GLTF2.GLTFLoader, options);
    const scene = new Scene(engine);
    await SceneLoader.ImportMeshAsync('', folder, name, scene);
    const start = scene.getNodes().find((n) => /^info_player/.test(n.metadata?.gltf?.extras?.classname)), camera = new UniversalCamera('eye', start.getAbsolutePosition().add(new Vector3(0, 1, 0)), scene);
    camera.minZ = 0.05;
    if (light) new PointLight('lamp', camera.position.clone(), scene).intensity = light;
    await scene.whenReadyAsync();
    scene.render();
    scene.render();
    const pixels = await engine.readPixels(0, 0, 64, 64);
    scene.dispose();
    return [...pixels];
  };
  return [await draw({}, 0), await draw({}, 100), await draw({ lamps: true }, 0), await draw({ lamps: true }, 100)];
}, `/file${dir}/demo.map.glb`);
const apart = (a, b) => a.reduce((sum, v, i) => sum + Math.abs(v - b[i]), 0) / (a.length * 0.75), [plain, unmoved, dark, lit] = lamps;
check(`Babylon: with lamps the map looks as without until a lamp shines: ${apart(plain, dark).toFixed(2)} and ${apart(dark, lit).toFixed(2)} of 255 apart, without the option ${apart(plain, unmoved).toFixed(2)}`,
  apart(plain, dark) > 0.5 || apart(dark, lit) < 10 || apart(plain, unmoved) > 0 || lit.some((v, i) => v < dark[i] - 2) ? 'no' : '');
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
