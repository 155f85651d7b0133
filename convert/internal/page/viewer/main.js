// Starts the page: unpacks the file, loads it, and ties the controls to the picture.
import { FileError, parseGLB } from './glb.js';
import { add, length, pitchOf, point, subtract, times, unit, yawOf, cross, clamp } from './math.js';
import { readScene } from './scene.js';
import { Programs } from './shader.js';
import { makeBatches } from './batch.js';
import { Styles, Textures } from './textures.js';
import { Renderer } from './render.js';
import { Camera } from './camera.js';
import { pick } from './pick.js';
import { makeBall, readAmbient } from './ball.js';
import { $, button, choice, fail, make, say, searchable, section, slider, table, toggle } from './ui.js';

const state = {};

// unpack returns the file that is in the page: gzip in base64, in pieces.
async function unpack() {
  const pieces = [...document.querySelectorAll('script.glb')];
  if (!pieces.length) throw new FileError('The page holds no map.');
  const stream = new ReadableStream({
    pull(controller) {
      const piece = pieces.shift();
      if (!piece) return controller.close();
      const text = atob(piece.textContent.trim()), bytes = new Uint8Array(text.length);
      for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
      piece.remove();
      controller.enqueue(bytes);
    },
  });
  return new Uint8Array(await new Response(stream.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
}

async function start() {
  const canvas = $('view');
  const gl = canvas.getContext('webgl2', { antialias: true, alpha: false, powerPreference: 'high-performance' });
  if (!gl) return fail('This browser shows no 3D', 'WebGL 2 is needed. It may be switched off, or the graphics driver is too old.');
  let bytes;
  try {
    bytes = await unpack();
  } catch (error) {
    return fail('The map in this page is damaged', error instanceof FileError ? error.message : 'It can\'t be unpacked: the page may be cut off. Save or convert it again.');
  }
  try {
    const scene = readScene(parseGLB(bytes));
    const programs = new Programs(gl, scene.unit), textures = new Textures(gl, scene), styles = new Styles(gl, scene, textures, programs);
    const ambient = readAmbient(scene), renderer = new Renderer(gl, scene, programs, textures, styles);
    Object.assign(state, { canvas, gl, scene, programs, textures, styles, renderer, ambient, variant: -1, level: 0, dirty: true, motion: !matchMedia('(prefers-reduced-motion: reduce)').matches });
    rebuild();
    const { low, high } = bounds(renderer.batches);
    Object.assign(state, { low, high });
    renderer.fit(low, high);
    await textures.load((done, all) => { $('loaded').textContent = `${done} of ${all} textures`; });
    await styles.update(null);
  } catch (error) {
    if (!(error instanceof FileError) && !(error instanceof RangeError)) throw error;
    return fail('The map in this page is damaged', error.message);
  }
  state.camera = new Camera(canvas, { changed: touch, clicked, hovered });
  state.camera.speed = clamp(length(subtract(state.high, state.low)) / 15, 3, 40);
  panel();
  home();
  readLink();
  addEventListener('hashchange', readLink);
  addEventListener('resize', touch);
  canvas.addEventListener('webglcontextlost', (e) => {
    e.preventDefault();
    fail('The graphics card gave up', 'Reload the page to go on.');
  });
  $('load').hidden = true;
  document.body.dataset.state = 'ready';
  document.title = state.scene.name;
  for (const text of state.textures.failed.slice(0, 3)) say(`An image can't be shown: ${text}`);
  requestAnimationFrame(loop);
}

function rebuild() {
  for (const b of state.renderer.batches) b.free(state.gl);
  state.renderer.batches = makeBatches(state.gl, state.scene, state, state.programs);
  touch();
}

// bounds is the box around what is drawn of the map itself.
function bounds(batches) {
  const low = [Infinity, Infinity, Infinity], high = low.map((v) => -v);
  for (const kinds of [[''], ['', '3D skybox', 'hidden brushes', 'sky']]) {
    for (const b of batches) {
      if (!kinds.includes(b.kind)) continue;
      for (const p of b.pieces) for (let c = 0; c < 3; c++) [low[c], high[c]] = [Math.min(low[c], p.low[c]), Math.max(high[c], p.high[c])];
    }
    if (low[0] <= high[0]) return { low, high };
  }
  return { low: [-1, -1, -1], high: [1, 1, 1] };
}

function touch() { state.dirty = true; }

let last = 0;
function loop(now) {
  const seconds = Math.min((now - last) / 1000, 0.1);
  last = now;
  const { camera, renderer, styles, canvas } = state;
  if (camera.step(seconds)) keepLink();
  const time = state.motion ? now / 1000 : null;
  if (state.motion && (state.moving ?? (state.moving = movesAtAll()))) touch();
  if (styles.sheets.size) styles.update(time).then(() => {});
  if (state.motion && styles.flickers) touch();
  if (state.scene.acts.set(time, now / 1000)) touch();
  if (state.dirty) {
    state.dirty = false;
    const ratio = Math.min(devicePixelRatio || 1, 2) * (state.scale ?? 1), width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    renderer.draw(camera, width, height, time, { points: markers(), lines: drawn() });
    state.drawnAt = performance.now();
    status();
    if (state.shot) saveShot();
  }
  requestAnimationFrame(loop);
}

const movesAtAll = () => state.scene.materials.some((m) => ['base', 'glow', 'color', 'glow_color', 'deform', 'frames'].some((k) => m.motion[k]));

// ---- where one is

function home() {
  const { scene, camera, low, high } = state, [first] = scene.bookmarks;
  if (first) return goTo(first);
  const middle = times(add(low, high), 0.5), away = length(subtract(high, low));
  camera.go(add(middle, [0.3 * away, 0.4 * away, 0.6 * away]), 0, 0);
  camera.lookAt(middle);
}

function goTo({ at, yaw, pitch, fov }) {
  state.camera.fov = fov ? fov * 180 / Math.PI : 75;
  state.controls?.fov.show(Math.round(state.camera.fov));
  state.camera.go(at, yaw, pitch);
  keepLink();
}

// The link holds where the eye is and how the light is: #at=x,y,z&look=yaw,pitch&light=1&exposure=0&mode=orbit.
function link() {
  const { camera, renderer: { settings } } = state, n = (v, d = 2) => String(Number(v.toFixed(d)));
  const parts = [`at=${camera.eye.map((v) => n(v)).join(',')}`, `look=${n(camera.yaw * 180 / Math.PI, 1)},${n(camera.pitch * 180 / Math.PI, 1)}`];
  if (camera.fov !== 75) parts.push(`fov=${n(camera.fov, 1)}`);
  if (settings.strength !== 1) parts.push(`light=${n(settings.strength)}`);
  if (settings.exposure !== state.scene.exposure) parts.push(`exposure=${n(Math.log2(settings.exposure))}`);
  if (camera.mode === 'orbit') parts.push(`orbit=${n(camera.away)}`);
  if (!settings.textures) parts.push('show=light');
  if (!settings.light) parts.push('show=textures');
  if (state.styles.night) parts.push('night=1');
  return `#${parts.join('&')}`;
}

function keepLink() {
  clearTimeout(state.linkTimer);
  state.linkTimer = setTimeout(() => {
    state.ownHash = link();
    try {
      history.replaceState(null, '', state.ownHash);
    } catch { // some browsers forbid it for files
      location.hash = state.ownHash;
    }
  }, 300);
}

function readLink() {
  if (location.hash === state.ownHash || location.hash.length < 2) return;
  const q = new URLSearchParams(location.hash.slice(1)), numbers = (key, n) => {
    const list = (q.get(key) ?? '').split(',').map(Number);
    return list.length === n && list.every((v) => Number.isFinite(v) && Math.abs(v) < 1e7) && q.get(key) ? list : null;
  };
  const { camera, renderer: { settings }, controls } = state, at = numbers('at', 3), look = numbers('look', 2);
  camera.fov = clamp(numbers('fov', 1)?.[0] ?? 75, 10, 130);
  if (at) camera.go(at, (look?.[0] ?? 0) * Math.PI / 180, (look?.[1] ?? 0) * Math.PI / 180);
  settings.strength = clamp(numbers('light', 1)?.[0] ?? 1, 0, 8);
  settings.exposure = 2 ** clamp(numbers('exposure', 1)?.[0] ?? Math.log2(state.scene.exposure), -6, 6);
  settings.textures = q.get('show') !== 'light';
  settings.light = q.get('show') !== 'textures';
  state.styles.night = q.get('night') === '1' && state.styles.hasNight;
  const orbit = numbers('orbit', 1);
  camera.setMode(orbit ? 'orbit' : 'fly', orbit?.[0]);
  controls.show();
  touch();
}

// ---- what is drawn over the map

const COLORS = [[/^info_player|^team_|^info_.*start|^info_coop/, [0.3, 0.9, 0.4]], [/^light|^env_sun/, [1, 0.9, 0.3]], [/^(item|weapon|ammo|holdable)_/, [0.3, 0.7, 1]],
  [/^trigger|^func/, [1, 0.5, 0.2]], [/^monster|^npc/, [1, 0.3, 0.4]], [/^path|^info_|^target|^point/, [0.8, 0.6, 1]]];
const colorOf = (e) => (e === state.chosen ? [1, 1, 1] : COLORS.find(([r]) => r.test(e.classname))?.[1] ?? [0.75, 0.75, 0.75]);

function markers() {
  if (!state.showMarkers) return [];
  return state.scene.entities.filter((e) => e.placed && e.classname !== 'worldspawn').flatMap((e) => [...e.at, ...colorOf(e)]);
}

function drawn() {
  const out = [], line = (a, b, c) => out.push(...a, ...c, ...b, ...c);
  if (state.measured?.length) {
    const [a, b] = state.measured, s = 0.05;
    for (const p of state.measured) for (let c = 0; c < 3; c++) line(p.map((v, i) => (i === c ? v - s : v)), p.map((v, i) => (i === c ? v + s : v)), [1, 0.9, 0.2]);
    if (b) line(a, b, [1, 0.9, 0.2]);
  }
  if (state.chosen) {
    const { low, high } = boxOf(state.chosen), at = (i) => [0, 1, 2].map((c) => (i >> c & 1 ? high[c] : low[c]));
    for (let i = 0; i < 8; i++) for (let c = 0; c < 3; c++) if (!(i >> c & 1)) line(at(i), at(i | 1 << c), [1, 1, 1]);
  }
  return out;
}

// boxOf is the box around what an entity shows, or a small one where it stands.
function boxOf(entity) {
  const low = [Infinity, Infinity, Infinity], high = low.map((v) => -v);
  for (const b of state.renderer.batches) {
    for (const p of b.pieces) {
      if (p.entity !== entity || entity.classname === 'worldspawn') continue;
      for (let i = 0; i < 8; i++) {
        const corner = [0, 1, 2].map((c) => (i >> c & 1 ? p.high[c] : p.low[c])), at = p.mover?.delta ? point(p.mover.delta, corner) : corner;
        for (let c = 0; c < 3; c++) [low[c], high[c]] = [Math.min(low[c], at[c]), Math.max(high[c], at[c])];
      }
    }
  }
  return low[0] <= high[0] ? { low, high } : { low: entity.at.map((v) => v - 0.25), high: entity.at.map((v) => v + 0.25) };
}

// ---- pointing

function rayAt(x, y) {
  const { canvas, camera, renderer } = state, box = canvas.getBoundingClientRect(), { right, up } = renderer.camera;
  const wide = box.width / box.height, tall = Math.tan(camera.fov * Math.PI / 360) * (wide < 1 ? 1 / wide : 1);
  const u = (2 * (x - box.left) / box.width - 1) * tall * wide, v = (1 - 2 * (y - box.top) / box.height) * tall;
  return unit(add(camera.direction, add(times(right, u), times(up, v))));
}

function hit(x, y) {
  const { renderer, camera } = state;
  return pick(renderer.batches, camera.eye, rayAt(x, y), renderer.isShown);
}

// markerAt is the nearest marker under the pointer that nothing hides.
function markerAt(x, y, found) {
  if (!state.showMarkers) return null;
  const { camera } = state, ray = rayAt(x, y);
  let best = null;
  for (const e of state.scene.entities) {
    if (!e.placed || e.classname === 'worldspawn') continue;
    const d = subtract(e.at, camera.eye), far = length(d), off = length(cross(ray, d));
    if (d[0] * ray[0] + d[1] * ray[1] + d[2] * ray[2] < 0 || off > Math.max(0.012 * far, 0.15) || found && found.distance < far - 0.4) continue;
    if (!best || far < best.far) best = { e, far };
  }
  return best?.e ?? null;
}

function clicked(x, y) {
  const found = hit(x, y);
  if (state.measuring) return measure(found);
  if (state.balling) return putBall(found);
  const entity = markerAt(x, y, found) ?? (found?.piece.entity?.classname === 'worldspawn' ? null : found?.piece.entity);
  choose(entity ?? null, found);
  const act = state.scene.acts.next(entity ? entity.mover : found?.piece.mover);
  if (act) play(act);
}

// play plays an act now.
function play(act) {
  state.scene.acts.play(act, performance.now() / 1000);
  say(act.name);
  touch();
}

function measure(found) {
  if (!found) return say('There is nothing to measure from there.');
  state.measured = state.measured?.length === 1 ? [...state.measured, found.at] : [found.at];
  const [a, b] = state.measured, { unit: u } = state.scene;
  if (!b) $('measured').textContent = 'Click the second point.';
  else {
    const d = subtract(b, a), n = (v) => (v / u).toFixed(1);
    $('measured').textContent = `${length(d).toFixed(3)} m = ${n(length(d))} units (${n(d[0])} east, ${n(-d[2])} north, ${n(d[1])} up)`;
    say($('measured').textContent);
  }
  touch();
}

// putBall puts a ball before a surface, lit as the game would light it there.
function putBall(found) {
  if (!found) return say('There is nothing to put it on.');
  const radius = 12 * state.scene.unit, middle = subtract(found.at, times(unit(subtract(found.at, state.camera.eye)), 1.1 * radius));
  state.scene.pieces.push(makeBall(state.scene, state.ambient, middle, radius));
  rebuild();
}

// choose shows an entity's keys, or what a surface is made of.
function choose(entity, found) {
  state.chosen = entity;
  const parts = [];
  if (entity) {
    const { at, extras } = entity;
    parts.push(make('h3', { textContent: entity.name }), table(Object.entries(extras)),
      button('Go there', () => { state.camera.lookAt(at, 4); keepLink(); }),
      ...state.scene.acts.of(entity.mover).map((act) => button(`Play ${act.act}`, () => play(act))));
  }
  if (found) {
    const m = found.material;
    parts.push(make('h3', { textContent: `Material ${m.name}` }), table(Object.entries(m.extras).filter(([, v]) => typeof v !== 'object')));
  }
  $('details').replaceChildren(...parts);
  $('detailsBox').hidden = !parts.length;
  if (parts.length) say(entity ? `${entity.name}, ${entity.classname}` : found.material.name);
  touch();
}

function hovered(x, y) {
  if (!state.underCursor) return;
  clearTimeout(state.hoverTimer);
  state.hoverTimer = setTimeout(() => {
    const found = hit(x, y);
    $('under').textContent = found ? `${found.material.name}${found.piece.entity && found.piece.entity.classname !== 'worldspawn' ? ` · ${found.piece.entity.name}` : ''} · ${found.distance.toFixed(2)} m` : '';
  }, 40);
}

// ---- the panel

function panel() {
  const { scene, renderer, styles, camera } = state, { settings } = renderer;
  const change = (f) => (v) => { f(v); touch(); keepLink(); };
  const light = slider('Light', { min: 0, max: 4, step: 0.05, value: 1, text: (v) => `× ${v.toFixed(2)}` }, change((v) => { settings.strength = v; }));
  const exposure = slider('Exposure', { min: -5, max: 5, step: 0.1, value: Math.log2(scene.exposure), text: (v) => `${v > 0 ? '+' : ''}${v.toFixed(1)} EV` }, change((v) => { settings.exposure = 2 ** v; }));
  const fov = slider('Field of view', { min: 30, max: 120, step: 1, value: 75, text: (v) => `${v}°` }, change((v) => { camera.fov = v; }));
  const speed = slider('Speed', { min: 0.5, max: 60, step: 0.5, value: camera.speed, text: (v) => `${v.toFixed(1)} m/s` }, (v) => { camera.speed = v; });
  const show = choice('Show', [['lit', 'Textures and light'], ['light', 'Light only'], ['textures', 'Textures only']], 'lit', change((v) => {
    settings.textures = v !== 'light';
    settings.light = v !== 'textures';
  }));
  const mode = choice('Move', [['fly', 'Fly'], ['orbit', 'Around a point']], 'fly', change((v) => {
    camera.setMode(v, v === 'orbit' ? pick(renderer.batches, camera.eye, camera.direction, renderer.isShown)?.distance : 0);
  }));
  const night = styles.hasNight ? toggle('Night', false, change((v) => { styles.night = v; })) : null;
  state.controls = { fov: fov.range, show() {
    light.range.show(settings.strength);
    exposure.range.show(Math.log2(settings.exposure));
    fov.range.show(Math.round(camera.fov));
    show.querySelector('select').value = settings.textures && settings.light ? 'lit' : settings.light ? 'light' : 'textures';
    mode.querySelector('select').value = camera.mode;
    if (night) night.querySelector('input').checked = styles.night;
  } };
  const kinds = [...new Set(renderer.batches.map((b) => b.kind))].filter((k) => k && k !== 'fog layers');
  const kindToggle = (k) => toggle(k[0].toUpperCase() + k.slice(1), renderer.shown.has(k), change((v) => renderer.shown[v ? 'add' : 'delete'](k)));
  const { acts } = scene, moves = movesAtAll() || styles.flickers || acts.starts || acts.list.length;
  const parts = [
    section('View', true, mode, show, light.row, exposure.row, fov.row, speed.row, night,
      moves ? toggle('Movement', state.motion, change((v) => {
        state.motion = v;
        if (!v) acts.stop();
      })) : null,
      renderer.fogs.length || Object.values(renderer.ranges).some(Boolean) ? toggle('Fog', true, change((v) => { settings.fog = v; })) : null,
      toggle('Wireframe', false, change((v) => { settings.wireframe = v; })),
      ...kinds.map(kindToggle)),
  ];
  if (styles.list.length) parts.push(section(`Light styles (${styles.list.length})`, false, ...styles.list.map((s) => toggle(`${s.style}${s.name ? ` ${s.name}` : ''}${s.pattern.length > 1 ? ' (flickers)' : ''}`, s.on, change((v) => { s.on = v; })))));
  if (scene.variants.length) {
    parts.push(section('Skins', false, choice('Skin', [['-1', 'As in the map'], ...scene.variants.map((name, i) => [String(i), name])], '-1', change((v) => {
      state.variant = Number(v);
      rebuild();
    }))));
  }
  if (scene.levels > 1) {
    parts.push(section('Levels of detail', false, choice('Level', Array.from({ length: scene.levels }, (_, i) => [String(i), i ? `${i}: coarser` : '0: finest']), '0', change((v) => {
      state.level = Number(v);
      rebuild();
    }))));
  }
  if (scene.bookmarks.length) parts.push(section(`Places (${scene.bookmarks.length})`, true, ...searchable('Search places', scene.bookmarks.map((b) => ({ text: b.name, onclick: () => goTo(b) })))));
  if (acts.list.length) {
    parts.push(section(`Movements (${acts.list.length})`, false, ...searchable('Search movements', acts.list.map((act) => ({ text: act.name, more: `${act.seconds.toFixed(1)} s${act.loops ? ', loops' : ''}`,
      find: String(act.extras.triggered_by ?? ''), onclick: () => play(act) })))));
  }
  const entities = scene.entities.filter((e) => e.classname !== 'worldspawn');
  if (scene.entities.length) {
    parts.push(section(`Entities (${entities.length})`, false, toggle('Markers', false, change((v) => { state.showMarkers = v; })),
      ...searchable('Search entities, keys and values', scene.entities.map((e) => ({ text: e.name, more: e.name.startsWith(e.classname) ? '' : e.classname,
        find: Object.entries(e.extras).flat().join(' '), onclick: () => {
          choose(e, null);
          const { low, high } = boxOf(e);
          if (e.classname !== 'worldspawn') camera.lookAt(times(add(low, high), 0.5), Math.max(3, 1.5 * length(subtract(high, low))));
          keepLink();
        } })))));
  }
  parts.push(section('Tools', true, toggle('Material under the pointer', false, (v) => { state.underCursor = v; $('under').textContent = ''; }),
    toggle('Measure', false, change((v) => {
      state.measuring = v;
      state.measured = [];
      $('measured').textContent = v ? 'Click the first point.' : '';
    })), make('p', { id: 'measured', className: 'note', role: 'status' }),
    state.ambient ? toggle('Put balls in the map\'s light', false, change((v) => { state.balling = v; })) : null,
    button('Save a picture', () => { state.shot = true; touch(); }), button('Copy the link', copyLink)));
  $('panel').replaceChildren(make('h1', { textContent: scene.name }), make('p', { className: 'note', textContent: [scene.extras.bsp2gltf_game, scene.extras.bsp2gltf_format].filter(Boolean).join(' · ') }), ...parts);
  $('menu').onclick = () => {
    const open = $('panel').hidden;
    $('panel').hidden = !open;
    $('menu').setAttribute('aria-expanded', String(open));
  };
  if (innerWidth < 700) $('menu').click();
  $('closeDetails').onclick = () => choose(null, null);
  $('help').onclick = () => $('helpBox').showModal();
  stick();
  addEventListener('keydown', shortcut);
}

// Keys that do something at once, where nothing is typed.
function shortcut(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
  const { scene, camera } = state;
  const does = {
    KeyH: home, KeyP: () => { state.shot = true; touch(); }, Slash: () => $('helpBox').showModal(), Tab: null,
    KeyN: () => { state.place = ((state.place ?? 0) + 1) % Math.max(scene.bookmarks.length, 1); if (scene.bookmarks.length) goTo(scene.bookmarks[state.place]); },
    KeyO: () => { camera.setMode(camera.mode === 'fly' ? 'orbit' : 'fly', 5); state.controls.show(); keepLink(); },
    KeyF: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => say('The browser shows no full screen.')),
    Escape: $('helpBox').open ? null : () => choose(null, null), // the browser closes the box
  }[e.code];
  if (does) {
    e.preventDefault();
    does();
  }
}

async function copyLink() {
  const text = location.href.split('#')[0] + link();
  try {
    await navigator.clipboard.writeText(text);
    say('The link is copied.');
  } catch {
    location.hash = link();
    say('The link is in the address bar.');
  }
}

function saveShot() {
  state.shot = false;
  state.canvas.toBlob((blob) => {
    if (!blob) return say('The picture can\'t be made.');
    const url = URL.createObjectURL(blob), name = state.scene.name.replace(/[^\w.-]+/g, '_').slice(0, 60) || 'map';
    make('a', { href: url, download: `${name}.png` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
    say(`Saved ${name}.png`);
  });
}

// stick moves by a finger, on screens that are touched.
function stick() {
  const pad = $('stick');
  const set = (e) => {
    const box = pad.getBoundingClientRect(), half = box.width / 2;
    state.camera.stick = [clamp((e.clientX - box.left - half) / half, -1, 1), -clamp((e.clientY - box.top - half) / half, -1, 1)];
    touch();
  };
  pad.addEventListener('pointerdown', (e) => {
    pad.setPointerCapture?.(e.pointerId);
    set(e);
  });
  pad.addEventListener('pointermove', (e) => { if (pad.hasPointerCapture?.(e.pointerId)) set(e); });
  for (const type of ['pointerup', 'pointercancel']) pad.addEventListener(type, () => { state.camera.stick = [0, 0]; });
}

function status() {
  const { camera, renderer, scene } = state, [x, y, z] = camera.eye.map((v) => v / scene.unit);
  $('where').textContent = `${x.toFixed(0)} ${(-z).toFixed(0)} ${y.toFixed(0)} · ${renderer.calls} draw calls`;
}

// For tests and for the console.
globalThis.bsp2gltf = { state, pick: hit, yawOf, pitchOf };

start().catch((error) => {
  console.error(error);
  fail('Something went wrong', String(error?.message ?? error));
});
