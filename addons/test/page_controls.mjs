// Tests the page's switches, lists and keys, for page_test.mjs: each must change the picture, and change it back.
import path from 'node:path';
import { differences } from './client.mjs';

// frames reads pixels of frames that the page itself draws, for some milliseconds or until they differ, as a list of texts.
export const frames = (page, at, ms) => page.evaluate(([places, span]) => new Promise((done) => {
  const { state } = globalThis.bsp2gltf, seen = [], pixel = new Uint8Array(4), begin = performance.now();
  const step = (now) => { // after the page's own callback, which was registered earlier
    const { gl, canvas } = state;
    if (now > begin + 100) {
      seen.push(JSON.stringify(places.map(([x, y]) => {
        gl.readPixels(x, canvas.height - 1 - y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        return [...pixel.slice(0, 3)];
      })));
    }
    state.dirty = true; // a buffer is empty if nothing was drawn
    const enough = now >= begin + span && seen.length >= span / 100; // a slow machine draws few frames in a span
    if (seen.length < 2 || !enough && seen.at(-1) === seen[0]) requestAnimationFrame(step);
    else done(seen);
  };
  state.dirty = true; // the first frame may come late
  requestAnimationFrame(step);
}), [at.map((s) => [s.x, s.y]), ms]);

const say = (page) => page.textContent('#say');
const press = (page, text) => page.evaluate((t) => [...document.querySelectorAll('#panel button')].find((b) => b.textContent === t).click(), text);

// settings tests the switches of the section View with test.glb.
export async function settings({ open, look, set, camera, check, files, samples, moved, shaded, ranged, veiled, tolerance }) {
  const { page, logs } = await open(files.page);
  await camera(page);
  const still = moved.map((m) => ({ ...m, rgb: samples.find((s) => s.name === m.name).rgb }));
  const on = new Set(await frames(page, moved, 10000));
  await set(page, 'Movement', false);
  const off = new Set(await frames(page, still, 600)), wrong = differences(still, JSON.parse([...off][0]), tolerance);
  check('Movement off: all stands still, as the file has it', on.size > 1 && off.size === 1 && !wrong.length, `${on.size} pictures, then ${off.size}\n  ${wrong.join('\n  ')}`);
  await set(page, 'Movement', true);
  check('Movement on: it goes on', new Set(await frames(page, moved, 10000)).size > 1);
  await set(page, 'Movement', false);

  const fogged = shaded.filter((s) => s.clear), unfogged = fogged.map((s) => ({ ...s, rgb: s.clear }));
  await set(page, 'Fog', false);
  const without = differences(unfogged, await look(page, unfogged), tolerance);
  await set(page, 'Fog', true);
  const within = differences(fogged, await look(page, fogged), tolerance);
  check('Fog: a volume, without and with it', !without.length && !within.length, [...without, ...within].join('\n  '));

  const [sky] = samples.filter((s) => s.name === 'sky'), black = { ...sky, rgb: [0, 0, 0] };
  await set(page, 'Sky', false);
  const dark = differences([black], await look(page, [black]), 0);
  await set(page, 'Sky', true);
  check('Sky: without and with it', !dark.length && !differences([sky], await look(page, [sky]), tolerance).length, dark.join());

  // An entity's marker covers what is behind it: info_player_start, 1 metre in front of the camera and 1 to the right.
  const { width, height } = page.viewportSize(), there = [{ x: Math.round(width / 2 + height / 2), y: height / 2 }], markers = [];
  for (const v of [true, false]) {
    await set(page, 'Markers', v);
    markers.push((await frames(page, there, 300)).at(-1));
  }
  check('Markers are drawn', markers[0] !== markers[1] && /^\[\[7[67],230,10[12]\]\]$/.test(markers[0]), markers.join(' '));

  const ahead = async (speed) => {
    await camera(page);
    await set(page, 'Speed', speed);
    return page.evaluate(() => {
      const { camera: c } = globalThis.bsp2gltf.state, from = c.eye;
      c.held.add('KeyW');
      c.step(0.1);
      c.held.clear();
      return Math.hypot(...c.eye.map((v, i) => v - from[i]));
    });
  };
  const [slow, fast] = [await ahead(1), await ahead(20)];
  check('Speed: metres in a tenth of a second', Math.abs(slow - 0.1) < 1e-6 && Math.abs(fast - 2) < 1e-6, `${slow} ${fast}`);
  check('switches: nothing on the console', !logs.length, logs.join('\n  '));
  await page.context().close();

  const far = await open(files.range), { page: p } = far;
  await camera(p);
  const foggy = differences(ranged, await look(p, ranged), tolerance);
  await set(p, 'Fog', false);
  const plain = ranged.map((r) => ({ ...r, rgb: r.clear ?? samples.find((s) => s.name === r.name).rgb })), clear = differences(plain, await look(p, plain), tolerance);
  check('Fog: by distance, with and without it', !foggy.length && !clear.length && !far.logs.length, [...foggy, ...clear, ...far.logs].join('\n  '));
  await p.context().close();

  const inside = await open(files.inside), from = inside.page;
  await camera(from);
  const hazy = differences(veiled, await look(from, veiled), tolerance);
  check('Fog: the surface of a volume, from inside', !hazy.length && !inside.logs.length, [...hazy, ...inside.logs].join('\n  '));
  await from.context().close();
}

// skins tests the choice of materials: a file in which one tile has another's material as a skin.
export async function skins({ open, look, set, camera, check, file, samples, tolerance }) {
  const { page, logs } = await open(file), of = (name) => samples.filter((s) => s.name.startsWith(`${name} `));
  await camera(page);
  const own = of('texture'), other = own.map((s, i) => ({ ...s, rgb: of('texture_factor_no_intensity')[i].rgb }));
  const first = differences(own, await look(page, own), tolerance);
  await set(page, 'Skin', '0');
  const second = differences(other, await look(page, other), tolerance);
  await set(page, 'Skin', '-1');
  const third = differences(own, await look(page, own), tolerance);
  check('a skin is chosen, and the map\'s again', !first.length && !second.length && !third.length && !logs.length, [...first, ...second, ...third, ...logs].join('\n  '));
  await page.context().close();
}

// sequences tests the list of a model's sequences: the idle one is played at the start, others when they are chosen.
export async function sequences({ open, set, check, file }) {
  const { page, logs, state } = await open(file);
  const turned = () => page.evaluate(() => {
    const turns = [];
    globalThis.bsp2gltf.state.view.root.traverse((o) => { if (o.isBone) turns.push(...o.quaternion.toArray(), ...o.position.toArray()); });
    return JSON.stringify(turns);
  });
  const names = await page.evaluate(() => globalThis.bsp2gltf.state.motion.sequences.map((s) => s.name));
  const listed = await page.locator('#panel details', { hasText: 'Sequences' }).locator('li button span').allTextContents();
  check('a model lists its sequences', state === 'ready' && names.length > 1 && names.join() === listed.join(), `${names}; ${listed}`);
  await page.waitForFunction(() => globalThis.bsp2gltf.state.sequence.action.time > 0, null, { timeout: 60000 });
  const moved = await turned();
  await set(page, 'Movement', false);
  const still = await turned();
  check('a model moves by itself, and stands with Movement off', moved !== still && await page.evaluate(() => !globalThis.bsp2gltf.state.motion.playing));
  for (const name of names) {
    await page.evaluate((n) => [...document.querySelectorAll('#panel li button')].find((b) => b.firstChild.textContent === n).click(), name);
    const running = await page.evaluate(() => globalThis.bsp2gltf.state.motion.sequences.filter((s) => s.action.isRunning() || s.action.time > 0).map((s) => s.name));
    check(`${name} is played alone`, running.join() === name || !running.length, running.join());
  }
  const seen = await page.evaluate(() => {
    const { view, camera } = globalThis.bsp2gltf.state, inside = [];
    for (let i = 0; i < 8; i++) {
      const { x, y } = view.eye.clone().set(...[0, 1, 2].map((k) => (i >> k & 1 ? view.high[k] : view.low[k]))).project(view.camera);
      inside.push(Math.abs(x), Math.abs(y));
    }
    const front = camera.eye[0] > (view.low[0] + view.high[0]) / 2;
    return { most: Math.max(...inside), front, lit: view.lamp?.intensity > 0, wall: view.renderer.getClearColor(view.lamp.color.clone()).getHex() };
  });
  check('a model is framed, lit and seen from in front, before grey', seen.most > 0.7 && seen.most < 1.02 && seen.front && seen.lit && seen.wall > 0, JSON.stringify(seen));
  const box = await page.evaluate(() => { const { view } = globalThis.bsp2gltf.state; return [...view.low, ...view.high]; });
  check('a model has a size', box.every(Number.isFinite) && box[4] - box[1] > 0.5, box.join());
  check('nothing on the console', !logs.length, logs.join('\n  '));
  await page.context().close();
  const quiet = await open(file, { reducedMotion: 'reduce' });
  check('with reduced motion nothing is played', await quiet.page.evaluate(() => !globalThis.bsp2gltf.state.motion.playing));
  await quiet.page.context().close();
}

// places tests what moves the camera: lists, buttons and keys.
export async function places({ open, eye, camera, check, file }) {
  const { page, logs } = await open(file, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.evaluate(() => { for (const d of document.querySelectorAll('details')) d.open = true; });
  await page.click('#menu');
  const known = await page.evaluate(() => globalThis.bsp2gltf.state.map.bookmarks.map((b) => b.at)), near = (a, b) => a.every((v, i) => Math.abs(v - b[i]) < 1e-3);
  const begin = await eye(page);
  check('the first place is where one starts', near(begin.e, known[0]), JSON.stringify([begin, known]));
  const lists = page.locator('#panel .list'), entries = lists.first().locator('li button');
  check('every place is listed', await entries.count() === known.length, `${await entries.count()} of ${known.length}`);
  await entries.last().click();
  check('a click on a place goes there', near((await eye(page)).e, known.at(-1)));
  await page.fill('input[aria-label="Search places"]', 'no such place');
  check('the search of places finds nothing that is not there', await entries.count() === 0);
  await page.fill('input[aria-label="Search places"]', '');
  await page.focus('#view');
  await page.keyboard.press('KeyH');
  check('H goes to the start', near((await eye(page)).e, known[0]));
  const visited = [];
  for (let i = 0; i < known.length; i++) {
    await page.keyboard.press('KeyN');
    visited.push((await eye(page)).e);
  }
  check('N goes from place to place', visited.every((v, i) => near(v, known[(i + 1) % known.length])), JSON.stringify([visited, known]));
  await page.keyboard.press('KeyO');
  const orbit = (await eye(page)).mode;
  await page.keyboard.press('KeyO');
  check('O switches between orbit and flight', orbit === 'orbit' && (await eye(page)).mode === 'fly');
  await page.keyboard.press('Slash');
  const help = await page.evaluate(() => document.getElementById('helpBox').open);
  await page.click('#helpBox button');
  check('/ shows the help, and it closes', help && await page.evaluate(() => !document.getElementById('helpBox').open));
  await page.click('#help');
  await page.keyboard.press('Escape');
  check('Escape closes the help', await page.waitForFunction(() => !document.getElementById('helpBox').open, null, { timeout: 5000 }).then(() => true, () => false));
  await page.focus('#view');
  const full = [];
  for (let i = 0; i < 2; i++) {
    await page.keyboard.press('KeyF');
    full.push(await page.waitForFunction((on) => !!document.fullscreenElement === on, i === 0, { timeout: 5000 }).then(() => true, () => false));
  }
  check('F shows the page on the full screen, and back', full.every(Boolean), String(full));
  // A gamepad for a tenth of a second: left stick forward, right stick to the right, right trigger to go up.
  const held = await page.evaluate(() => {
    const { camera: c } = globalThis.bsp2gltf.state, buttons = Array.from({ length: 17 }, (_, i) => ({ value: i === 7 ? 0.5 : 0 })), pads = (axes) => { navigator.getGamepads = () => [null, { mapping: 'standard', axes, buttons }]; };
    c.go([0, 0, 0], 0, 0);
    c.speed = 10;
    pads([0.1, -1, 1, 0]); // the first value is within a stick's dead zone
    c.step(0.1);
    delete navigator.getGamepads;
    return [...c.eye, c.yaw];
  });
  check('a gamepad moves and looks', [0, 0.5, -1, -0.16].every((v, i) => Math.abs(v - held[i]) < 1e-6), String(held));
  await page.focus('#view');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('KeyP')]);
  check('P saves a picture', /\.png$/.test(download.suggestedFilename()));
  const listed = lists.last().locator('li button');
  await listed.last().click();
  const shown = await page.evaluate(() => !document.getElementById('detailsBox').hidden);
  await camera(page).catch(() => {});
  const before = (await eye(page)).e;
  await page.evaluate(() => [...document.querySelectorAll('#details button')].find((b) => b.textContent === 'Go there').click());
  const gone = (await eye(page)).e, at = await page.evaluate(() => globalThis.bsp2gltf.state.chosen.at);
  check('"Go there" goes to the entity', shown && Math.abs(Math.hypot(...gone.map((v, i) => v - at[i])) - 4) < 0.01 && !near(gone, before), JSON.stringify([gone, at]));
  await page.focus('#view');
  await page.keyboard.press('Escape');
  check('Escape closes what is chosen', await page.evaluate(() => document.getElementById('detailsBox').hidden));
  await press(page, 'Copy the link');
  await page.waitForFunction(() => /link/.test(document.getElementById('say').textContent), null, { timeout: 5000 }).catch(() => {});
  const link = /copied/.test(await say(page)) ? await page.evaluate(() => navigator.clipboard.readText()) : page.url();
  check('the link is copied, with the eye', /#at=-?[\d.]+,-?[\d.]+,-?[\d.]+&look=/.test(link), `${await say(page)} ${link}`);
  check('places: nothing on the console', !logs.length, logs.join('\n  '));
  await page.context().close();
}

// views tests the first view, and the views of the whole map: all corners of its box are in the picture, and fill it.
export async function views({ open, eye, check, file, range }) {
  const { page, logs } = await open(file), near = (a, b) => a.every((v, i) => Math.abs(v - b[i]) < 2e-3);
  const stated = await page.evaluate(() => globalThis.bsp2gltf.state.gltf.parser.json.scenes[0].extras.bsp2gltf_view), begin = await eye(page);
  check('the page opens with the view that the file states', near([...begin.e, begin.yaw, begin.pitch], [...stated.at, stated.yaw, stated.pitch]) && begin.mode === 'fly', JSON.stringify([stated, begin]));
  const shown = () => page.evaluate(() => {
    const { state: { view, camera, canvas } } = globalThis.bsp2gltf, most = [0, 0];
    view.look(camera, canvas.clientWidth, canvas.clientHeight);
    for (let i = 0; i < 8; i++) {
      const at = view.camera.position.clone().set(...[0, 1, 2].map((k) => (i >> k & 1 ? view.high[k] : view.low[k]))).project(view.camera);
      if (Math.abs(at.z) > 1) most[0] = Infinity;
      most[0] = Math.max(most[0], Math.abs(at.x));
      most[1] = Math.max(most[1], Math.abs(at.y));
    }
    return most;
  });
  for (const [key, name] of [['KeyM', 'the whole map'], ['KeyT', 'a plan']]) {
    await page.focus('#view');
    await page.keyboard.press(key);
    const there = await eye(page), most = await shown();
    check(`${key[3]} shows ${name}`, Math.max(...most) <= 1 && Math.max(...most) > 0.8 && there.mode === 'orbit' && (key !== 'KeyT' || there.pitch < -1.56), JSON.stringify([most, there]));
    await page.keyboard.press('KeyH');
    const back = await eye(page);
    check(`H goes back from ${name}`, near(back.e, stated.at) && back.mode === 'fly' && back.fov === 75, JSON.stringify(back));
  }
  const linked = await open(file, { hash: '#at=1,2,3&look=10,0' });
  check('a link with a view wins', near((await eye(linked.page)).e, [1, 2, 3]) && !logs.length && !linked.logs.length, [...logs, ...linked.logs].join('\n  '));
  await linked.page.context().close();
  await page.context().close();

  const foggy = await open(range), on = () => foggy.page.evaluate(() => {
    globalThis.bsp2gltf.still(null);
    return globalThis.bsp2gltf.state.view.parts.fog.on;
  }), within = await on();
  await foggy.page.focus('#view');
  await foggy.page.keyboard.press('KeyM');
  check('there is no fog from outside', within && !await on());
  await foggy.page.context().close();
}

// missing tests what a page says about files that were not found: a line that expands to their names, or nothing.
export async function missing({ open, check, files }) {
  for (const [name, want] of Object.entries({ complete: null, one: ['1 texture is missing', 1], many: ['12 textures and 300 models are missing', 101] })) {
    const { page, logs } = await open(files[name], { size: [960, 600] }), found = () => page.evaluate(() => {
      const box = document.getElementById('missing'), list = box?.querySelector('ul');
      return box && { title: box.querySelector('summary').textContent, shown: list.checkVisibility(), items: [...list.children].map((e) => e.textContent), markup: list.querySelectorAll('li *').length };
    });
    const closed = await found();
    if (!want) check('nothing is missing: the page does not say so', closed === null && !logs.length, JSON.stringify([closed, logs]));
    else {
      await page.click('#missing summary');
      const opened = await found(), [title, count] = want;
      check(`missing: ${title}`, closed.title === `${title}: convert again with --game FOLDER of the game` && !closed.shown && opened.shown && !logs.length, JSON.stringify([closed, opened.shown, logs]));
      check(`missing: ${count} lines, which are text`, opened.items.length === count && opened.items[0] === '<img src=x onerror=alert(1)>' && !opened.markup && (count === 1 || opened.items.at(-1) === 'and 212 more'), JSON.stringify(opened));
    }
    await page.context().close();
  }
}

// walks tests walking in the demo map, with its hulls and with its visible surfaces. Its floor is at 0, the eye 50 units above. A box
// of 32 units stops 16 units before a wall, which is at -15.75 metres. A stage of 2 metres has stairs of half a metre, which are 16
// units.
export async function walks({ open, set, check, files }) {
  const UNIT = 1 / 32, EYE = 50 * UNIT, near = (a, b) => Math.abs(a - b) < 0.01;
  for (const [kind, file] of Object.entries(files)) {
    const { page, logs } = await open(file);
    await set(page, 'Move', 'walk');
    const walk = (from, yaw, keys, seconds) => page.evaluate(([at, turn, held, time]) => {
      const { camera: c } = globalThis.bsp2gltf.state;
      let air = 0, top = -Infinity;
      if (at) c.go(at, turn, 0);
      c.yaw = turn;
      for (let i = 0; i < 60 * time; i++) {
        c.held = new Set(held);
        c.step(1 / 60);
        top = Math.max(top, c.eye[1]);
        air += !c.walker.grounded;
      }
      c.held.clear();
      return { eye: c.eye, air, top };
    }, [from, yaw, keys, seconds]);
    const ok = (what, good, found) => check(`${kind}: ${what}`, good, JSON.stringify(found));
    const fall = await walk([-10, 4, 4.5], 0, [], 2);
    ok('one falls to the floor', near(fall.eye[1], EYE) && near(fall.eye[0], -10), fall);
    const wall = await walk([-10, EYE, 4.5], Math.PI / 2, ['KeyW'], 3);
    ok('a wall stops one', near(wall.eye[0], -15.25) && near(wall.eye[1], EYE) && near(wall.eye[2], 4.5), wall);
    const along = await walk(null, 0.75 * Math.PI, ['KeyW'], 0.7);
    ok('one slides along a wall', near(along.eye[0], -15.25) && along.eye[2] > 6.5, along);
    const up = await walk([-2.25, EYE, 3], Math.PI, ['KeyW'], 3);
    ok('one climbs stairs', near(up.eye[1], 2 + EYE) && up.eye[2] > 8.5, up);
    const down = await walk(null, 0, ['KeyW'], 1.8);
    ok('one goes down stairs without a fall', near(down.eye[1], EYE) && down.eye[2] < 5 && down.air === 0, down);
    const jump = await walk([-2.25, EYE, 4], 0, [], 0.5), leap = await walk(null, 0, ['Space'], 0.4), after = await walk(null, 0, [], 1);
    ok('Space jumps 45 units high', near(jump.eye[1], EYE) && Math.abs(leap.top - EYE - 45.6 * UNIT) < 0.1 && near(after.eye[1], EYE), [jump, leap, after]);
    await page.focus('#view');
    await page.keyboard.press('KeyG');
    const flying = await page.evaluate(() => globalThis.bsp2gltf.state.camera.mode);
    await page.keyboard.press('KeyG');
    ok('G changes between flying and walking, and the link says so', flying === 'fly' && await page.waitForFunction(() => /walk=1/.test(location.hash), null, { timeout: 5000 }).then(() => true, () => false), flying);
    const yaw = () => page.evaluate(() => globalThis.bsp2gltf.state.camera.yaw), locked = (on) => page.waitForFunction((v) => !!document.pointerLockElement === v, on, { timeout: 5000 }).then(() => true, () => false);
    await page.keyboard.press('KeyL');
    const begun = await locked(true), before = await yaw();
    await page.mouse.move(300, 100);
    await page.mouse.move(350, 100, { steps: 3 });
    const turned = await yaw();
    await page.keyboard.press('KeyL');
    ok('L has the mouse look around without a button, and ends that', begun && turned !== before && await locked(false), [begun, before, turned]);
    ok('nothing on the console', !logs.length, logs);
    await page.context().close();
  }
}

// parts shows and hides what a map hides: some parts of each kind are looked at from all sides.
export async function parts({ open, set, check, map, seen }) {
  const { page, logs } = await open(path.resolve(map));
  const kinds = await page.evaluate(() => [...globalThis.bsp2gltf.state.map.kinds.keys()]);
  const picture = () => page.evaluate(() => {
    const { state: s, still } = globalThis.bsp2gltf, pixels = new Uint8Array(4 * s.canvas.width * s.canvas.height);
    still(null);
    s.gl.readPixels(0, 0, s.canvas.width, s.canvas.height, s.gl.RGBA, s.gl.UNSIGNED_BYTE, pixels);
    let sum = 0;
    for (let i = 0; i < pixels.length; i++) sum = (31 * sum + pixels[i]) | 0;
    return sum;
  });
  for (const kind of kinds) {
    const label = kind[0].toUpperCase() + kind.slice(1), first = await page.evaluate((k) => globalThis.bsp2gltf.state.view.shown.has(k), kind);
    let changed = false;
    for (let turn = 0; turn < 36 && !changed; turn++) {
      await page.evaluate(([k, t]) => { // from the side, at a distance of the part's size, or from inside
        const { state: s, boxOf } = globalThis.bsp2gltf, objects = s.map.kinds.get(k), piece = boxOf([objects[Math.floor(t / 6) % objects.length]], () => true), middle = piece.low.map((v, i) => (v + piece.high[i]) / 2);
        s.camera.go(middle, t * Math.PI / 3, t % 2 ? 0.3 : -0.3);
        if (k !== 'sky') s.camera.go(middle.map((v, i) => v - s.camera.direction[i] * Math.hypot(...piece.low.map((l, c) => piece.high[c] - l))), t * Math.PI / 3, t % 2 ? 0.3 : -0.3);
      }, [kind, turn]);
      const before = await picture();
      await set(page, label, !first);
      const other = await picture();
      await set(page, label, first);
      changed = before !== other && await picture() === before;
    }
    seen.add(kind);
    check(`${path.basename(map)}: ${label} ${first ? 'off' : 'on'} changes the picture, and back`, changed);
  }
  if (kinds.length) check(`${path.basename(map)}: hidden parts: nothing on the console`, !logs.length, logs.join('\n  '));
  await page.context().close();
}

// movements tests what moves by itself, and what a click, a button or the list moves.
export async function movements({ open, look, set, camera, check, file, acted, tolerance }) {
  const { page, logs } = await open(file, { reducedMotion: 'reduce' }), { width, height } = page.viewportSize();
  await camera(page);
  const at = async (state, time, what) => {
    const wrong = differences(acted[state], await look(page, acted[state], time), tolerance);
    check(`movements: ${what}`, !wrong.length, wrong.join('\n  '));
  };
  const picked = (x, y, time) => page.evaluate(([u, v, t]) => {
    const { state: { motion }, pick } = globalThis.bsp2gltf;
    if (t !== null) {
      motion.still();
      motion.calm = false;
      motion.update(t);
    }
    return pick(u, v)?.name;
  }, [width / 2 + x * 90, height / 2 - y * 90 - 8, time]);
  const played = () => page.evaluate(() => globalThis.bsp2gltf.state.motion.movements.filter((a) => a.action.isScheduled()).map((a) => a.name).sort().join());
  await at('rest', null, 'at rest');
  await at('start', 1, 'what moves by itself');
  const hits = [await picked(1, 0, 1), await picked(2, 0, 1), await picked(-1, 0, 1)];
  check('movements: what has moved is picked where it is', hits.join() === 'lift,lamp,door', hits.join());
  await at('rest', null, 'at rest again');
  await page.mouse.click(width / 2 - 90, height / 2 - 8);
  const clicked = await played(), said = await say(page);
  check('movements: a click on a door opens it', clicked === 'door open,leaf open' && said === 'door open', `${clicked}, ${said}`);
  await page.waitForFunction(() => globalThis.bsp2gltf.state.motion.movements.some((a) => a.action.isScheduled() && a.action.paused), null, { timeout: 20000 });
  const door = await picked(-1, 1, null);
  check('movements: it is open at the end, and drawn there', door === 'door' && !differences(acted.open.slice(0, 4), JSON.parse((await frames(page, acted.open.slice(0, 4), 300)).at(-1)), tolerance).length, door);
  await page.evaluate(() => [...document.querySelectorAll('#details button')].find((b) => b.textContent === 'Play close').click());
  check('movements: a button closes it', await played() === 'door close,leaf close', await played());
  const list = await page.evaluate(() => [...document.querySelectorAll('#panel details')].find((d) => /^Movements/.test(d.textContent)).textContent);
  await page.evaluate(() => [...document.querySelectorAll('#panel .list li button')].find((b) => b.textContent.startsWith('lift cycle')).click());
  check('movements: they are listed, and played from there', list.includes('door open') && await played() === 'door close,leaf close,lift cycle', `${list}; ${await played()}`);
  await set(page, 'Movement', true);
  await set(page, 'Movement', false);
  check('movements: Movement off ends them', await played() === '', await played());
  check('movements: nothing on the console', !logs.length, logs.join('\n  '));
  await page.context().close();
}
