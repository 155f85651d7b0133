/**
 * Moves what moves in the game (docs/extras.md and docs/motion.md of bsp2gltf): doors, platforms and trains, textures that scroll, turn
 * or stretch, waves of colour, and animations.
 *
 *     const motion = await bsp2gltfMotion(gltf);
 *     renderer.setAnimationLoop((ms) => { motion.update(ms / 1000); renderer.render(scene, camera); });
 */
import { Color, Matrix3, Vector2, Vector3, Vector4 } from 'three';
import { readActs } from './acts.js';
import { declare, patch, replace } from './patch.js';

const TAU = 2 * Math.PI;

const SHAPES = {
  sin: (x) => Math.sin(TAU * x),
  triangle: (x) => (x < 0.25 ? 4 * x : x < 0.75 ? 2 - 4 * x : 4 * x - 4),
  square: (x) => (x < 0.5 ? 1 : -1),
  sawtooth: (x) => x,
  inversesawtooth: (x) => 1 - x,
  noise: (x) => Math.sin(TAU * 7.3 * x) * Math.sin(TAU * 3.1 * x + 1), // random in the game
};

/** The value of a wave, [function, base, amplitude, phase, frequency], at a time in seconds. */
export function wave([shape, base, amplitude, phase, frequency], time) {
  const x = phase + time * frequency;
  return base + amplitude * (SHAPES[shape] ?? SHAPES.sin)(x - Math.floor(x));
}

// Each change is the rows of a matrix of (s, t, 1).
const CHANGES = {
  scale: ([s, t]) => [s, 0, 0, 0, t, 0],
  scroll: ([s, t], time) => [1, 0, (s * time) % 1, 0, 1, (t * time) % 1],
  transform: (m) => m,
  rotate: ([degrees], time) => {
    const a = ((-degrees * time) % 360) * TAU / 360, c = Math.cos(a), s = Math.sin(a);
    return [c, -s, 0.5 - 0.5 * c + 0.5 * s, s, c, 0.5 - 0.5 * s - 0.5 * c];
  },
  stretch: (w, time) => {
    const p = 1 / (wave(w, time) || 1);
    return [p, 0, 0.5 - 0.5 * p, 0, p, 0.5 - 0.5 * p];
  },
};

const matrix = ([a, b, c, d, e, f]) => new Matrix3().set(a, b, c, d, e, f, 0, 0, 1);

/** The transform of a mesh's texture coordinates at a time in seconds, a Matrix3. */
export function coordinates(changes, rest, time) {
  const m = new Matrix3();
  for (const [kind, ...values] of changes) if (CHANGES[kind]) m.premultiply(matrix(CHANGES[kind](values, time)));
  return rest ? m.multiply(matrix(rest).invert()) : m;
}

/**
 * Finds what moves in a loaded file. The result has update(seconds), to be called before a frame is drawn, still(), which puts
 * all at rest, and the movements that the game triggers: acts, actsOf(object) and play(act or its name or an object).
 */
export async function bsp2gltfMotion(gltf) {
  const movers = [], known = new Map();
  for (const scene of gltf.scenes) {
    scene.traverse((object) => {
      if (object.isMesh && object.material.userData.motion && !known.has(object.material)) known.set(object.material, object.material.userData.motion);
    });
  }
  const unit = Number(gltf.scene.userData.bsp2gltf_unit) || 1 / 32;
  for (const [material, motion] of known) movers.push(await mover(gltf.parser, material, motion), shaken(material, motion, unit));
  const acts = await readActs(gltf);
  let last = 0; // the time of the last update
  return {
    acts: acts.acts,
    actsOf: acts.of,
    play: acts.play,
    update(time) {
      acts.advance(time - last);
      last = time;
      for (const m of movers) m(time);
    },
    still() {
      acts.still();
      last = 0;
      for (const m of movers) m(null);
    },
  };
}

// mover returns what sets a material to a time, or, with null, to rest.
async function mover(parser, material, { rest = null, base, glow, color, color_rest: colorRest, glow_color: glowColor, glow_color_rest: glowRest, frames, fps }) {
  const maps = [];
  for (const [name, changes] of [['map', base], ['emissiveMap', glow]]) {
    if (!changes || !material[name]) continue;
    material[name] = material[name].clone(); // another material may show it at rest
    maps.push({ name, changes, rest: material[name].matrix.clone(), auto: material[name].matrixAutoUpdate });
    material[name].matrixAutoUpdate = false;
    material[name].updateMatrix();
    maps.at(-1).rest.copy(material[name].matrix);
  }
  const first = material.map, pictures = frames && material.map ? await Promise.all(frames.map((index) => picture(parser, index, first))) : null;
  const tints = [['color', color, colorRest], ['emissive', glowColor, glowRest]].filter(([name, w]) => w && material[name])
    .map(([name, w, r]) => ({ name, w, factor: r > 0 ? r : 1, rest: material[name].clone() }));
  return (time) => {
    for (const { name, changes, rest: still } of maps) material[name].matrix.copy(time === null ? still : coordinates(changes, rest, time));
    if (pictures) {
      const next = time === null ? first : pictures[Math.floor(time * fps) % pictures.length];
      next.matrix.copy(first.matrix);
      material.map = next;
    }
    for (const t of tints) tint(material[t.name], t, time);
  };
}

// shaken returns what sets the movements that need a shader: turbulence and warp of coordinates, and vertices that move.
function shaken(material, { base, glow, deform }, unit) {
  const find = (changes, kind) => changes?.find(([name]) => name === kind)?.slice(1);
  const [turb, glowTurb, warp] = [find(base, 'turb'), find(glow, 'turb'), find(base, 'warp')];
  const [ripple, bulge, move] = ['wave', 'bulge', 'move'].map((kind) => find(deform, kind));
  if (![turb, glowTurb, warp, ripple, bulge, move].some(Boolean)) return () => {};
  const u = { moveTurb: { value: new Vector4() }, moveWarp: { value: new Vector3() }, moveWave: { value: new Vector4() }, moveBulge: { value: new Vector3() },
    moveWay: { value: new Vector3() }, moveScale: { value: 1 / (1024 * unit) } };
  patch(material, 'motion', (shader) => {
    Object.assign(shader.uniforms, u);
    declare(shader, 'vertex', 'uniform vec4 moveTurb, moveWave;\nuniform vec3 moveBulge, moveWay;\nuniform float moveScale;');
    replace(shader, 'vertex', '#include <uv_vertex>', `$&
  {
    vec3 at = (modelMatrix * vec4(position, 1.0)).xyz;
    vec2 place = vec2(at.x + at.y, -at.z) * moveScale;
    #ifdef USE_MAP
      vMapUv += moveTurb.x * sin(6.2831853 * (moveTurb.y + place));
    #endif
    #ifdef USE_EMISSIVEMAP
      vEmissiveMapUv += moveTurb.z * sin(6.2831853 * (moveTurb.w + place));
    #endif
  }`);
    replace(shader, 'vertex', '#include <morphtarget_vertex>', `
  transformed += normal * (moveWave.x + moveWave.y * sin(6.2831853 * (moveWave.z + (position.x + position.y - position.z) * moveWave.w))
    + moveBulge.y * sin(uv.x * moveBulge.x + moveBulge.z)) + moveWay;
$&`);
    declare(shader, 'fragment', 'uniform vec3 moveWarp;');
    replace(shader, 'fragment', '#include <map_fragment>', `#ifdef USE_MAP
  vec2 warpedUv = vMapUv + moveWarp.x * sin(vMapUv.yx * moveWarp.y + moveWarp.z);
  #define vMapUv warpedUv
#endif
$&
#undef vMapUv`);
  });
  const shake = (t, at) => (t && at !== null ? new Vector2(t[0], (t[1] + t[2] * at) % 1) : new Vector2());
  return (time) => {
    const [a, b] = [shake(turb, time), shake(glowTurb, time)], on = time !== null;
    u.moveTurb.value.set(a.x, a.y, b.x, b.y);
    u.moveWarp.value.set(...(on && warp ? [warp[0], warp[1], (warp[2] * time) % TAU] : [0, 0, 0]));
    u.moveWave.value.set(...(on && ripple ? [ripple[1], ripple[2], (ripple[3] + ripple[4] * time) % 1, ripple[5]] : [0, 0, 0, 0]));
    u.moveBulge.value.set(...(on && bulge ? [bulge[0], bulge[1], (bulge[2] * time) % TAU] : [0, 0, 0]));
    u.moveWay.value.set(0, 0, 0);
    if (on && move) u.moveWay.value.set(...move.slice(5)).multiplyScalar(wave(move, time));
  };
}

async function picture(parser, index, like) {
  const texture = (await parser.getDependency('texture', index)).clone();
  texture.colorSpace = like.colorSpace;
  texture.anisotropy = like.anisotropy;
  texture.channel = like.channel;
  texture.matrixAutoUpdate = false;
  texture.needsUpdate = true;
  return texture;
}

// tint multiplies a colour as displayed.
const shown = new Color();
function tint(target, { w, factor, rest }, time) {
  if (time === null) return target.copy(rest);
  const level = Math.min(Math.max(wave(w, time), 0), 1) / factor;
  shown.copy(rest).convertLinearToSRGB().multiplyScalar(level).convertSRGBToLinear();
  return target.copy(shown);
}
