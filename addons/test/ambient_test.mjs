// usage: node ambient_test.mjs FILE.glb
// Tests the light from the grid, from probes and from floors: ../three/ambient.js in a page with three.js, and ../babylon/ambient.js in
// one with Babylon.js. FILE.glb is any file that three.html and babylon.html can show.
import path from 'node:path';
import { openPage } from './client.mjs';

// Two floors, the first a metre along X within the file: 4 x 4 metres, lit by the lightmap's first texel; and another one 3 metres
// above half of it, lit by the last texel, which is red.
const FLOORS = { positions: [0, 0, 0, 0, 0, 4, 4, 0, 4, 4, 0, 0, 0, 3, 0, 0, 3, 4, 2, 3, 4, 2, 3, 0], uv: [...new Array(8).fill(0.25), ...new Array(8).fill(0.75)],
  indices: [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7], page: ['rgb(188,188,188)', 'black', 'black', 'rgb(255,0,0)'] };
const page = await openPage(64, 64);
await page.run('three.html', { file: `/file${path.resolve(process.argv[2])}`, size: '64x64', eye: '0,0,0', plugin: 1 });
const found = await page.evaluate(async (FLOORS) => {
  const { bsp2gltfAmbient } = await import('/addons/three/ambient.js'), { BufferAttribute, BufferGeometry, CanvasTexture, Group, LightProbe, Mesh, MeshBasicMaterial, Vector3 } = await import('three');
  const canvas = Object.assign(document.createElement('canvas'), { width: 2, height: 2 }), context = canvas.getContext('2d');
  FLOORS.page.forEach((color, i) => { context.fillStyle = color; context.fillRect(i % 2, i >> 1, 1, 1); });
  const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(FLOORS.positions), 3)).setAttribute('uv1', new BufferAttribute(new Float32Array(FLOORS.uv), 2)).setIndex(FLOORS.indices);
  const map = Object.assign(new CanvasTexture(canvas), { channel: 1 }), floor = new Mesh(geometry, new MeshBasicMaterial({ lightMap: map, lightMapIntensity: 2 * Math.PI })), scene = new Group().add(floor);
  floor.position.x = 1;
  scene.position.z = 100; // the map may be anywhere in the scene
  const floors = await bsp2gltfAmbient({ scene, scenes: [scene] }), floorAt = (...p) => floors.light(new Vector3(...p)).on(new Vector3(0, 0, 1)).toArray();
  const bytes = (A, list) => new BufferAttribute(new A(list), 3, true);
  // Samples a metre apart along X: the first has 188, which is 0.503 linear, from above; the second is inside a wall; the third, at 2
  // metres, is darker.
  const accessors = [bytes(Uint8Array, [0, 0, 0, 0, 0, 0, 188, 188, 188]), bytes(Uint8Array, [188, 0, 0, 0, 0, 0, 0, 0, 0]), bytes(Int8Array, [0, 127, 0, 0, 0, 0, 0, 0, 0])];
  const gltf = { parser: { getDependency: async (_, i) => accessors[i] }, scene: { userData: { bsp2gltf_light_grid: {
    origin: [0, 0, 0], size: [3, 1, 1], steps: [[1, 0, 0], [0, 0, -1], [0, 1, 0]], ambient: 0, directed: 1, toward: 2 } } } };
  const scaled = structuredClone(gltf.scene.userData);
  scaled.bsp2gltf_light_grid.scale = 2.5;
  const game = structuredClone(gltf.scene.userData);
  game.bsp2gltf_light_grid.shown = { albedo: 1, exponent: 1, share: 0.6, least: 0.1 };
  const models = (await bsp2gltfAmbient({ ...gltf, scene: { userData: game } })).light(new Vector3()), on = (...n) => models.on(new Vector3(...n)).toArray();
  const bright = await bsp2gltfAmbient({ ...gltf, scene: { userData: scaled } });
  const grid = await bsp2gltfAmbient(gltf), shown = (probe, n) => { // like three's shader: irradiance / π
    const c = probe.sh.coefficients;
    return ['x', 'y', 'z'].map((k) => (0.886227 * c[0][k] + 1.023328 * (c[1][k] * n[1] + c[2][k] * n[2] + c[3][k] * n[0])) / Math.PI);
  };
  const at = (x) => grid.probe(new Vector3(x, 0, 0), new LightProbe());
  const side = (a) => [a, a, a], probes = await bsp2gltfAmbient({ scene: { userData: {} } }, { probes: [
    { position: [9, 0, 0], light: [1, 1, 1, 1, 1, 1].map(side) }, { position: [0, 0, 0], light: [0, 0, 0.8, 0.4, 0, 0].map(side) }] });
  // Probes in the file are fractions of the brightest side.
  const lists = [new BufferAttribute(Float32Array.of(9, 0, 0, 0, 0, 0), 3), new BufferAttribute(Uint16Array.from([1, 1, 1, 1, 1, 1, 0, 0, 1, 0.5, 0, 0].flatMap((v) => side(v * 65535))), 3, true)];
  const packed = await bsp2gltfAmbient({ parser: { getDependency: async (_, i) => lists[i] }, scene: { userData: { bsp2gltf_light_probes: { position: 0, light: 1, scale: 0.8 } } } });
  // Probes state their map. Probes of another map are ignored.
  const one = [{ position: [0, 0, 0], light: [1, 1, 1, 1, 1, 1].map(side) }], said = [];
  console.warn = (text) => said.push(text);
  const stated = async (own, map) => (await bsp2gltfAmbient({ scene: { userData: own ? { bsp2gltf_map_sha256: own } : {} } }, { map, probes: one })) !== null;
  const maps = [await stated('a', 'a'), await stated('', undefined), await stated('a', undefined), await stated('a', 'b'), await stated('', 'b')];
  return {
    floors: [...floorAt(2, 1.5, 1), ...floorAt(2, 9, 1), ...floorAt(4.5, 9, 1), ...floorAt(50, 1, 1)], sources: [floors, grid, probes].map((a) => a.source).join(),
    maps, said, models: [...on(0, 1, 0), ...on(0, 0.5, Math.sqrt(0.75)), ...models.all.toArray()],
    up: shown(at(0), [0, 1, 0]), down: shown(at(0), [0, -1, 0]), wall: shown(at(0.5), [0, 1, 0]), far: shown(at(7), [1, 0, 0]),
    exact: grid.light(new Vector3()).on(new Vector3(0, 1, 0)).toArray(), brightExact: bright.light(new Vector3()).on(new Vector3(0, 1, 0)).toArray(),
    sides: probes.light(new Vector3()).on(new Vector3(0.6, 0.8, 0)).toArray(),
    bright: shown(bright.probe(new Vector3(0, 0, 0), new LightProbe()), [0, 1, 0]), packed: shown(packed.probe(new Vector3(1, 0, 0)), [0, 1, 0]), probe: shown(probes.probe(new Vector3(1, 0, 0)), [0, 1, 0]), none: await bsp2gltfAmbient({ scene: { userData: {} } }),
  };
}, FLOORS);
await page.run('babylon.html', { file: `/file${path.resolve(process.argv[2])}`, size: '64x64', eye: '0,0,0', plugin: 1 });
const babylon = await page.evaluate(async (FLOORS) => {
  /* global BABYLON */
  const { bsp2gltfAmbient } = await import('/addons/babylon/index.js'), { Engine, MeshBuilder, PBRMaterial, StandardMaterial, Scene, SceneLoader, UniversalCamera, Vector3, Color3, Color4 } = BABYLON;
  const engine = new Engine(document.createElement('canvas'), false, { preserveDrawingBuffer: true });
  engine.setSize(64, 64);
  // load returns a scene made from a file with these extras and byte accessors of fractions of 1.
  const load = async (extras, lists) => {
    const bytes = lists.flat(), accessors = [], bufferViews = [];
    let from = 0;
    for (const list of lists) {
      bufferViews.push({ buffer: 0, byteOffset: from, byteLength: list.length });
      accessors.push({ bufferView: bufferViews.length - 1, componentType: list.some((v) => v < 0) ? 5120 : 5121, normalized: true, count: list.length / 3, type: 'VEC3' });
      from += list.length;
    }
    const buffers = lists.length ? { buffers: [{ byteLength: from, uri: `data:application/octet-stream;base64,${btoa(String.fromCharCode(...bytes.map((v) => v & 255)))}` }], bufferViews, accessors } : {};
    const scene = new Scene(engine), json = { asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0], extras }], nodes: [{ name: 'a' }], ...buffers };
    scene.clearColor = new Color4(0, 0, 0, 1);
    await SceneLoader.ImportMeshAsync('', '', `data:${JSON.stringify(json)}`, scene, null, '.gltf');
    return scene;
  };
  const canvas = Object.assign(document.createElement('canvas'), { width: 2, height: 2 }), context = canvas.getContext('2d');
  FLOORS.page.forEach((color, i) => { context.fillStyle = color; context.fillRect(i % 2, i >> 1, 1, 1); });
  const bytes = [...new Uint8Array(new Float32Array([...FLOORS.positions, ...FLOORS.uv]).buffer), ...new Uint8Array(new Uint16Array(FLOORS.indices).buffer)];
  const level = new Scene(engine), file = { asset: { version: '2.0' }, extensionsUsed: ['MOZ_lightmap'], scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0, translation: [1, 0, 0] }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_1: 1 }, indices: 2, material: 0 }] }], materials: [{ extensions: { MOZ_lightmap: { index: 0, texCoord: 1, intensity: 2 } } }],
    textures: [{ source: 0, sampler: 0 }], samplers: [{ magFilter: 9729, minFilter: 9729, wrapS: 33071, wrapT: 33071 }], images: [{ uri: canvas.toDataURL() }],
    buffers: [{ byteLength: bytes.length, uri: `data:application/octet-stream;base64,${btoa(String.fromCharCode(...bytes))}` }],
    bufferViews: [{ buffer: 0, byteLength: 96 }, { buffer: 0, byteOffset: 96, byteLength: 64 }, { buffer: 0, byteOffset: 160, byteLength: 24 }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 8, type: 'VEC3', min: [0, 0, 0], max: [4, 3, 4] }, { bufferView: 1, componentType: 5126, count: 8, type: 'VEC2' }, { bufferView: 2, componentType: 5123, count: 12, type: 'SCALAR' }] };
  await SceneLoader.ImportMeshAsync('', '', `data:${JSON.stringify(file)}`, level, null, '.gltf');
  const floors = await bsp2gltfAmbient(level), floorAt = (x, y, z) => floors.light(new Vector3(-x, y, z)).on(new Vector3(0, 0, 1)); // Babylon's x points the other way
  // As above, but with light from the file's +X, which is Babylon's -x.
  const grid = { origin: [0, 0, 0], size: [3, 1, 1], steps: [[1, 0, 0], [0, 0, -1], [0, 1, 0]], ambient: 0, directed: 1, toward: 2, scale: 2.5 };
  const game = { ...grid, scale: 1, shown: { albedo: 1, exponent: 1, share: 0.6, least: 0.1 } };
  const lists = [[0, 0, 0, 0, 0, 0, 188, 188, 188], [0, 188, 0, 0, 0, 0, 0, 0, 0], [127, 0, 0, 0, 0, 0, -1, 0, 0]];
  const scene = await load({ bsp2gltf_light_grid: grid }, lists), ambient = await bsp2gltfAmbient(scene);
  const models = (await bsp2gltfAmbient(await load({ bsp2gltf_light_grid: game }, lists))).light(new Vector3(0, 0, 0));
  const at = ambient.light(new Vector3(0, 0, 0)), way = new Vector3(-0.6, 0.8, 0);
  // draw returns the colour of a wall in front of the camera, which looks along Z; the wall is rotated about the vertical.
  const draw = async (world, x, light, turn) => {
    const wall = MeshBuilder.CreatePlane('wall', { size: 0.5 }, world), material = new PBRMaterial('wall', world);
    Object.assign(material, { albedoColor: new Color3(0.25, 0.5, 0.5), metallic: 0, roughness: 1 });
    Object.assign(wall, { material: light.shade(material), position: new Vector3(x, 0, 0) });
    wall.rotation.y = turn;
    const camera = new UniversalCamera('eye', new Vector3(x, 0, -1), world);
    camera.setTarget(new Vector3(x, 0, 0));
    Object.assign(camera, { minZ: 0.01 });
    world.activeCamera = camera;
    await world.whenReadyAsync();
    world.render();
    world.render();
    const pixel = await engine.readPixels(32, 32, 1, 1);
    wall.dispose();
    return [...pixel.slice(0, 3)];
  };
  const side = (a) => [a, a, a], probes = { probes: [
    { position: [9, 0, 0], light: [1, 1, 1, 1, 1, 1].map(side) }, { position: [0, 0, 0], light: [0, 0, 0.8, 0.4, 0, 0.6].map(side) }] };
  const plain = await load({ bsp2gltf_exposure: 0.5, bsp2gltf_map_sha256: 'a' }, []), probed = await bsp2gltfAmbient(plain, probes);
  const packed = await bsp2gltfAmbient(await load({ bsp2gltf_light_probes: { position: 0, light: 1, scale: 0.8 } }, [[255, 0, 0, 0, 0, 0], [...new Array(18).fill(255), ...[0, 0, 255, 127.5, 0, 0].flatMap(side).map(Math.round)]]));
  const said = [], { warn } = console;
  console.warn = (text) => said.push(text);
  const other = await bsp2gltfAmbient(plain, { ...probes, map: 'b' }), none = await bsp2gltfAmbient(plain), same = await bsp2gltfAmbient(plain, { ...probes, map: 'a' });
  console.warn = warn;
  let refused = '';
  try { ambient.shade(new StandardMaterial('plain', scene)); } catch (error) { refused = error.message; }
  return {
    models: models.on(new Vector3(-0.5, Math.sqrt(0.75), 0)), on: at.on(way), all: at.all, axis: at.way[0], wall: ambient.light(new Vector3(-0.5, 0, 0)).on(way), far: ambient.light(new Vector3(-7, 0, 0)).on(new Vector3(0, 1, 0)),
    sides: probed.light(new Vector3(0, 0, 0)).on(new Vector3(0.6, 0.8, 0)), packed: packed.light(new Vector3(0, 0, 0)).on(new Vector3(0, 1, 0)),
    seen: await draw(scene, 0, ambient, Math.PI / 4), edge: await draw(scene, -7, ambient, 0), lit: await draw(plain, 0, probed, 0),
    maps: [other, none, same].map((v) => Number(v !== null)), said, refused,
    floors: [...floorAt(2, 1.5, 1), ...floorAt(2, 9, 1), ...floorAt(4.5, 9, 1), ...floorAt(50, 1, 1)], sources: [floors, ambient, probed].map((a) => a.source).join(),
  };
}, FLOORS);
if (page.logs.length) console.log(page.logs.join('\n'));
await page.close();
let failures = 0;
const check = (name, got, want) => {
  const ok = want.every((v, k) => Math.abs(got[k] - v) < 2e-3);
  console.log(`${ok ? 'ok' : 'FAIL'} ambient: ${name}${ok ? '' : `: ${got}, want ${want}`}`);
  failures += !ok;
};
check('light from above on a floor', found.up, [0.75 * 0.5029, 0, 0]);
check('light from above on a ceiling', found.down, [-0.25 * 0.5029, 0, 0]);
check('samples in walls do not count', found.wall, found.up);
check('beyond the grid its edge counts', found.far, [0.5029, 0.5029, 0.5029]);
check('a scale multiplies the light', found.bright, [2.5 * 0.75 * 0.5029, 0, 0]);
check('exactly, by the normal', found.exact, [0.5029, 0, 0]);
check('exactly, with a scale', found.brightExact, [2.5 * 0.5029, 0, 0]);
// Red: 188 is 0.7373 in display space; added to 0.1 are 0.8373 and 0.4686, which are 0.6692 and 0.1863 linear; 0.1 is 0.0100.
check('as the game shows it on models', found.models, [0.6692, 0.01, 0.01, 0.1863, 0.01, 0.01, 0.01 + 0.25 * (0.6692 - 0.01), 0.01, 0.01]);
check('exactly, of a probe', found.sides, [0.8 * 0.64, 0.8 * 0.64, 0.8 * 0.64]);
check('the nearest probe', found.probe, [0.2 + 0.375 * 0.4, 0.2 + 0.375 * 0.4, 0.2 + 0.375 * 0.4]);
check('the nearest probe of the file', found.packed, found.probe);
check('probes that state no other map', found.maps.map(Number), [1, 1, 1, 0, 0]);
check('a warning for each that does', [found.said.length, found.said.filter((s) => s.includes('another map')).length], [2, 2]);
// Above a floor, and where no floor is below: the mean of 16 square metres of one floor and 8 of the other.
const LOW = 2 * 0.5029, on = [LOW, LOW, LOW, 2, 0, 0, LOW, LOW, LOW, (16 * LOW + 8 * 2) / 24, (16 * LOW) / 24, (16 * LOW) / 24];
check('the floor below', found.floors, on);
check('Babylon: the floor below', babylon.floors, on);
check('where light is from', [found.sources, babylon.sources].map((s) => Number(s === 'floors,grid,probes')), [1, 1]);
const LIGHT = 2.5 * 0.5029;
check('Babylon: exactly, by the normal, in the scene\'s axes', babylon.on, [0, 0.6 * LIGHT, 0]);
check('Babylon: as the game shows it on models', babylon.models, [0.01, 0.1863, 0.01]);
check('Babylon: from everywhere, and along an axis', [...babylon.all, ...babylon.axis], [0, LIGHT / 4, 0, 0, -LIGHT / 2, 0]);
check('Babylon: samples in walls do not count', babylon.wall, babylon.on);
check('Babylon: beyond the grid its edge counts', babylon.far, [LIGHT, LIGHT, LIGHT]);
check('Babylon: exactly, of a probe', babylon.sides, [0.8 * 0.64, 0.8 * 0.64, 0.8 * 0.64]);
check('Babylon: the nearest probe of the file', babylon.packed, [0.8, 0.8, 0.8]);
check('Babylon: probes of another map, none, and its own', babylon.maps, [0, 0, 1]);
check('Babylon: a warning, and a refusal', [babylon.said.length, Number(/another map/.test(babylon.said[0])), Number(/needs a PBRMaterial, not a StandardMaterial/.test(babylon.refused))], [1, 1, 1]);
const shown = (v) => 255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * Math.min(v, 1) ** (1 / 2.4) - 0.055), wrong = (got, want) => got.map((v, k) => Number(Math.abs(v - want[k]) > 2));
check(`Babylon: a wall in the light of the grid, ${babylon.seen}`, wrong(babylon.seen, [0, shown(0.5 * LIGHT * Math.SQRT1_2), 0]), [0, 0, 0]);
check(`Babylon: another, where the light is another, ${babylon.edge}`, wrong(babylon.edge, [0.25, 0.5, 0.5].map((v) => shown(v * LIGHT))), [0, 0, 0]);
check(`Babylon: in the light of a probe, exposed, ${babylon.lit}`, wrong(babylon.lit, [0.25, 0.5, 0.5].map((v) => shown(v * 0.6 * 0.5))), [0, 0, 0]);
if (found.none !== null) failures++;
process.exitCode = failures ? 1 : 0;
