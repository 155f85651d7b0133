// usage: node three_test.mjs DIR
// Renders DIR/test.glb with several versions of three.js, and compares pixels with DIR/test.json. With the plugin they must be equal.
// Without it, nearly all lit pixels must differ.
import fs from 'node:fs';
import path from 'node:path';
import { differences, openPage, versions } from './client.mjs';

const TOLERANCE = 3;
const dir = process.argv[2];
const { width, height, samples: plain, display, moved, shaded, filtered, turned, ranged, hazed, dipped, brightened, exposed, veiled, mirrored, acted } = JSON.parse(fs.readFileSync(path.join(dir, 'test.json')));
const samples = [...plain, ...display].filter((s) => !s.lenient), lit = samples.filter((s) => s.lit);
const file = `/file${path.resolve(dir, 'test.glb')}`, range = `/file${path.resolve(dir, 'range.glb')}`, mirror = `/file${path.resolve(dir, 'mirror.glb')}`, movements = `/file${path.resolve(dir, 'movements.glb')}`;
const page = await openPage(width, height);
let failures = 0;

const pixels = async (version, at, more) => {
  const found = await page.run('three.html', { three: version, file, size: `${width}x${height}`, at: JSON.stringify(at.map((s) => [s.x, s.y])), ...more });
  return { found, wrong: differences(at, found.pixels, TOLERANCE) };
};
const check = (what, wrong) => {
  console.log(wrong.length ? `FAIL ${what}\n  ${wrong.join('\n  ')}` : `ok ${what}`);
  failures += wrong.length;
};

for (const version of versions) {
  const { found, wrong } = await pixels(version, samples, { plugin: 1 });
  const name = `three r${found.revision}`;
  await page.screenshot(path.join(dir, `three-r${found.revision}.png`));
  check(`${name}: ${samples.length} pixels within ${TOLERANCE}`, wrong);
  check(`${name}: nothing on the console`, page.logs.filter((l) => !/^(warning|warn): .*deprecated/i.test(l)));
  check(`${name}: the file's light is hidden`, found.visibleLights === 0 && found.lights === 1 ? [] : [`${found.visibleLights} of ${found.lights} visible`]);
  check(`${name}: entity keys`, found.entities.info_player_start?.OnUse === 'door,Open,,0,-1' ? [] : [JSON.stringify(found.entities)]);
  check(`${name}: ${shaded.length} pixels of detail textures and of fog`, (await pixels(version, shaded, { plugin: 1 })).wrong);
  check(`${name}: ${filtered.length} pixels between texels, filtered as displayed`, (await pixels(version, filtered, { plugin: 1 })).wrong);
  check(`${name}: ${turned.length} pixels of light with a direction`, (await pixels(version, turned, { plugin: 1 })).wrong);
  const still = (await pixels(version, turned, { plugin: 1, options: '{"directed":false}' })).wrong;
  check(`${name}: directed: false leaves light as on flat surfaces`, still.length > 3 ? [] : [`only ${still.length} of ${turned.length} pixels differ`]);
  const detailed = shaded.filter((s) => s.name.startsWith('details')), plain = (await pixels(version, detailed, { plugin: 1, options: '{"details":false}' })).wrong;
  check(`${name}: details: false leaves detail textures out`, plain.length === detailed.length ? [] : [`only ${plain.length} of ${detailed.length} pixels differ`]);
  check(`${name}: ${ranged.length} pixels with fog by distance`, (await pixels(version, ranged, { plugin: 1, file: range })).wrong);
  check(`${name}: ${hazed.length} pixels with exponential fog`, (await pixels(version, hazed, { plugin: 1, file: range.replace('range.glb', 'haze.glb') })).wrong);
  check(`${name}: ${dipped.length} pixels seen from inside water`, (await pixels(version, dipped, { plugin: 1, file: range.replace('range.glb', 'dip.glb') })).wrong);
  const gamma = { plugin: 1, file: range.replace('range.glb', 'gamma.glb') };
  check(`${name}: ${brightened.length} pixels with a display's gamma`, (await pixels(version, brightened, gamma)).wrong);
  check(`${name}: gamma: false leaves it`, (await pixels(version, hazed, { ...gamma, options: '{"gamma":false}' })).wrong);
  check(`${name}: ${veiled.length} pixels behind the surface of a fog, from inside`, (await pixels(version, veiled, { plugin: 1, file: range.replace('range.glb', 'inside.glb') })).wrong);
  const brighter = { plugin: 1, file: range.replace('range.glb', 'exposure.glb') };
  check(`${name}: ${exposed.length} pixels exposed as the file says`, (await pixels(version, exposed, brighter)).wrong);
  check(`${name}: exposure: false leaves it`, (await pixels(version, exposed.map((d) => ({ ...d, rgb: d.clear })), { ...brighter, options: '{"exposure":false}' })).wrong);
  check(`${name}: ${mirrored.length} pixels of what reflects or multiplies`, (await pixels(version, mirrored, { plugin: 1, file: mirror })).wrong);
  const dull = (await pixels(version, mirrored, { plugin: 1, file: mirror, options: '{"environment":false}' })).wrong;
  check(`${name}: environment: false reflects nothing`, dull.length > 9 ? [] : [`only ${dull.length} of ${mirrored.length} pixels differ`]);
  check(`${name}: a lamp adds nothing`, (await pixels(version, samples, { plugin: 1, lamp: 1 })).wrong);
  // A lit mirror shows its surroundings, which are empty here.
  const same = samples.filter((s) => !/^(no_uv1|mirror|display)/.test(s.name));
  check(`${name}: lit, with no lamp, is the same`, (await pixels(version, same, { plugin: 1, options: '{"lit":true}' })).wrong);
  check(`${name}: ${moved.length} pixels of what moves, after half a second`, (await pixels(version, moved, { plugin: 1, time: 0.5 })).wrong);
  for (const [state, more] of [['rest', {}], ['start', { time: 1 }], ['open', { time: 1, play: 'door open' }], ['open', { time: 1, play: 'door' }]]) {
    check(`${name}: movements, ${state}${more.play ? ` by ${more.play}` : ''}`, (await pixels(version, acted[state], { plugin: 1, file: movements, ...more })).wrong);
  }
  check(`${name}: merge and show change no pixel`, [...(await pixels(version, samples, { plugin: 1, options: '{"merge":true,"show":true}' })).wrong,
    ...(await pixels(version, mirrored, { plugin: 1, file: mirror, options: '{"merge":true,"show":true}' })).wrong, ...(await pixels(version, acted.start, { plugin: 1, file: movements, time: 1, options: '{"merge":true}' })).wrong]);
  const bent = display.filter((s) => s.lit), linear = (await pixels(version, bent, { plugin: 1, options: '{"display":false}' })).wrong;
  check(`${name}: display: false multiplies in linear light`, linear.length > bent.length * 0.6 ? [] : [`only ${linear.length} of ${bent.length} pixels differ`]);
  const without = (await pixels(version, lit, {})).wrong;
  check(`${name}: without the plugin the light is not there`, without.length > lit.length * 0.9 ? [] : [`only ${without.length} of ${lit.length} pixels differ`]);
}
// Glows of Half-Life keep their size on the screen, and get weaker with distance.
const glow = await page.evaluate(async () => {
  const { Group, Mesh, MeshBasicMaterial, PerspectiveCamera, PlaneGeometry, Vector3 } = await import('three'), { bsp2gltfSprites } = await import('/addons/three/index.js');
  const scene = new Group(), mesh = new Mesh(new PlaneGeometry(), new MeshBasicMaterial({ opacity: 0.1 })), camera = new PerspectiveCamera();
  Object.assign(scene.userData, { bsp2gltf_unit: 0.5 });
  Object.assign(mesh.userData, { bsp2gltf_sprite: true, faces_viewer: true, glow: true });
  bsp2gltfSprites({ scene: scene.add(mesh), scenes: [scene] });
  return [200, 400].flatMap((z) => { // 400 and 800 units away
    camera.position.z = z;
    scene.updateMatrixWorld();
    camera.updateMatrixWorld();
    mesh.onBeforeRender(null, null, camera);
    return [new Vector3().setFromMatrixScale(mesh.matrixWorld).x, mesh.material.opacity];
  });
});
check('glows grow with the distance and get weaker', [2, 0.1, 4, 0.05 / 1.1875].every((v, k) => Math.abs(v - glow[k]) < 1e-6) ? [] : [String(glow)]);
// Movements of an object run one after another, and all can be put at rest again.
const played = await page.evaluate(async (file) => {
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js'), { bsp2gltfMotion } = await import('/addons/three/motion.js');
  const { MeshoptDecoder } = await import('three/addons/libs/meshopt_decoder.module.js'); // gltf-transform compresses the file
  const { Bone, BufferGeometry, Group, MeshBasicMaterial, Skeleton, SkinnedMesh } = await import('three');
  const gltf = await new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).loadAsync(file), motion = await bsp2gltfMotion(gltf), door = gltf.scene.getObjectByName('door'), heights = [];
  const lamp = gltf.scene.getObjectByName('lamp'), lift = gltf.scene.getObjectByName('lift');
  // A skinned mesh is at the root; its bones are below the door.
  const bones = [new Bone(), new Bone()], skin = new SkinnedMesh(new BufferGeometry(), new MeshBasicMaterial());
  door.add(new Group().add(bones[0].add(bones[1])));
  gltf.scene.add(new Group().add(skin));
  skin.bind(new Skeleton(bones));
  const names = [door, door, 'door open', skin, lamp, gltf.scene, 'nothing'].map((what) => motion.play(what)?.name ?? null);
  motion.still();
  for (const time of [0, 0.5, 1.5, 2.5]) {
    motion.update(time);
    heights.push(lift.position.y);
  }
  motion.play(door);
  motion.update(3);
  heights.push(door.position.y);
  motion.update(9);
  heights.push(door.position.y);
  motion.still();
  motion.calm = true; // the door moves, but not what moves by itself
  motion.play('door open');
  motion.update(0.5);
  const calm = [door.position.y, lift.position.y, motion.playing];
  motion.update(9);
  calm.push(motion.playing);
  motion.still();
  motion.calm = false;
  motion.update(1);
  calm.push(lift.position.y, motion.moves);
  motion.still();
  return { calm, movements: motion.movements.map((a) => [a.name, a.object.name, a.act, a.loops, a.seconds].join()), names, heights: [...heights, door.position.y, lift.position.y] };
}, movements);
check('movements are listed', JSON.stringify(played.movements) === '["door open,door,open,false,1","door close,door,close,false,1","lift cycle,lift,cycle,true,2","leaf open,leaf,open,false,1","leaf close,leaf,close,false,1"]' ? [] : [JSON.stringify(played.movements)]);
check('an object\'s movements follow each other', JSON.stringify(played.names) === '["door open","door close","door open","door close","lift cycle",null,null]' ? [] : [JSON.stringify(played.names)]);
check('the start loops, an open door stays open, still puts all back', [-1, -0.5, -0.5, -0.5, 0.5, 1, 0, -1].every((v, k) => Math.abs(v - played.heights[k]) < 1e-6) ? [] : [String(played.heights)]);
check('calm: what is played moves, what moves by itself does not', JSON.stringify(played.calm) === '[0.5,-1,true,false,0,true]' ? [] : [JSON.stringify(played.calm)]);
// Meshes of one material are drawn together, also mirrored ones. Moving meshes keep their own draw calls, and many copies of one mesh
// are instances.
const merged = await page.evaluate(async () => {
  const { Group, Mesh, MeshBasicMaterial, OrthographicCamera, PlaneGeometry, Raycaster, Scene, Vector3, WebGLRenderer } = await import('three'), { bsp2gltfMerge } = await import('/addons/three/merge.js');
  const material = new MeshBasicMaterial({ color: 0xff0000 }), scene = new Group(), renderer = new WebGLRenderer({ canvas: document.createElement('canvas') }), camera = new OrthographicCamera(-4, 4, 4, -4, 0.1, 9), pixel = new Uint8Array(4);
  const put = (parent, x, y, geometry = new PlaneGeometry()) => {
    const mesh = new Mesh(geometry, material);
    mesh.position.set(x, y, 0);
    parent.add(mesh);
    return mesh;
  };
  const aside = put(scene, 0, 0), mover = new Group(), mirror = new Group(), hidden = put(scene, -2, 2);
  put(scene, 2, 0);
  put(mirror, 2, 2);
  mirror.scale.x = -1;
  mirror.position.y = -4;
  scene.add(mirror, mover);
  put(mover, 0, 2);
  put(mover, 2, 2);
  hidden.visible = false;
  const shape = new PlaneGeometry(0.1, 0.1, 20, 20);
  for (let i = 0; i < 30; i++) put(scene, -3.9 + 0.25 * i, 3.9, shape);
  const associations = new Map([[mover, { nodes: 7 }]]), gltf = { scene, scenes: [scene], parser: { json: { animations: [{ channels: [{ target: { node: 7 } }] }] }, associations } };
  const all = new Scene().add(scene), at = (places) => {
    renderer.render(all, camera);
    return places.map(([x, y]) => {
      const gl = renderer.getContext(), { width, height } = renderer.domElement;
      gl.readPixels((x + 4) / 8 * width, (y + 4) / 8 * height, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      return pixel[0] > 128 ? 1 : 0;
    }).join('');
  };
  camera.position.z = 5;
  const places = [[0, 0], [2, 0], [-2, -2], [0, 2], [2, 2], [-2, 2], [-3.9, 3.9], [3.35, 3.9]], out = [at(places), renderer.info.render.calls];
  const merged = bsp2gltfMerge(gltf);
  out.push(at(places), renderer.info.render.calls);
  mover.position.y = -4;
  out.push(at([[0, 2], [0, -2], [2, -2]]));
  hidden.visible = true;
  merged.update();
  out.push(at([[-2, 2]]), renderer.info.render.calls);
  aside.visible = false;
  merged.update();
  out.push(at([[0, 0], [2, 0]]), renderer.info.render.calls);
  const caster = new Raycaster(new Vector3(2.1, 0.2, 5), new Vector3(0, 0, -1));
  caster.layers.enable(merged.layer);
  out.push(caster.intersectObject(scene).map((hit) => hit.object.position.x).join());
  return out;
});
check('merge: a call for each material, mover and shape', JSON.stringify(merged) === '["11111011",35,"11111011",3,"011","1",3,"01",3,"2"]' ? [] : [JSON.stringify(merged)]);
await page.close();
process.exit(failures ? 1 : 0);
