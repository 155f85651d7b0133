// Starts the page: unpacks and loads the file, and connects the controls to the picture.
import { Vector3 } from 'three';
import { add, length, look, pitchOf, subtract, times, unit, yawOf, cross, clamp } from './math.js';
import { FileError } from './check.js';
import { load, unpack } from './load.js';
import { boxOf, readMap } from './map.js';
import { View } from './view.js';
import { Camera } from './camera.js';
import { makeBall } from './ball.js';
import { solidsOf, Walker } from './walk.js';
import { $, button, choice, fail, make, say, searchable, section, slider, table, toggle, usesKey, visible } from './ui.js';

const state = {};

async function start() {
  if (document.readyState === 'loading') await new Promise((done) => { addEventListener('DOMContentLoaded', done); });
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
    const { gltf, failed } = await load(bytes, (done, all) => { $('loaded').textContent = `${done} of ${all} textures`; }), map = readMap(gltf);
    const view = new View(canvas, gl, gltf, map), { motion, styles, variants, levels, ambient } = gltf.bsp2gltf;
    Object.assign(state, { canvas, gl, gltf, map, view, failed, motion, styles, variants, levels, ambient, balls: [], dirty: true, moves: !matchMedia('(prefers-reduced-motion: reduce)').matches });
    state.exposure = view.settings.exposure; // the game's initial exposure
    motion.calm = !state.moves;
    state.sequence = firstOf(motion.sequences, map);
    if (state.moves) motion.playSequence(state.sequence);
    if (map.model) fitModel();
    await styles.update(view.renderer, null);
  } catch (error) {
    if (!(error instanceof FileError) && !(error instanceof RangeError)) throw error;
    return fail('The map in this page is damaged', error.message);
  }
  state.camera = new Camera(canvas, { changed: touch, clicked, hovered });
  state.camera.speed = clamp(length(subtract(state.view.high, state.view.low)) / 15, 3, 40);
  panel();
  home();
  state.linked = location.hash.length > 1;
  readLink();
  addEventListener('hashchange', readLink);
  addEventListener('resize', touch);
  canvas.addEventListener('webglcontextlost', (e) => {
    e.preventDefault();
    fail('The graphics card gave up', 'Reload the page to go on.');
  });
  $('load').hidden = true;
  document.body.dataset.state = 'ready';
  document.title = visible(state.map.name);
  for (const text of state.failed.slice(0, 3)) say(`An image can't be shown: ${text}`);
  requestAnimationFrame(loop);
}

// What a model does not start with: dying, being hit, leaving.
const SAD = /die|death|dead|dying|pain|hit|flinch|gib|fall|drown|crash|holster|reload/i;

// firstOf returns the sequence that a model starts with: one that walks, else one that idles or stands, else the first with a duration
// that doesn't match SAD; null if there is none. The single sequence of a part of a Quake III player begins with its deaths, so it is
// not used.
function firstOf(sequences, { model, name }) {
  const moving = sequences.filter(({ seconds }) => seconds > 0), find = (wanted) => moving.find(({ name: own, extras }) => wanted.test(extras.activity ?? '') || wanted.test(own));
  if (model && sequences.length === 1 && /^(upper|lower)$/.test(name)) return null;
  return find(/^(act_)?walk/i) ?? find(/^(act_)?(vm_|ref_)?(idle|stand)/i) ?? find(/idle|stand/i) ?? moving.find(({ name: own, extras }) => !SAD.test(own) && !SAD.test(extras.activity ?? '')) ?? null;
}

// fitModel fits the view to the model at the start of its sequence. A model that moves away within a second is shown at rest.
function fitModel() {
  const { view, motion } = state, middle = () => times(add(view.low, view.high), 0.5);
  motion.update(0);
  view.fit();
  if (!state.sequence || !state.moves) return;
  const [from, size] = [middle(), length(subtract(view.high, view.low))];
  motion.update(1);
  view.fit();
  if (length(subtract(middle(), from)) > 1.5 * size) state.sequence = null;
  motion.still();
  motion.playSequence(state.sequence);
  motion.update(0);
  view.fit();
}

// changed redraws after something was shown, hidden or given another material.
function changed() {
  state.view.parts.merged.update();
  touch();
}

function touch() { state.dirty = true; }

let last = 0;
function loop(now) {
  const seconds = Math.min((now - last) / 1000, 0.1);
  last = now;
  const { camera, view, styles, motion, canvas } = state;
  if (camera.step(seconds)) keepLink();
  fallen();
  if (state.moves && (motion.moves || styles.flickers) || motion.playing) touch();
  motion.update(now / 1000);
  if (styles.list.length || styles.hasNight) styles.update(view.renderer, state.moves ? now / 1000 : null);
  if (state.dirty) {
    state.dirty = false;
    const ratio = Math.min(devicePixelRatio || 1, 2), width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    view.draw(camera, width, height, { points: markers(), lines: drawn() });
    state.drawnAt = performance.now();
    if (!state.verified) {
      state.verified = true;
      if (state.map.view && !state.linked) brighten();
      setTimeout(() => view.verify());
    }
    status();
    if (state.shot) saveShot();
  }
  requestAnimationFrame(loop);
}

// brighten raises the exposure if the first view of a map is too dark to read.
function brighten() {
  const factor = state.view.readable();
  if (factor === 1) return;
  state.view.settings.exposure *= factor;
  state.controls.show();
  say(`It is dark here: the picture is ${factor.toFixed(1)} × as bright as in the game. Exposure, under View, changes that.`);
  touch();
}

// ---- views

// home goes to the first view, from which thumbnails are made.
function home() {
  const { map } = state, first = map.view ?? map.bookmarks[0];
  if (first) goTo(first);
  else if (map.model) frame(2 * Math.PI / 3, -Math.PI / 12, 35); // from its front left, as it faces along X
  else whole();
}

// goTo goes to a view. If the mode is walking, it stays so.
function goTo({ at, yaw, pitch, fov }) {
  if (state.camera.mode === 'orbit') state.camera.setMode('fly');
  state.camera.fov = fov ? fov * 180 / Math.PI : 75;
  state.controls.show();
  state.camera.go(at, yaw, pitch);
  keepLink();
}

// whole looks at the whole map from outside; the backs of the nearer walls are not drawn.
function whole() { frame(0.46, -0.54, 75); }

// plan looks down on the map from so far that heights hardly shift it, with its longer side along that of the picture.
function plan() {
  const { canvas, view: { low, high } } = state, turned = (high[0] - low[0] >= high[2] - low[2]) !== canvas.clientWidth >= canvas.clientHeight;
  frame(turned ? Math.PI / 2 : 0, -Math.PI / 2, 30);
}

// frame looks at the whole map in a direction, with a field of view in degrees, and orbits its centre.
function frame(yaw, pitch, fov) {
  const { camera, canvas: { clientWidth, clientHeight }, view: { low, high } } = state, middle = times(add(low, high), 0.5), least = Math.min(clientWidth, clientHeight);
  const ahead = look(yaw, pitch), right = [Math.cos(yaw), 0, -Math.sin(yaw)], above = cross(right, ahead), slope = Math.tan(fov * Math.PI / 360), dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  let away = 1;
  for (let i = 0; i < 8; i++) {
    const corner = subtract([0, 1, 2].map((k) => (i >> k & 1 ? high[k] : low[k])), middle), aside = Math.max(Math.abs(dot(corner, right)) / clientWidth, Math.abs(dot(corner, above)) / clientHeight) * least;
    away = Math.max(away, 1.04 * aside / slope - dot(corner, ahead));
  }
  setMode('fly');
  goTo({ at: subtract(middle, times(ahead, away)), yaw, pitch, fov: fov * Math.PI / 180 });
  camera.setMode('orbit', away);
  state.controls.show();
}

// setMode sets how the camera moves. The solids are collected when the mode is walking for the first time.
function setMode(mode, distance) {
  const { camera, map, view, motion } = state;
  if (mode === 'walk' && !camera.walker) {
    const source = /^VBSP|^rBSP|^PSBV|^3[01]$/.test(String(map.extras.bsp2gltf_format)), solids = solidsOf(map, view.root, new Set(motion.movements.map((a) => a.object)));
    camera.walker = new Walker(solids, map.unit, source ? { tall: 72, eye: 64 } : { tall: 56, eye: 50 });
    if (!map.kinds.has('collision')) say('The file has no collision solids: all that is opaque is solid.');
  }
  camera.setMode(mode, distance);
  state.controls.show();
}

// fallen returns to the start if the user has fallen out of the map.
function fallen() {
  const { camera, view: { low } } = state;
  if (camera.mode !== 'walk' || camera.eye[1] > low[1] - 20) return;
  say('You have left the map.');
  home();
}

// The link holds the view and the light: #at=x,y,z&look=yaw,pitch&light=1&exposure=0&mode=orbit.
function link() {
  const { camera, view: { settings } } = state, n = (v, d = 2) => String(Number(v.toFixed(d)));
  const parts = [`at=${camera.eye.map((v) => n(v)).join(',')}`, `look=${n(camera.yaw * 180 / Math.PI, 1)},${n(camera.pitch * 180 / Math.PI, 1)}`];
  if (camera.fov !== 75) parts.push(`fov=${n(camera.fov, 1)}`);
  if (settings.strength !== 1) parts.push(`light=${n(settings.strength)}`);
  if (settings.exposure !== state.exposure) parts.push(`exposure=${n(Math.log2(settings.exposure))}`);
  if (camera.mode === 'orbit') parts.push(`orbit=${n(camera.away)}`);
  if (camera.mode === 'walk') parts.push('walk=1');
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
  const { camera, view: { settings } } = state, at = numbers('at', 3), look = numbers('look', 2);
  camera.fov = clamp(numbers('fov', 1)?.[0] ?? 75, 10, 130);
  if (at) camera.go(at, (look?.[0] ?? 0) * Math.PI / 180, (look?.[1] ?? 0) * Math.PI / 180);
  settings.strength = clamp(numbers('light', 1)?.[0] ?? 1, 0, 8);
  settings.exposure = 2 ** clamp(numbers('exposure', 1)?.[0] ?? Math.log2(state.exposure), -6, 6);
  settings.textures = q.get('show') !== 'light';
  settings.light = q.get('show') !== 'textures';
  state.styles.night = q.get('night') === '1' && state.styles.hasNight;
  const orbit = numbers('orbit', 1);
  setMode(orbit ? 'orbit' : q.get('walk') === '1' ? 'walk' : 'fly', orbit?.[0]);
  touch();
}

// ---- overlays

const COLORS = [[/^info_player|^team_|^info_.*start|^info_coop/, [0.3, 0.9, 0.4]], [/^light|^env_sun/, [1, 0.9, 0.3]], [/^(item|weapon|ammo|holdable)_/, [0.3, 0.7, 1]],
  [/^trigger|^func/, [1, 0.5, 0.2]], [/^monster|^npc/, [1, 0.3, 0.4]], [/^path|^info_|^target|^point/, [0.8, 0.6, 1]]];
const colorOf = (e) => (e === state.chosen ? [1, 1, 1] : COLORS.find(([r]) => r.test(e.classname))?.[1] ?? [0.75, 0.75, 0.75]);

function markers() {
  if (!state.showMarkers) return [];
  return state.map.entities.filter((e) => e.placed && e.classname !== 'worldspawn').flatMap((e) => [...e.at, ...colorOf(e)]);
}

function drawn() {
  const out = [], line = (a, b, c) => out.push(...a, ...c, ...b, ...c);
  if (state.measured?.length) {
    const [a, b] = state.measured, s = 0.05;
    for (const p of state.measured) for (let c = 0; c < 3; c++) line(p.map((v, i) => (i === c ? v - s : v)), p.map((v, i) => (i === c ? v + s : v)), [1, 0.9, 0.2]);
    if (b) line(a, b, [1, 0.9, 0.2]);
  }
  if (state.chosen) {
    const { low, high } = boxAround(state.chosen), at = (i) => [0, 1, 2].map((c) => (i >> c & 1 ? high[c] : low[c]));
    for (let i = 0; i < 8; i++) for (let c = 0; c < 3; c++) if (!(i >> c & 1)) line(at(i), at(i | 1 << c), [1, 1, 1]);
  }
  return out;
}

// boxAround is the bounding box of what an entity shows, or a small one at its position.
function boxAround(entity) {
  const box = entity.classname === 'worldspawn' ? null : boxOf([entity.object], (mesh) => state.map.entityOf(mesh) === entity);
  return box ?? { low: entity.at.map((v) => v - 0.25), high: entity.at.map((v) => v + 0.25) };
}

// ---- pointing

function rayAt(x, y) {
  const box = state.canvas.getBoundingClientRect();
  return state.view.rayAt(2 * (x - box.left) / box.width - 1, 1 - 2 * (y - box.top) / box.height);
}

function hit(x, y) { return state.view.pick(state.camera.eye, rayAt(x, y)); }

// markerAt returns the nearest marker under the pointer that no surface hides.
function markerAt(x, y, found) {
  if (!state.showMarkers) return null;
  const { camera } = state, ray = rayAt(x, y);
  let best = null;
  for (const e of state.map.entities) {
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
  const entity = markerAt(x, y, found) ?? (found?.entity?.classname === 'worldspawn' ? null : found?.entity);
  choose(entity ?? null, found);
  const object = entity ? entity.object : found?.object;
  if (object && state.motion.movementsOf(object).length) play(object);
}

// play plays a movement, or an object's next one, at once.
function play(what) {
  say(state.motion.play(what)?.name ?? '');
  touch();
}

function measure(found) {
  if (!found) return say('There is nothing to measure from there.');
  state.measured = state.measured?.length === 1 ? [...state.measured, found.at] : [found.at];
  const [a, b] = state.measured, { unit: u } = state.map;
  if (!b) $('measured').textContent = 'Click the second point.';
  else {
    const d = subtract(b, a), n = (v) => (v / u).toFixed(1);
    $('measured').textContent = `${length(d).toFixed(3)} m = ${n(length(d))} units (${n(d[0])} east, ${n(-d[2])} north, ${n(d[1])} up)`;
    say($('measured').textContent);
  }
  touch();
}

// putBall puts a ball in front of a surface, lit as the game would light it there.
function putBall(found) {
  if (!found) return say('There is nothing to put it on.');
  const radius = 12 * state.map.unit, middle = subtract(found.at, times(unit(subtract(found.at, state.camera.eye)), 1.1 * radius));
  const ball = makeBall(state.ambient, new Vector3(...middle), radius);
  state.view.put(ball);
  state.balls.push(ball);
  touch();
}

// choose shows an entity's keys, or a surface's material.
function choose(entity, found) {
  state.chosen = entity;
  const parts = [];
  if (entity) {
    const { at, extras } = entity;
    parts.push(make('h3', { textContent: entity.name }), table(Object.entries(extras)),
      button('Go there', () => { state.camera.lookAt(at, 4); keepLink(); }),
      ...state.motion.movementsOf(entity.object).map((act) => button(`Play ${act.act}`, () => play(act))));
  }
  if (found) {
    const m = found.material;
    parts.push(make('h3', { textContent: `Material ${m.name}` }), table(Object.entries(state.map.extrasOf(m)).filter(([, v]) => typeof v !== 'object')));
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
    $('under').textContent = found ? visible(`${found.material.name}${found.entity && found.entity.classname !== 'worldspawn' ? ` · ${found.entity.name}` : ''} · ${found.distance.toFixed(2)} m`) : '';
  }, 40);
}

// ---- the panel

// lacking is a closed section with what was not found when the page was made, or null if nothing was missing.
function lacking({ missing }) {
  if (!missing) return null;
  const { textures, models, names } = missing, all = textures + models, rest = all - names.length;
  const counts = [[textures, 'texture'], [models, 'model']].filter(([n]) => n).map(([n, what]) => `${n} ${what}${n > 1 ? 's' : ''}`).join(' and ');
  const items = rest > 0 ? [...names, `and ${rest} more`] : names;
  const list = make('ul', { className: 'list note' }, ...items.map((textContent) => make('li', { textContent })));
  return Object.assign(section(`${counts} ${all > 1 ? 'are' : 'is'} missing: convert again with --game FOLDER of the game`, false, list), { id: 'missing' });
}

function panel() {
  const { map, view, styles, camera, motion } = state, { settings } = view;
  const change = (f) => (v) => { f(v); touch(); keepLink(); };
  const light = slider('Light', { min: 0, max: 4, step: 0.05, value: 1, text: (v) => `× ${v.toFixed(2)}` }, change((v) => { settings.strength = v; }));
  const exposure = slider('Exposure', { min: -5, max: 5, step: 0.1, value: Math.log2(state.exposure), text: (v) => `${v > 0 ? '+' : ''}${v.toFixed(1)} EV` }, change((v) => { settings.exposure = 2 ** v; }));
  const fov = slider('Field of view', { min: 30, max: 120, step: 1, value: 75, text: (v) => `${v}°` }, change((v) => { camera.fov = v; }));
  const speed = slider('Speed', { min: 0.5, max: 60, step: 0.5, value: camera.speed, text: (v) => `${v.toFixed(1)} m/s` }, (v) => { camera.speed = v; });
  const show = choice('Show', [['lit', 'Textures and light'], ['light', 'Light only'], ['textures', 'Textures only']], 'lit', change((v) => {
    settings.textures = v !== 'light';
    settings.light = v !== 'textures';
  }));
  const mode = choice('Move', [['fly', 'Fly'], ['walk', 'Walk'], ['orbit', 'Around a point']], 'fly', change((v) => {
    setMode(v, v === 'orbit' ? view.pick(camera.eye, camera.direction)?.distance : 0);
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
  const kindToggle = (k) => toggle(k[0].toUpperCase() + k.slice(1), view.shown.has(k), change((v) => view.show(k, v)));
  const { movements, sequences } = motion, moves = motion.moves || styles.flickers || movements.length || sequences.length;
  const parts = [
    section('View', true, mode, show, light.row, exposure.row, fov.row, speed.row, night,
      moves ? toggle('Movement', state.moves, change((v) => {
        state.moves = v;
        motion.calm = !v;
        if (!v) motion.still();
        else motion.playSequence(state.sequence);
      })) : null,
      view.parts.fog.any ? toggle('Fog', true, change((v) => { settings.fog = v; })) : null,
      toggle('Wireframe', false, change((v) => { settings.wireframe = v; })),
      ...[...map.kinds.keys()].map(kindToggle)),
  ];
  if (styles.list.length) parts.push(section(`Light styles (${styles.list.length})`, false, ...styles.list.map((s) => toggle(`${s.style}${s.name ? ` ${s.name}` : ''}${s.pattern.length > 1 ? ' (flickers)' : ''}`, s.on, change((v) => { s.on = v; })))));
  if (state.variants.names.length) {
    parts.push(section('Skins', false, choice('Skin', [['-1', 'As in the map'], ...state.variants.names.map((name, i) => [String(i), name])], '-1', (v) => {
      state.variants.select(state.variants.names[v] ?? null);
      changed();
    })));
  }
  if (state.levels.count > 1) {
    parts.push(section('Levels of detail', false, choice('Level', Array.from({ length: state.levels.count }, (_, i) => [String(i), i ? `${i}: coarser` : '0: finest']), '0', (v) => {
      state.levels.show(Number(v));
      changed();
    })));
  }
  if (map.bookmarks.length) parts.push(section(`Places (${map.bookmarks.length})`, true, ...searchable('Search places', map.bookmarks.map((b) => ({ text: b.name, onclick: () => goTo(b) })))));
  if (movements.length) {
    parts.push(section(`Movements (${movements.length})`, false, ...searchable('Search movements', movements.map((act) => ({ text: act.name, more: `${act.seconds.toFixed(1)} s${act.loops ? ', loops' : ''}`,
      find: String(act.extras.triggered_by ?? ''), onclick: () => play(act) })))));
  }
  const entities = map.entities.filter((e) => e.classname !== 'worldspawn');
  if (map.entities.length) {
    parts.push(section(`Entities (${entities.length})`, false, toggle('Markers', false, change((v) => { state.showMarkers = v; })),
      ...searchable('Search entities, keys and values', map.entities.map((e) => ({ text: e.name, more: e.name.startsWith(e.classname) ? '' : e.classname,
        find: Object.entries(e.extras).flat().join(' '), onclick: () => {
          choose(e, null);
          const { low, high } = boxAround(e);
          if (e.classname !== 'worldspawn') camera.lookAt(times(add(low, high), 0.5), Math.max(3, 1.5 * length(subtract(high, low))));
          keepLink();
        } })))));
  }
  parts.splice(1, 0, section('Views', true, make('div', { className: 'row' }, button('Start', home), button('Whole map', whole), button('Plan', plan))));
  if (sequences.length) {
    parts.unshift(section(`Sequences (${sequences.length})`, true, ...searchable('Search sequences', sequences.map((s) => ({ text: s.name, find: String(s.extras.activity ?? ''),
      more: `${s.seconds.toFixed(1)} s${s.loops ? ', loops' : ''}`, onclick: () => {
        state.sequence = motion.playSequence(s);
        touch();
        say(`${s.name} is played`);
      } })))));
  }
  parts.push(section('Tools', true, toggle('Material under the pointer', false, (v) => { state.underCursor = v; $('under').textContent = ''; }),
    toggle('Measure', false, change((v) => {
      state.measuring = v;
      state.measured = [];
      $('measured').textContent = v ? 'Click the first point.' : '';
    })), make('p', { id: 'measured', className: 'note', role: 'status' }),
    state.ambient && state.ambient.source !== 'floors' ? toggle('Put balls in the map\'s light', false, change((v) => { state.balling = v; })) : null,
    button('Save a picture', () => { state.shot = true; touch(); }), button('Copy the link', copyLink)));
  $('panel').replaceChildren(make('h1', { textContent: map.name }), make('p', { className: 'note', textContent: [map.extras.bsp2gltf_game, map.extras.bsp2gltf_format].filter(Boolean).join(' · ') }), ...[lacking(map)].filter(Boolean), ...parts);
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

// Keys that act at once.
function shortcut(e) {
  if (usesKey(e)) return;
  const { map, camera } = state;
  const does = {
    KeyH: home, KeyM: whole, KeyT: plan, KeyP: () => { state.shot = true; touch(); }, Slash: () => $('helpBox').showModal(), Tab: null,
    KeyN: () => { state.place = ((state.place ?? 0) + 1) % Math.max(map.bookmarks.length, 1); if (map.bookmarks.length) goTo(map.bookmarks[state.place]); },
    KeyO: () => { setMode(camera.mode === 'orbit' ? 'fly' : 'orbit', 5); keepLink(); },
    KeyG: () => { setMode(camera.mode === 'walk' ? 'fly' : 'walk'); keepLink(); },
    KeyL: () => camera.lock(),
    KeyF: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => say('The browser shows no full screen.')),
    Escape: () => choose(null, null),
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
    const url = URL.createObjectURL(blob), name = state.map.name.replace(/[^\w.-]+/g, '_').slice(0, 60) || 'map';
    make('a', { href: url, download: `${name}.png` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
    say(`Saved ${name}.png`);
  });
}

// stick is the control to move by, on touch screens.
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
  const { camera, view, map } = state, [x, y, z] = camera.eye.map((v) => v / map.unit);
  $('where').textContent = `${x.toFixed(0)} ${(-z).toFixed(0)} ${y.toFixed(0)} · ${view.calls} draw calls`;
}

// still draws a frame at a time in seconds, or with null at rest, without overlays.
function still(time) {
  const { motion, view, camera, canvas } = state;
  motion.still();
  motion.calm = time === null;
  motion.update(time ?? 0);
  view.draw(camera, canvas.width, canvas.height);
  motion.calm = !state.moves;
}

// For tests, and for the browser's console.
globalThis.bsp2gltf = { state, pick: hit, still, boxOf };

start().catch((error) => {
  console.error(error);
  fail('Something went wrong', String(error?.message ?? error));
});
