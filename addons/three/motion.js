/**
 * Moves what moves in the game (docs/internals/readers.md and docs/internals/motion.md of bsp2gltf): doors, platforms and trains,
 * textures that scroll, turn or stretch, waves of colour, and animations.
 *
 *   const motion = await bsp2gltfMotion(gltf);
 *   renderer.setAnimationLoop((ms) => { motion.update(ms / 1000); renderer.render(scene, camera); });
 */
import { Color, Matrix3, Vector3, Vector4 } from 'three';
import { readMovements } from './entitymovements.js';
import { hovering } from './hover.js';
import { owned } from './traverse.js';
import { declare, familyOf, patch, replace } from './patch.js';
import { isDeformed, pictureAt, rowsAt, deformAt, tintAt, wave } from '../shared/materialmotion.js';

export { wave };

const MOVES = ['base', 'glow', 'mirror', 'color', 'glow_color', 'deform', 'frames'];

/** The transform of a mesh's texture coordinates at a time in seconds, a Matrix3. */
export function coordinates(changes, rest, time) {
  return new Matrix3().set(...rowsAt(changes, rest, time), 0, 0, 1);
}

/**
 * Finds what moves in a loaded file. The result has update(seconds), to be called before a frame is drawn, and still(), which puts
 * everything at rest; the movements that the game triggers: movements, movementsOf(object) and play(movement, its name or an object);
 * and the sequences of models: sequences and playSequence(sequence or its name).
 */
export async function bsp2gltfMotion(gltf) {
  const movers = hovering(gltf), known = new Map();
  for (const scene of gltf.scenes) {
    scene.traverse((object) => {
      if (object.isMesh && object.material.userData.motion && !known.has(object.material)) known.set(object.material, object.material.userData.motion);
    });
  }
  const unit = Number(gltf.scene.userData.bsp2gltf_unit) || 1 / 32;
  for (const [material, motion] of known) {
    const own = [await materialAnimator(gltf.parser, material, motion), deformer(material, motion, unit)], clock = Number(motion.clock) || 0;
    movers.push((time) => own.forEach((m) => m(time === null ? null : time + clock)));
  }
  const movements = await readMovements(gltf);
  let last = 0, calm = false; // last: the time of the last update
  return {
    movements: movements.movements,
    sequences: movements.sequences,
    playSequence: movements.playSequence,
    // Whether anything moves by itself.
    moves: movers.length > 0 && [...known.values()].some((m) => MOVES.some((k) => m[k])) || movements.moves,
    // Whether a movement or sequence that was played is still running.
    get playing() { return movements.playing(); },
    // calm keeps what moves by itself at rest; movements that were played continue.
    get calm() { return calm; },
    set calm(value) {
      calm = value;
      movements.letStart(!value);
    },
    movementsOf: movements.of,
    play: movements.play,
    update(time) {
      movements.advance(time - last);
      last = time;
      for (const m of movers) m(calm ? null : time);
    },
    still() {
      movements.still();
      last = 0;
      for (const m of movers) m(null);
    },
  };
}

// materialAnimator returns a function that sets a material to a time, or with null to rest.
async function materialAnimator(parser, material, { rest = null, base, glow, mirror, color, color_rest: colorRest, glow_color: glowColor, glow_color_rest: glowRest, frames, fps }) {
  const maps = [];
  for (const [name, changes] of [['map', base], ['emissiveMap', glow]]) {
    if (!changes || !material[name]) continue;
    material[name] = owned(parser, material[name].clone()); // another material may use it at rest
    maps.push({ name, changes, rest: material[name].matrix.clone(), auto: material[name].matrixAutoUpdate });
    material[name].matrixAutoUpdate = false;
    material[name].updateMatrix();
    maps.at(-1).rest.copy(material[name].matrix);
  }
  const first = material.map, pictures = frames && material.map ? await Promise.all(frames.map((index) => picture(parser, index, first))) : null;
  const tints = [['color', color, colorRest], ['emissive', glowColor, glowRest]].filter(([name, w]) => w && material[name])
    .map(([name, w, r]) => ({ name, w, factor: r, rest: material[name].clone() }));
  return (time) => {
    for (const { name, changes, rest: still } of maps) material[name].matrix.copy(time === null ? still : coordinates(changes, rest, time));
    if (mirror && material.mirrorRows) {
      const m = rowsAt(mirror, null, time ?? 0);
      material.mirrorRows.forEach((row, i) => row.set(...m.slice(3 * i, 3 * i + 3)));
    }
    if (pictures) {
      const next = time === null ? first : pictures[pictureAt(pictures.length, fps, time)];
      next.matrix.copy(first.matrix);
      for (const copy of familyOf(material)) copy.map = next;
    }
    for (const t of tints) for (const copy of familyOf(material)) tint(copy[t.name], t, time);
  };
}

// deformer returns a function for the motion that needs a shader: turbulence and warp of coordinates, and moving vertices.
function deformer(material, motion, unit) {
  if (!isDeformed(motion)) return () => {};
  const u = { moveTurb: { value: new Vector4() }, moveWarp: { value: new Vector3() }, moveWave: { value: new Vector4() }, moveBulge: { value: new Vector3() },
    moveWay: { value: new Vector3() }, moveRipple: { value: new Vector3() }, moveSwell: { value: new Vector3() }, moveScale: { value: 1 / (1024 * unit) } };
  patch(material, 'motion', (shader) => {
    Object.assign(shader.uniforms, u);
    declare(shader, 'vertex', 'uniform vec4 moveTurb, moveWave;\nuniform vec3 moveBulge, moveWay, moveRipple, moveSwell;\nuniform float moveScale;');
    replace(shader, 'vertex', '#include <uv_vertex>', `$&
  {
    vec3 at = (modelMatrix * vec4(position, 1.0)).xyz;
    vec2 place = vec2(at.x + at.y, -at.z) * moveScale;
    #ifdef USE_MAP
      vMapUv += moveTurb.x * sin(6.2831853 * (moveTurb.y + place)) + moveRipple.x * sin(vMapUv.yx * moveRipple.y + moveRipple.z);
    #endif
    #ifdef USE_EMISSIVEMAP
      vEmissiveMapUv += moveTurb.z * sin(6.2831853 * (moveTurb.w + place));
    #endif
  }`);
    replace(shader, 'vertex', '#include <morphtarget_vertex>', `
  transformed += normal * (moveWave.x + moveWave.y * sin(6.2831853 * (moveWave.z + (position.x + position.y - position.z) * moveWave.w))
    + moveBulge.y * sin(uv.x * moveBulge.x + moveBulge.z)) + moveWay;
  vec2 swellAt = (modelMatrix * vec4(position, 1.0)).xz * moveScale * 4.0;
  transformed.y += moveSwell.x * (sin(6.2831853 * (moveSwell.y + swellAt.x - swellAt.y)) + 0.8 * sin(6.2831853 * (moveSwell.z + 5.0 * swellAt.x + swellAt.y)));
$&`);
    declare(shader, 'fragment', 'uniform vec3 moveWarp;');
    replace(shader, 'fragment', '#include <map_fragment>', `#ifdef USE_MAP
  vec2 warpedUv = vMapUv + moveWarp.x * sin(vMapUv.yx * moveWarp.y + moveWarp.z);
  #define vMapUv warpedUv
#endif
$&
#undef vMapUv`);
  });
  return (time) => {
    const { turb, warp, ripple, wave: along, bulge, swell, way } = deformAt(motion, time);
    u.moveTurb.value.set(...turb);
    u.moveWarp.value.set(...warp);
    u.moveRipple.value.set(...ripple);
    u.moveWave.value.set(...along);
    u.moveSwell.value.set(...swell);
    u.moveBulge.value.set(...bulge);
    u.moveWay.value.set(...way);
  };
}

async function picture(parser, index, like) {
  const texture = (await parser.getDependency('texture', index)).clone();
  texture.colorSpace = like.colorSpace;
  texture.anisotropy = like.anisotropy;
  texture.channel = like.channel;
  texture.matrixAutoUpdate = false;
  texture.needsUpdate = true;
  return owned(parser, texture);
}

// tint multiplies a colour in display space.
const shown = new Color();
function tint(target, { w, factor, rest }, time) {
  if (time === null) return target.copy(rest);
  shown.copy(rest).convertLinearToSRGB().multiplyScalar(tintAt(w, factor, time)).convertSRGBToLinear();
  return target.copy(shown);
}
