// usage: node page_test.mjs DIR PAGE.html [MAP.html]...
// Tests pages in headless Chromium, from file:// without a network. DIR has test.glb and test.json of make_test_glb.mjs. PAGE.html is
// any page that bsp2gltf wrote: its viewer is tested with test.glb inside, complete, changed and broken. The other pages are opened as
// they are.
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { differences, launch } from './client.mjs';
import { movements, frames, missing, parts, places, sequences, settings, skins, views, walks } from './page_controls.mjs';

const TOLERANCE = 3;
const [dir, template, ...maps] = process.argv.slice(2);
const { width, height, samples, display, moved, shaded, ranged, veiled, mirrored, acted } = JSON.parse(fs.readFileSync(path.join(dir, 'test.json')));
const glb = fs.readFileSync(path.join(dir, 'test.glb')), frame = fs.readFileSync(template, 'utf8');
let failures = 0;
const check = (what, ok, detail = '') => {
  console.log(`${ok ? 'ok' : 'FAIL'} page: ${what}${ok ? '' : `\n  ${detail}`}`);
  failures += !ok;
};

// put makes a page with other contents, and returns its name.
function put(name, data, packed = zlib.gzipSync(data)) {
  const [head, ...rest] = frame.split('<script type="text/plain" class="glb">');
  const file = path.resolve(dir, name);
  fs.writeFileSync(file, `${head}<script type="text/plain" class="glb">${packed.toString('base64')}</script>\n${rest.at(-1).slice(rest.at(-1).indexOf('</script>') + 10)}`);
  return file;
}

// change returns the file with its JSON changed.
function change(f, from = glb) {
  const n = from.readUInt32LE(12), json = JSON.parse(from.subarray(20, 20 + n));
  f(json);
  let text = Buffer.from(JSON.stringify(json));
  text = Buffer.concat([text, Buffer.alloc(-text.length & 3, ' ')]);
  const head = Buffer.from(from.subarray(0, 20));
  head.writeUInt32LE(20 + text.length + from.length - 20 - n, 8);
  head.writeUInt32LE(text.length, 12);
  return Buffer.concat([head, text, from.subarray(20 + n)]);
}

const browser = await launch();

async function open(file, { hash = '', size = [width, height], ...more } = {}) {
  const context = await browser.newContext({ viewport: { width: size[0], height: size[1] }, offline: true, acceptDownloads: true, ...more });
  const page = await context.newPage(), logs = [];
  page.on('console', (m) => /GPU stall|GL Driver Message/.test(m.text()) || logs.push(`${m.type()}: ${m.text()}`));
  page.on('pageerror', (e) => logs.push(`error: ${e}`));
  page.on('request', (r) => /^(file|blob|data):/.test(r.url()) || logs.push(`request: ${r.url()}`));
  await page.goto(`file://${file}${hash}`);
  await page.waitForFunction(() => document.body.dataset.state, null, { timeout: 120000 });
  return { page, logs, context, state: await page.evaluate(() => document.body.dataset.state) };
}

// look reads pixels of a frame at rest.
const look = (page, at, time = null) => page.evaluate(async ([places, t]) => {
  const { state: { styles, view, canvas, gl }, still } = globalThis.bsp2gltf;
  await styles.update(view.renderer, null);
  still(t);
  const pixel = new Uint8Array(4);
  return places.map(([x, y]) => {
    gl.readPixels(x, canvas.height - 1 - y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    return [...pixel.slice(0, 3)];
  });
}, [at.map((s) => [s.x, s.y]), time]);
const set = (page, label, value) => page.evaluate(([l, v]) => {
  const input = [...document.querySelectorAll('#panel label, #panel .slider')].find((e) => e.textContent.startsWith(l))?.querySelector('input, select');
  if (!input) throw new Error(`there is no ${l}`);
  if (input.type === 'checkbox') return void (input.checked !== v && input.click());
  input.value = v;
  input.dispatchEvent(new Event(input.type === 'range' ? 'input' : 'change'));
}, [label, value]);
const eye = (page) => page.evaluate(() => { const { eye: e, yaw, pitch, mode, fov } = globalThis.bsp2gltf.state.camera; return { e, yaw, pitch, mode, fov }; });
const camera = (page) => page.evaluate(() => {
  const { state } = globalThis.bsp2gltf, place = state.map.bookmarks.find((b) => b.fov);
  state.camera.fov = place.fov * 180 / Math.PI;
  state.camera.go(place.at, place.yaw, place.pitch);
});

// ---- the picture
{
  const file = put('page.html', glb), { page, logs, state } = await open(file);
  check('opens from a disk without a network', state === 'ready', state);
  await camera(page);
  const all = [...samples, ...display, ...shaded].filter((s) => !s.lenient && !s.name.startsWith('no_uv1'));
  const wrong = differences(all, await look(page, all), TOLERANCE);
  check(`${all.length} pixels within ${TOLERANCE}`, !wrong.length, wrong.join('\n  '));
  const late = differences(moved, await look(page, moved, 0.5), TOLERANCE);
  check(`${moved.length} pixels of what moves, after half a second`, !late.length, late.join('\n  '));
  const lit = [...samples, ...display].filter((s) => s.lit && !s.lenient), before = JSON.stringify(await look(page, lit));
  for (const [label, value, back] of [['Light', 2, 1], ['Exposure', -2, 0], ['Show', 'light', 'lit'], ['Show', 'textures', 'lit'], ['Wireframe', true, false], ['Field of view', 40, 90]]) {
    await set(page, label, value);
    const changed = JSON.stringify(await look(page, lit)) !== before;
    await set(page, label, back);
    check(`${label} ${value} changes the picture, and back`, changed && JSON.stringify(await look(page, lit)) === before);
  }
  check('nothing on the console, no request', !logs.length, logs.join('\n  '));

  // ---- moving: nothing has been clicked or focused
  const at = await eye(page);
  await page.keyboard.down('KeyW');
  await page.waitForFunction((z) => globalThis.bsp2gltf.state.camera.eye[2] < z - 0.1, at.e[2], { timeout: 10000 }).catch(() => {});
  await page.keyboard.up('KeyW');
  const ahead = await eye(page);
  check('W goes ahead', ahead.e[2] < at.e[2] - 0.05, JSON.stringify([at, ahead]));
  await page.keyboard.down('ArrowLeft');
  await page.waitForFunction((yaw) => globalThis.bsp2gltf.state.camera.yaw > yaw + 0.1, at.yaw, { timeout: 10000 }).catch(() => {});
  await page.keyboard.up('ArrowLeft');
  check('an arrow key turns', (await eye(page)).yaw > at.yaw + 0.05);
  // A focused control handles the keys that it uses, and no others.
  const pressed = async (focus, key) => {
    await camera(page);
    await page.evaluate((s) => {
      document.activeElement.blur();
      if (!s) return;
      document.querySelector(s).focus();
      if (document.activeElement !== document.querySelector(s)) throw new Error(`${s} takes no focus`);
    }, focus);
    await page.keyboard.down(key);
    const moves = await page.waitForFunction((k) => globalThis.bsp2gltf.state.camera.held.has(k), key, { timeout: 500 }).then(() => true, () => false);
    await page.keyboard.up(key);
    return moves;
  };
  const misled = [];
  await page.evaluate(() => { if (document.getElementById('panel').hidden) document.getElementById('menu').click(); });
  for (const [focus, key, moves] of [[null, 'KeyD', true], ['#panel input[type=checkbox]', 'KeyA', true], ['#panel button', 'KeyS', true], ['#panel input[type=range]', 'KeyW', true], ['#panel summary', 'ArrowLeft', true],
    ['#panel input[type=range]', 'ArrowLeft', false], ['#panel details[open] input[type=search]', 'KeyW', false], ['#panel select', 'ArrowUp', false], ['#panel button', 'Space', false], ['#panel button', 'PageDown', false], ['#view', 'PageDown', true]]) {
    if (await pressed(focus, key) !== moves) misled.push(`${focus} ${key}: ${!moves}`);
  }
  await page.evaluate(() => { document.activeElement.blur(); if (innerWidth < 700) document.getElementById('menu').click(); });
  await camera(page);
  check('keys go to the picture, but those of a control to it', !misled.length, misled.join('\n  '));
  await camera(page);
  await page.mouse.move(500, 180);
  await page.mouse.down();
  await page.mouse.move(420, 160, { steps: 4 });
  await page.mouse.up();
  const turned = await eye(page);
  check('a drag looks around', turned.yaw > 0.05 && turned.pitch > 0.01, JSON.stringify(turned));
  await page.mouse.wheel(0, -200);
  await page.waitForTimeout(100);
  check('the wheel goes ahead', Math.hypot(...(await eye(page)).e.map((v, i) => v - turned.e[i])) > 0.1);
  await set(page, 'Move', 'orbit');
  const distance = () => page.evaluate(() => { const c = globalThis.bsp2gltf.state.camera; return Math.hypot(...c.eye.map((v, i) => v - c.target[i])); });
  const far = await distance(), from = await eye(page);
  await page.mouse.move(500, 180);
  await page.mouse.down();
  await page.mouse.move(560, 180, { steps: 4 });
  await page.mouse.up();
  check('orbit keeps the distance', Math.abs(await distance() - far) < 1e-6 && (await eye(page)).e[0] !== from.e[0]);
  await page.mouse.wheel(0, 200);
  await page.waitForTimeout(100);
  check('the wheel goes away from the point', await distance() > far * 1.1);
  await set(page, 'Move', 'fly');

  // ---- the link
  await set(page, 'Light', 1.5);
  await set(page, 'Exposure', 1);
  await page.waitForTimeout(500);
  const hash = await page.evaluate(() => location.hash), kept = await eye(page);
  const again = await open(file, { hash });
  const there = await eye(again.page);
  const settings = await again.page.evaluate(() => { const { strength, exposure } = globalThis.bsp2gltf.state.view.settings; return { strength, exposure }; });
  check('a link keeps the eye and the light', there.e.every((v, i) => Math.abs(v - kept.e[i]) < 0.01) && Math.abs(there.yaw - kept.yaw) < 0.01 && settings.strength === 1.5 && settings.exposure === 2, JSON.stringify([hash, kept, there, settings]));
  const silly = await open(file, { hash: '#at=1e999,NaN,x&look=1&light=-5&exposure=99&orbit=&show=%3Cscript%3E' });
  check('a senseless link does no harm', silly.state === 'ready' && !silly.logs.length && (await eye(silly.page)).e.every(Number.isFinite), silly.logs.join());
  await again.context.close();
  await silly.context.close();

  // ---- entities, measuring, pictures
  await set(page, 'Light', 1);
  await set(page, 'Exposure', 0);
  await camera(page);
  await set(page, 'Markers', true);
  await page.evaluate(() => { for (const d of document.querySelectorAll('details')) d.open = true; });
  await page.click('#menu');
  await page.fill('input[aria-label^="Search entities"]', 'OPEN door');
  check('the list finds words in values', await page.evaluate(() => /1 of 1/.test([...document.querySelectorAll('#panel .note')].map((e) => e.textContent).join('|'))));
  await page.click('#panel .list li button:has-text("info_player_start") >> nth=-1');
  check('a click shows the keys', (await page.textContent('#details')).includes('door,Open,,0,-1'));
  await camera(page);
  await page.click('#closeDetails');
  await page.click('#menu');
  await page.mouse.click(width - 40, 110);
  await page.waitForTimeout(50);
  const name = await page.textContent('#details');
  check('a click on a surface says its material', /Material/.test(name), name);
  await set(page, 'Material under the pointer', true);
  await page.mouse.move(width - 45, 112);
  await page.waitForTimeout(200);
  check('the material under the pointer', / m$/.test(await page.textContent('#under')), await page.textContent('#under'));
  await set(page, 'Measure', true);
  await page.click('#closeDetails');
  // 90 pixels are a metre.
  await page.mouse.click(width - 30, 100);
  await page.mouse.click(width - 30 - 45, 100);
  check('a distance is measured', /^0\.(49|50)\d m = 1[56]\.\d units/.test(await page.textContent('#measured')), await page.textContent('#measured'));
  const [download] = await Promise.all([page.waitForEvent('download'), page.evaluate(() => [...document.querySelectorAll('#panel button')].find((b) => b.textContent === 'Save a picture').click())]);
  const picture = fs.readFileSync(await download.path());
  check('a picture is saved', download.suggestedFilename() === 'test.png' && picture.subarray(1, 4).toString() === 'PNG' && picture.length > 3000, `${download.suggestedFilename()} ${picture.length}`);
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select, canvas, summary')]
    .filter((e) => !(e.textContent.trim() || e.getAttribute('aria-label') || e.closest('label')?.textContent.trim())).map((e) => e.outerHTML));
  check('every control has a name', !nameless.length, nameless.join('\n  '));
  check('still nothing on the console', !logs.length, logs.join('\n  '));
  await page.context().close();
}

// ---- a phone
{
  const { page, state } = await open(path.resolve(dir, 'page.html'), { size: [390, 760], hasTouch: true, isMobile: true });
  check('a phone: ready, the panel is out of the way', state === 'ready' && await page.evaluate(() => document.getElementById('panel').hidden));
  const before = await eye(page);
  const fingers = (type, list) => page.evaluate(([t, l]) => l.forEach(([id, x, y]) => document.getElementById('view').dispatchEvent(
    new PointerEvent(t, { pointerId: id, pointerType: 'touch', clientX: x, clientY: y, button: 0, bubbles: true }))), [type, list]);
  await page.evaluate(() => { document.getElementById('view').setPointerCapture = () => {}; });
  await fingers('pointerdown', [[1, 200, 400]]);
  for (let i = 1; i <= 5; i++) await fingers('pointermove', [[1, 200 + 12 * i, 400]]);
  await fingers('pointerup', [[1, 260, 400]]);
  const turned = await eye(page);
  check('a phone: a finger looks around', Math.abs(turned.yaw - before.yaw) > 0.05);
  await fingers('pointerdown', [[1, 150, 400], [2, 250, 400]]);
  for (let i = 1; i <= 5; i++) await fingers('pointermove', [[1, 150 - 10 * i, 400], [2, 250 + 10 * i, 400]]);
  await fingers('pointerup', [[1, 100, 400], [2, 300, 400]]);
  check('a phone: two fingers go ahead', Math.hypot(...(await eye(page)).e.map((v, i) => v - turned.e[i])) > 0.1);
  await page.tap('#menu');
  const box = await page.locator('#panel').boundingBox();
  check('a phone: the panel fits', box.x >= 0 && box.x + box.width <= 390 && box.height < 500, JSON.stringify(box));
  await page.context().close();
}

// ---- hostile text
{
  const evil = '</script><script>window.pwned=1</script><img src=x onerror="window.pwned=1">';
  const file = put('hostile.html', change((json) => {
    json.scenes[0].name = evil;
    json.scenes[0].extras = { bsp2gltf_game: evil, bsp2gltf_format: evil };
    for (const m of json.materials) { m.name = evil; m.extras = { material: evil, [evil]: evil, stage_0: evil }; }
    for (const n of json.nodes) { n.name = evil; if (n.extras?.classname) Object.assign(n.extras, { classname: `info_player_${evil}`, [evil]: evil, message: evil }); }
  }));
  const { page, logs, state } = await open(file);
  await page.evaluate(() => { for (const d of document.querySelectorAll('details')) d.open = true; });
  await page.click('#menu');
  await page.click('#panel .list li button >> nth=-1');
  await page.click('#menu');
  await page.click('#closeDetails');
  await page.mouse.click(width - 40, 100);
  await page.waitForTimeout(200);
  const found = await page.evaluate(() => ({ pwned: globalThis.pwned, images: document.querySelectorAll('img').length, text: document.getElementById('panel').textContent.includes('onerror=') }));
  check('hostile text is text', state === 'ready' && !found.pwned && !found.images && found.text && !logs.length, JSON.stringify([found, logs]));
  await page.context().close();
}

// ---- switches, lists and keys
const drive = { open, look, set, camera, eye, check, samples: [...samples, ...display], moved, shaded, ranged, veiled, tolerance: TOLERANCE };
const filled = (name) => put(`${name}.html`, fs.readFileSync(path.join(dir, `${name}.glb`)));
await settings({ ...drive, files: { page: path.resolve(dir, 'page.html'), range: filled('range'), inside: filled('inside') } });
await skins({ ...drive, file: put('skins.html', change((json) => {
  const primitive = (name) => json.meshes.find((m) => m.name === name).primitives[0], material = primitive('texture_factor_no_intensity').material;
  json.extensions.KHR_materials_variants = { variants: [{ name: 'other' }] };
  primitive('texture').extensions = { KHR_materials_variants: { mappings: [{ material, variants: [0] }] } };
})) });
await places({ ...drive, file: path.resolve(dir, 'page.html') });
{ // A dark first view is shown brighter, but not a view of a link.
  const { page, context } = await open(put('seen.html', glb)), { e, yaw, pitch } = await eye(page);
  await context.close();
  const dark = put('dark.html', change((json) => { (json.scenes[0].extras ??= {}).bsp2gltf_view = { at: e, yaw, pitch }; }));
  const brighter = async (hash) => {
    const { page, context } = await open(dark, { hash });
    await page.waitForFunction(() => globalThis.bsp2gltf.state.verified);
    const factor = await page.evaluate(() => globalThis.bsp2gltf.state.view.settings.exposure / globalThis.bsp2gltf.state.exposure);
    await context.close();
    return factor;
  };
  const factors = [await brighter(''), await brighter(`#at=${e}`)];
  check('a dark first view is brightened, but not that of a link', factors[0] > 1.2 && factors[0] <= 8 && factors[1] === 1, factors.join());
}
await views({ ...drive, file: path.resolve(template), range: filled('range') });
const lacking = (name, textures, models) => put(name, change((json) => {
  json.scenes[0].extras = { bsp2gltf_missing: { textures, models, names: Array.from({ length: textures + models }, (_, i) => (i ? `models/${i}.mdl` : '<img src=x onerror=alert(1)>')) } };
}));
await missing({ ...drive, files: { complete: path.resolve(dir, 'page.html'), one: lacking('one.html', 1, 0), many: lacking('many.html', 12, 300) } });
{
  const pieces = [...frame.matchAll(/<script type="text\/plain" class="glb">([^<]*)/g)].map((m) => Buffer.from(m[1], 'base64'));
  const bare = change((json) => { for (const n of json.nodes) if (/-convcolonly$/.test(n.name)) delete n.mesh; }, zlib.gunzipSync(Buffer.concat(pieces)));
  await walks({ ...drive, files: { walk: path.resolve(template), 'walk without hulls': put('bare.html', bare) } });
}
await movements({ ...drive, acted, file: put('movements.html', fs.readFileSync(path.join(dir, 'movements.glb'))) });

// ---- light styles, and movement
{
  const file = put('styles.html', change((json) => {
    json.scenes[0].extras = { bsp2gltf_lightmap_intensity: 2 };
    const atlas = json.images.find((i) => i.name === 'atlas');
    Object.assign(atlas, { name: 'lightmap_0', extras: { bsp2gltf: 'lightmap' } });
    json.images.push({ ...atlas, name: 'lightmap_0_style_32', extras: { bsp2gltf: 'lightmap style 32 (lamp)' } },
      { ...atlas, name: 'lightmap_0_style_1', extras: { bsp2gltf: 'lightmap style 1' } }, { ...json.images.find((i) => i.name === 'glow'), name: 'lightmap_0_night', extras: { bsp2gltf: 'lightmap night' } });
  }));
  const { page, logs } = await open(file);
  await camera(page);
  const lit = display.filter((s) => s.lit && /^display [01]/.test(s.name)), sum = async () => (await look(page, lit)).flat().reduce((a, b) => a + b);
  await set(page, '1 (flickers)', false);
  await set(page, '32 lamp', false);
  const wrong = differences(lit, await look(page, lit), TOLERANCE);
  check('styles: with all off the base is as ever', !wrong.length, wrong.join('\n  '));
  const dark = await sum();
  await set(page, '32 lamp', true);
  // In display space, twice the light is twice the value, up to white.
  const want = lit.map((s) => ({ ...s, rgb: s.rgb.map((v) => Math.min(255, 2 * v)) })), twice = differences(want, await look(page, lit), TOLERANCE + 3);
  check('styles: the same light once more is twice as bright, as displayed', !twice.length && await sum() > dark, twice.join('\n  '));
  await set(page, '1 (flickers)', true);
  const { pattern, flickers: goes } = await page.evaluate(() => { const { list, flickers } = globalThis.bsp2gltf.state.styles; return { pattern: list.find((s) => s.style === 1).pattern, flickers }; });
  check('styles: the pattern mmnmmo… flickers', goes && pattern.startsWith('mmnmmo'), `${goes} ${pattern}`);
  await set(page, '32 lamp', false);
  await set(page, '1 (flickers)', false);
  const day = await look(page, lit);
  await set(page, 'Night', true);
  const night = await look(page, lit);
  await set(page, 'Night', false);
  check('the night has its own light, and the day is back', lit.every((_, i) => night[i].reduce((a, b) => a + b) < day[i].reduce((a, b) => a + b)) && JSON.stringify(await look(page, lit)) === JSON.stringify(day), JSON.stringify([day, night]));
  await set(page, '1 (flickers)', true);
  const flickers = new Set(await frames(page, lit, 10000));
  await set(page, 'Movement', false);
  await frames(page, lit, 300); // the light changes to its mean gradually
  const still = new Set(await frames(page, lit, 600));
  check('styles: light flickers, and stands still without movement', flickers.size > 1 && still.size === 1, `${flickers.size} pictures, then ${still.size}`);
  check('styles: nothing on the console', !logs.length, logs.join('\n  '));
  await page.context().close();
}

// ---- pictures of the surroundings, and what multiplies what is behind it
{
  const { page, logs } = await open(put('mirror.html', fs.readFileSync(path.join(dir, 'mirror.glb'))));
  await camera(page);
  const wrong = differences(mirrored, await look(page, mirrored), TOLERANCE);
  check(`${mirrored.length} pixels of what reflects or multiplies`, !wrong.length && !logs.length, [...wrong, ...logs].join('\n  '));
  await page.close();
}

// ---- a map of Source with models: levels of detail, and 200 props
const models = maps.find((m) => path.basename(m) === 'models.html');
if (models) {
  const text = fs.readFileSync(models, 'utf8'), pieces = [...text.matchAll(/<script type="text\/plain" class="glb">([^<]*)/g)].map((m) => Buffer.from(m[1], 'base64'));
  const file = zlib.gunzipSync(Buffer.concat(pieces)), triangles = (page) => page.evaluate(() => {
    let n = 0; // what can be drawn from anywhere, by three's own traversal
    globalThis.bsp2gltf.state.view.scene.traverseVisible((o) => { if (o.isMesh && o.layers.mask === 1) n += (o.geometry.index ?? o.geometry.attributes.position).count / 3 * (o.count ?? 1); });
    return n;
  });
  {
    const { page, logs } = await open(put('levels.html', file)), fine = await triangles(page), picture = [{ x: 0, y: 0 }];
    await set(page, 'Level', 1);
    const coarse = await triangles(page);
    await look(page, picture);
    await set(page, 'Level', 0);
    check(`levels of detail: ${fine} triangles, ${coarse} on level 1, and back`, coarse < fine && await triangles(page) === fine && !logs.length, logs.join('\n  '));
    await page.context().close();
  }
  const many = change((json) => {
    const props = json.nodes.filter((n) => n.extensions?.MSFT_lod), root = json.nodes[json.scenes[0].nodes[0]];
    for (let i = 0; i < 200; i++) {
      const { extensions, ...prop } = props[i % props.length];
      root.children.push(json.nodes.push({ ...prop, name: `prop ${i}`, translation: [i % 20 - 10, 0.5, Math.floor(i / 20) - 5] }) - 1);
    }
  }, file), { page, logs, state } = await open(put('props.html', many));
  const calls = await page.evaluate(() => {
    const { state: { view }, still } = globalThis.bsp2gltf;
    let pieces = 0;
    view.scene.traverseVisible((o) => { if (o.isMesh && !o.userData.bsp2gltf_merged) pieces++; });
    still(null);
    return [view.calls, pieces];
  });
  check(`200 props: ${calls[0]} draw calls for ${calls[1]} pieces`, state === 'ready' && !logs.length && calls[1] >= 200 && calls[0] < calls[1] / 2, logs.join('\n  '));
  await page.context().close();
}

// ---- glows of Half-Life: as large from anywhere, and weaker with distance
const glows = maps.find((m) => path.basename(m) === 'entities.html');
if (glows) {
  const { page, logs } = await open(path.resolve(glows)), seen = await page.evaluate(() => {
    const { state: { camera, view, canvas, gl, map }, still } = globalThis.bsp2gltf, meshes = [];
    view.scene.traverseVisible((o) => { if (o.isMesh) meshes.push(o); });
    const glow = meshes.find((o) => o.userData.glow || o.parent.userData.glow), [x, y, z] = glow.matrixWorld.elements.slice(12);
    for (const o of meshes) if (o !== glow) o.layers.mask = 0;
    return [100, 400].map((d) => {
      camera.go([x, y, z + d * map.unit], 0, 0);
      still(null);
      const pixels = new Uint8Array(4 * canvas.width * canvas.height);
      gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      const lit = pixels.filter((v, i) => i % 4 === 0 && v > 0);
      return { size: lit.length, most: lit.reduce((a, b) => Math.max(a, b), 0) };
    });
  });
  const [near, far] = seen;
  check('glows: as large from afar, and weaker', far.size > 0.8 * near.size && far.size < 1.25 * near.size && far.most < near.most / 3 && !logs.length, JSON.stringify([seen, logs]));
  await page.context().close();
}

// ---- spheres in the light of a grid (Quake III) and of probes (Source)
for (const map of maps.filter((m) => /^(lightgrid|brightgrid|models|ball.*)\.html$/.test(path.basename(m)))) {
  const { page, logs } = await open(path.resolve(map)), found = await page.evaluate(() => {
    const { state, still } = globalThis.bsp2gltf, { camera, canvas, gl, view, balls, failed } = state;
    const pixel = () => {
      still(null);
      const out = new Uint8Array(4);
      gl.readPixels(canvas.width / 2, canvas.height / 2, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, out);
      return [...out.slice(0, 3)];
    };
    [...document.querySelectorAll('#panel label')].find((e) => e.textContent.startsWith('Put balls')).querySelector('input').click();
    const before = pixel(), box = canvas.getBoundingClientRect();
    for (let look = 0; look < 16 && !balls.length; look++) {
      camera.go(camera.eye, look * Math.PI / 8, -0.3);
      pixel();
      const event = (type) => canvas.dispatchEvent(new PointerEvent(type, { pointerId: 1, pointerType: 'mouse', clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, button: 0, bubbles: true }));
      canvas.setPointerCapture = () => {};
      event('pointerdown');
      event('pointerup');
    }
    const [ball] = balls;
    if (!ball) return { before };
    const at = ball.position.toArray(), back = camera.direction.map((v) => -v);
    camera.go(at.map((v, k) => v + 40 * state.map.unit * back[k]), camera.yaw, camera.pitch); // close enough that the light hardly changes within a pixel
    const brighter = view.settings.exposure / state.exposure; // of a dark first view
    const want = state.ambient.light(ball.position).on(ball.position.clone().set(...back)).toArray().map((v) => Math.round(255 * Math.min(1, (0.5 * brighter * v <= 0.0031308 ? 12.92 * 0.5 * brighter * v : 1.055 * (0.5 * brighter * v) ** (1 / 2.4) - 0.055))));
    return { want, have: pixel(), logs: failed };
  });
  await page.screenshot({ path: path.join(dir, `${path.basename(map, '.html')}-ball.png`) });
  const ok = found.want && Math.max(...found.want) > 8 && found.want.every((v, k) => Math.abs(v - found.have[k]) <= 4) && !logs.length;
  check(`${path.basename(map)}: a ball in the light of its place`, ok, JSON.stringify([found, logs]));
  await page.context().close();
}

// ---- models
const model = maps.find((m) => path.basename(m) === 'signpost.html');
if (model) {
  await sequences({ ...drive, file: path.resolve(model) });
  const pieces = [...fs.readFileSync(model, 'utf8').matchAll(/class="glb">([^<]*)</g)].map((m) => Buffer.from(m[1], 'base64')), whole = zlib.gunzipSync(Buffer.concat(pieces));
  for (const [name, edit, message] of [['a joint that is missing', (j) => { j.skins[0].joints[0] = 9999; }, /nodes 9999/], ['too few joints', (j) => { j.skins[0].joints.length = 1; }, /joint \d+ of 1/],
    ['a skin that is missing', (j) => { j.nodes.find((n) => n.skin !== undefined).skin = 7; }, /skins 7/], ['too few matrices', (j) => { j.accessors[j.skins[0].inverseBindMatrices].count = 1; }, /skin 0/]]) {
    const { page, state } = await open(put('skin.html', change(edit, whole))), text = await page.textContent('#error');
    check(`broken, ${name}: a clear message`, state === 'failed' && message.test(text), `${state}: ${text}`);
    await page.context().close();
  }
}

// ---- broken files
for (const [name, data, message, packed] of [
  ['no glTF', Buffer.from('PK not a glTF file at all'), /does not start with "glTF"/],
  ['cut off', glb.subarray(0, glb.length - 500), /cut off/],
  ['empty', Buffer.alloc(0), /ends after 0 bytes/],
  ['broken JSON', Buffer.concat([glb.subarray(0, 20), Buffer.from('{{{{'), glb.subarray(24)]), /JSON/],
  ['broken gzip', null, /can't be unpacked/, Buffer.from('this is no gzip stream')],
  ['an accessor outside', change((j) => { j.accessors[0].count = 1e6; }), /accessor 0/],
  ['an index outside', change((j) => { j.accessors.find((a) => a.componentType === 5123).bufferView = 0; }), /vertex|bufferView/],
  ['a node that is its parent', change((j) => { j.nodes[0].children = [0]; }), /node 0/],
  ['a missing mesh', change((j) => { j.nodes[0].mesh = 999; }), /meshes 999/],
]) {
  const { page, state, logs } = await open(put('broken.html', data, packed));
  const text = await page.textContent('#error');
  check(`broken, ${name}: a clear message`, state === 'failed' && /damaged/.test(text) && message.test(text), `${state}: ${text} ${logs}`);
  await page.context().close();
}
{
  const { page, state } = await open(put('image.html', change((j) => { j.images[0].bufferView = j.images.length > 1 ? j.accessors[0].bufferView : 0; })));
  check('a broken image is grey, and said', state === 'ready' && await page.evaluate(() => globalThis.bsp2gltf.state.failed.length === 1), state);
  await page.context().close();
}

// ---- what maps hide: each kind is shown on one map
const seen = new Set();
for (const map of maps.filter((m) => /^(demo|showcase|entities|raven|beside|fog)\.html$/.test(path.basename(m)))) await parts({ ...drive, map, seen });
if (maps.length > 1) check('the maps have every kind of hidden part', ['sky', '3D skybox', 'triggers', 'hidden brushes', 'collision'].every((k) => seen.has(k)), [...seen].join(', '));

// ---- maps as they are
for (const map of maps) {
  const { page, logs, state } = await open(path.resolve(map), { size: [960, 600] });
  const found = await page.evaluate(() => {
    const { state: { view, gl, canvas }, still } = globalThis.bsp2gltf;
    let pieces = 0;
    view.scene.traverseVisible((o) => { if (o.isMesh && !o.userData.bsp2gltf_merged) pieces++; });
    still(null);
    const t = performance.now();
    for (let i = 0; i < 3; i++) {
      still(null);
      gl.finish();
    }
    const pixels = new Uint8Array(4 * 64 * 64);
    gl.readPixels(canvas.width / 2 - 32, canvas.height / 2 - 32, 64, 64, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return { missing: document.querySelector('#missing li')?.textContent, calls: view.calls, pieces, triangles: view.renderer.info.render.triangles, ms: (performance.now() - t) / 3,
      lit: pixels.some((v, i) => i % 4 < 3 && v > 8) };
  });
  await page.screenshot({ path: path.join(dir, `${path.basename(map, '.html')}.png`) });
  if (path.basename(map) === 'missing.html') check('missing.html says what is missing', found.missing === 'textures/features/missing', found.missing);
  if (path.basename(map) === 'demo.html') check('demo.html lacks nothing', found.missing === undefined, found.missing);
  check(`${path.basename(map)}: ${found.calls} draw calls for ${found.pieces} pieces, ${found.triangles} triangles, ${found.ms.toFixed(0)} ms`, state === 'ready' && !logs.length, logs.join('\n  '));
  await page.context().close();
}
await browser.close();
process.exit(failures ? 1 : 0);
