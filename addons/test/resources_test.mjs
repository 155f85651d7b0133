// usage: node resources_test.mjs DIR
// Tests what an application does with a loaded map: it replaces it (nothing of it may remain on the graphics card), clones it, lights
// it with its own lamps, draws it through post-processing, and uses a three.js that has changed. DIR has the files of make_test_glb.mjs
// and make_reader_glb.mjs, and a map of each kind, *.map.glb.
import fs from 'node:fs';
import path from 'node:path';
import { openPage, versions } from './client.mjs';

const dir = path.resolve(process.argv[2]), maps = fs.readdirSync(dir).filter((n) => /^(test|range|gamma|mirror|movements|reader)\.gl(b|tf)$|\.map\.glb$/.test(n));
const page = await openPage(320, 180);
let failures = 0;
const check = (what, wrong) => {
  console.log(wrong?.length ? `FAIL ${what}: ${wrong}` : `ok ${what}`);
  failures += wrong?.length ? 1 : 0;
};

for (const version of versions) {
  const { revision } = await page.run('three.html', { three: version, file: `/file${dir}/test.glb`, size: '64x64', plugin: 1 });
  const name = `three r${revision}`;
  // ---- ten maps, one after another, with every part, all light styles and variants
  const held = await page.evaluate(async (files) => {
    const THREE = await import('three'), { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js'), { MeshoptDecoder } = await import('three/addons/libs/meshopt_decoder.module.js'), { bsp2gltf } = await import('bsp2gltf-three');
    const renderer = new THREE.WebGLRenderer({ canvas: document.createElement('canvas') }), scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(90, 1, 0.1, 1000), out = [];
    renderer.render(scene, camera);
    const count = () => ({ ...renderer.info.memory, programs: renderer.info.programs.length });
    const first = count();
    for (let i = 0; i < 10; i++) {
      const gltf = await bsp2gltf(new GLTFLoader().setMeshoptDecoder(MeshoptDecoder), { show: true, merge: true, unlit: i % 2 === 1, lamps: i % 3 === 1 }).loadAsync(files[i % files.length]), { styles, variants, levels, motion, merged } = gltf.bsp2gltf;
      scene.add(gltf.scene, ...(i % 3 === 1 ? [new THREE.PointLight(0xffffff, 10)] : []));
      gltf.scene.traverse((o) => { o.frustumCulled = false; });
      for (const style of styles.list) style.on = true;
      for (const night of [false, styles.hasNight]) {
        styles.night = night;
        await gltf.bsp2gltf.update(i + 0.3, renderer);
        renderer.render(scene, camera);
      }
      for (const variant of [...variants.names, null]) {
        variants.select(variant);
        merged.update();
        renderer.render(scene, camera);
      }
      for (let level = levels.count - 1; level >= 0; level--) {
        levels.show(level);
        merged.update();
        renderer.render(scene, camera);
      }
      if (motion.movements[0]) motion.play(motion.movements[0]);
      const whole = count();
      gltf.bsp2gltf.dispose();
      const inScene = scene.children.filter((o) => !o.isLight).length;
      scene.clear();
      await gltf.bsp2gltf.update(9, renderer); // harmless
      renderer.render(scene, camera);
      out.push([files[i % files.length], first, whole, count(), inScene]);
    }
    return out;
  }, maps.map((n) => `/file${dir}/${n}`));
  const leaks = held.filter(([, before, , after, inScene]) => inScene || JSON.stringify(before) !== JSON.stringify(after)).map(([file, before, whole, after, n]) => `${path.basename(file)}: ${JSON.stringify({ before, whole, after, inScene: n })}`);
  check(`${name}: ten maps replaced leave nothing: at most ${Math.max(...held.map((h) => h[2].textures))} textures, ${Math.max(...held.map((h) => h[2].geometries))} geometries, ${Math.max(...held.map((h) => h[2].programs))} programs at a time`, leaks.join('\n  '));

  // ---- distant parts are not merged: a view of one area does not draw the other
  const areas = await page.evaluate(async () => {
    const THREE = await import('three'), { bsp2gltfMerge } = await import('bsp2gltf-three'), renderer = new THREE.WebGLRenderer({ canvas: document.createElement('canvas') });
    const material = new THREE.MeshBasicMaterial(), scene = new THREE.Group(), camera = new THREE.PerspectiveCamera(60, 1, 0.1, 500);
    for (const z of [-50, 50]) for (let i = 0; i < 8; i++) scene.add(Object.assign(new THREE.Mesh(new THREE.PlaneGeometry(1, 1, 15, 10), material), { name: String(i) })).children.at(-1).position.set(i - 4, 0, z);
    bsp2gltfMerge({ scene, scenes: [scene], parser: { json: {}, associations: new Map() } });
    renderer.render(new THREE.Scene().add(scene), camera);
    return [renderer.info.render.calls, renderer.info.render.triangles];
  });
  check(`${name}: merge by area: ${areas[0]} call and ${areas[1]} triangles of 4800 for one of two areas`, areas[0] <= 4 && areas[1] === 2400 ? '' : String(areas));

  // ---- clones show and move like the originals
  const cloned = await page.evaluate(async (files) => {
    const THREE = await import('three'), { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js'), { bsp2gltf } = await import('bsp2gltf-three');
    const { MeshoptDecoder } = await import('three/addons/libs/meshopt_decoder.module.js'), out = [];
    const renderer = new THREE.WebGLRenderer({ canvas: document.createElement('canvas'), preserveDrawingBuffer: true });
    renderer.setSize(320, 180);
    const gl = renderer.getContext(), read = (scene, camera) => {
      renderer.render(scene, camera);
      const pixels = new Uint8Array(4 * 320 * 180);
      gl.readPixels(0, 0, 320, 180, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      return pixels;
    };
    for (const [file, time] of files.flatMap((f) => [[f, 0], [f, 0.4]])) {
      const gltf = await bsp2gltf(new GLTFLoader().setMeshoptDecoder(MeshoptDecoder)).loadAsync(file), camera = gltf.cameras[0] ?? new THREE.PerspectiveCamera(90, 16 / 9, 0.05, 500);
      camera.aspect = 16 / 9;
      camera.updateProjectionMatrix();
      const scene = new THREE.Scene().add(gltf.scene), copies = new THREE.Scene();
      if (!gltf.cameras[0]) camera.position.set(0, 1.5, 0), camera.updateMatrixWorld();
      await gltf.bsp2gltf.update(time, renderer);
      const first = read(scene, camera), copy = gltf.scene.clone(), known = new Map(); // one that an application has cloned before the time changes
      copy.traverse((o) => {
        if (!o.isMesh) return;
        if (!known.has(o.material)) known.set(o.material, o.material.clone());
        o.material = known.get(o.material);
      });
      const meshes = (o) => { let n = 0; o.traverse((m) => { n += Number(!!m.isSkinnedMesh); }); return n; };
      copies.add(copy);
      const second = read(copies, camera);
      gltf.bsp2gltf.motion.still();
      await gltf.bsp2gltf.update(time + 0.25, renderer);
      const later = [read(scene, camera), read(copies, camera)];
      const differ = (a, b) => a.reduce((n, v, k) => n + Number(Math.abs(v - b[k]) > 2), 0);
      out.push([file, time, differ(first, second), meshes(copy) || gltf.bsp2gltf.motion.movements.length || gltf.animations.length ? 0 : differ(...later), first.filter((v) => v > 0).length]);
      gltf.bsp2gltf.dispose();
    }
    return out;
  }, maps.filter((n) => /test|mirror|range|showcase|demo|styles|fog/.test(n)).map((n) => `/file${dir}/${n}`));
  check(`${name}: clones of ${cloned.length / 2} maps and of all their materials show the same, and move on`, cloned.filter(([, , a, b, lit]) => a > 60 || b > 60 || lit < 60000).map((c) => JSON.stringify(c)).join('\n  '));

  // ---- lamps of the application
  const lit = await page.evaluate(async (file) => {
    const THREE = await import('three'), { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js'), { MeshoptDecoder } = await import('three/addons/libs/meshopt_decoder.module.js'), { bsp2gltf } = await import('bsp2gltf-three');
    const renderer = new THREE.WebGLRenderer({ canvas: document.createElement('canvas'), preserveDrawingBuffer: true, antialias: false }), gl = renderer.getContext();
    renderer.setSize(320, 180);
    renderer.shadowMap.enabled = true;
    const shoot = (scene, camera) => {
      renderer.render(scene, camera);
      const pixels = new Uint8Array(4 * 320 * 180);
      gl.readPixels(0, 0, 320, 180, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      return { pixels, url: renderer.domElement.toDataURL() };
    };
    const load = async (options) => (await bsp2gltf(new GLTFLoader().setMeshoptDecoder(MeshoptDecoder), options).loadAsync(file));
    const out = {}, plain = await load({}), lamps = await load({ lamps: true });
    let start = null;
    plain.scene.traverse((o) => { if (/^info_player/.test(o.userData.classname)) start ??= o; });
    plain.scene.updateMatrixWorld(true);
    const camera = new THREE.PerspectiveCamera(80, 16 / 9, 0.05, 500);
    start.getWorldPosition(camera.position).y += 0.6;
    camera.rotation.set(-0.2, Math.PI / 6, 0, 'YXZ');
    camera.updateMatrixWorld();
    const scenes = [plain, lamps].map((gltf) => new THREE.Scene().add(gltf.scene));
    const [a, b] = scenes.map((scene) => shoot(scene, camera));
    const differ = (x, y) => x.pixels.reduce((n, v, k) => n + Number(Math.abs(v - y.pixels[k]) > 2), 0), brighter = (x, y) => x.pixels.reduce((n, v, k) => n + Number(v - y.pixels[k] > 8), 0);
    out.same = differ(a, b);
    const ahead = camera.getWorldDirection(new THREE.Vector3()), add = (o, far, up, scene) => { scene.add(o); o.position.copy(camera.position).addScaledVector(ahead, far); o.position.y += up; return o; };
    const all = scenes.map((scene) => [add(new THREE.PointLight(0xffa040, 20), 1.5, 0.3, scene), add(new THREE.Mesh(new THREE.BoxGeometry(0.4, 0.4, 0.4), new THREE.MeshStandardMaterial()), 2.2, -0.3, scene)]);
    all.forEach(([light, box]) => { light.castShadow = true; box.visible = false; });
    const [c, d] = scenes.map((scene) => shoot(scene, camera));
    out.plain = differ(a, c);
    out.lamp = brighter(d, b);
    all.forEach(([, box]) => { Object.assign(box, { visible: true, castShadow: true }); box.material.colorWrite = box.material.depthWrite = false; });
    const e = shoot(scenes[1], camera);
    out.shadow = brighter(d, e);
    all[1].forEach((o) => { o.visible = false; });
    const thing = add(new THREE.Mesh(new THREE.SphereGeometry(0.4), new THREE.MeshStandardMaterial({ color: 0xffffff, roughness: 1 })), 2, 0, scenes[1]), dark = shoot(scenes[1], camera);
    lamps.bsp2gltf.ambient?.shade(thing);
    const shaded = shoot(scenes[1], camera), gray = (p) => [0, 1, 2].map((k) => p.pixels[4 * (90 * 320 + 160) + k]);
    const want = lamps.bsp2gltf.ambient?.light(thing.position).on(ahead.clone().negate()).toArray().map((v) => Math.round(255 * Math.min(1, v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055)));
    Object.assign(out, { dark: gray(dark), shaded: gray(shaded), want, urls: [a.url, d.url, e.url, dark.url, shaded.url] });
    return out;
  }, `/file${dir}/lightgrid.map.glb`);
  lit.urls.forEach((url, i) => fs.writeFileSync(path.join(dir, `lamps-${i}-r${revision}.png`), Buffer.from(url.split(',')[1], 'base64')));
  check(`${name}: the option lamps changes nothing without lamps (${lit.same} values)`, lit.same > 600 ? String(lit.same) : '');
  check(`${name}: a lamp lights the map with it (${lit.lamp} values), not without, and throws shadows (${lit.shadow})`, lit.plain === 0 && lit.lamp > 20000 && lit.shadow > 500 ? '' : JSON.stringify({ ...lit, urls: 0 }));
  check(`${name}: ambient.shade lights what is added: ${lit.shaded} for ${lit.want}, and black before`, Math.max(...lit.dark) === 0 && lit.want && lit.want.every((v, k) => Math.abs(v - lit.shaded[k]) <= 6) ? '' : JSON.stringify({ ...lit, urls: 0 }));

  // ---- post-processing
  const post = await page.evaluate(async (files) => {
    const THREE = await import('three'), { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js'), { MeshoptDecoder } = await import('three/addons/libs/meshopt_decoder.module.js'), { bsp2gltf, DisplayRenderPass } = await import('bsp2gltf-three');
    const [{ EffectComposer }, { RenderPass }, { OutputPass }] = await Promise.all(['EffectComposer', 'RenderPass', 'OutputPass'].map((n) => import(`three/addons/postprocessing/${n}.js`)));
    const renderer = new THREE.WebGLRenderer({ canvas: document.createElement('canvas'), preserveDrawingBuffer: true, antialias: false }), gl = renderer.getContext(), out = [];
    renderer.setSize(320, 180);
    renderer.setClearColor(0x204060);
    const first = { ...renderer.info.memory };
    for (const file of files) {
      const gltf = await bsp2gltf(new GLTFLoader().setMeshoptDecoder(MeshoptDecoder)).loadAsync(file), scene = new THREE.Scene().add(gltf.scene), camera = gltf.cameras[0] ?? new THREE.PerspectiveCamera(90, 16 / 9, 0.05, 500);
      const read = (draw) => {
        draw();
        const pixels = new Uint8Array(4 * 320 * 180);
        gl.readPixels(0, 0, 320, 180, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
        return pixels;
      };
      const through = (...passes) => {
        const composer = new EffectComposer(renderer);
        for (const pass of passes) composer.addPass(pass);
        const pixels = read(() => composer.render()), url = renderer.domElement.toDataURL();
        for (const pass of passes) pass.dispose();
        composer.dispose();
        return { pixels, url };
      };
      const canvas = read(() => renderer.render(scene, camera)), url = renderer.domElement.toDataURL(), differ = ({ pixels }) => {
        let n = 0;
        for (let i = 0; i < pixels.length; i += 4) n += Number([0, 1, 2].some((k) => Math.abs(pixels[i + k] - canvas[i + k]) > 2));
        return n;
      };
      const usual = through(new RenderPass(scene, camera), new OutputPass()), ours = through(new DisplayRenderPass(scene, camera, { samples: 0 }), new OutputPass()), alone = through(new DisplayRenderPass(scene, camera, { samples: 0 }));
      out.push([file, differ(usual), differ(ours), differ(alone), url, usual.url, ours.url]);
      gltf.bsp2gltf.dispose();
    }
    return out;
  }, ['mirror.glb', 'showcase.map.glb'].map((n) => `/file${dir}/${n}`));
  post.forEach(([file, , , , ...urls]) => urls.forEach((url, i) => fs.writeFileSync(path.join(dir, `post-${path.basename(file).split('.')[0]}-${i}-r${revision}.png`), Buffer.from(url.split(',')[1], 'base64'))));
  check(`${name}: DisplayRenderPass draws as a canvas: ${post.map(([file, usual, ours]) => `${path.basename(file)} ${ours} pixels differ, by RenderPass ${usual}`).join('; ')}`,
    post[0][1] > 200 && post.every(([, , ours, alone]) => ours < 40 && alone < 40) ? '' : JSON.stringify(post.map((p) => p.slice(0, 4))));
}
await page.close();
process.exit(failures ? 1 : 0);
