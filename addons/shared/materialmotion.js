/** The motion of materials as numbers (docs/internals/readers.md of bsp2gltf, "Motion"). */
const TAU = 2 * Math.PI;

const SHAPES = {
  sin: (x) => Math.sin(TAU * x),
  triangle: (x) => (x < 0.25 ? 4 * x : x < 0.75 ? 2 - 4 * x : 4 * x - 4),
  square: (x) => (x < 0.5 ? 1 : -1),
  sawtooth: (x) => x,
  inversesawtooth: (x) => 1 - x,
  noise: (x) => Math.sin(TAU * 7.3 * x) * Math.sin(TAU * 3.1 * x + 1), // the game's is random
};

/** The value of a wave [function, base, amplitude, phase, frequency] at a time in seconds. */
export function wave([shape, base, amplitude, phase, frequency], time) {
  const x = phase + time * frequency;
  return base + amplitude * (SHAPES[shape] ?? SHAPES.sin)(x - Math.floor(x));
}

// Each change returns the two rows of a matrix that multiplies (s, t, 1).
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

// after returns the rows of q · p, which applies p first.
const after = ([a, b, c, d, e, f], [g, h, i, j, k, l]) => [g * a + h * d, g * b + h * e, g * c + h * f + i, j * a + k * d, j * b + k * e, j * c + k * f + l];

function inverse([a, b, c, d, e, f]) {
  const n = a * e - b * d || 1;
  return [e / n, -b / n, (b * f - c * e) / n, -d / n, a / n, (c * d - a * f) / n];
}

/**
 * The transform of a mesh's texture coordinates at a time in seconds: two rows of three numbers. rest is the transform that the
 * coordinates already include.
 */
export function rowsAt(changes, rest, time) {
  const done = rest ? inverse(rest) : [1, 0, 0, 0, 1, 0];
  return changes.reduce((m, [kind, ...values]) => (CHANGES[kind] ? after(m, CHANGES[kind](values, time)) : m), done);
}

/** The index of the picture shown at a time, of an animation of count pictures. */
export const pictureAt = (count, fps, time) => Math.floor(time * fps) % count;

/** The factor, in display space, on a colour that includes the wave's value at rest. */
export const tintAt = (w, rest, time) => Math.min(Math.max(wave(w, time), 0), 1) / (rest > 0 ? rest : 1);

/** Reports whether a material's motion needs a shader: coordinates with turbulence, warp or ripples, or moving vertices. */
export function isDeformed({ base, glow, deform }) {
  return [base, glow, deform].some((list) => list?.some(([kind]) => ['turb', 'warp', 'ripple', 'wave', 'bulge', 'move', 'swell'].includes(kind)));
}

/** The numbers of that shader at a time. At rest (null), all are 0. */
export function deformAt({ base, glow, deform }, time) {
  const find = (changes, kind) => (time === null ? null : changes?.find(([name]) => name === kind)?.slice(1));
  const turb = (t) => (t ? [t[0], (t[1] + t[2] * time) % 1] : [0, 0]), warped = (w) => (w ? [w[0], w[1], (w[2] * time) % TAU] : [0, 0, 0]);
  const along = find(deform, 'wave'), bulge = find(deform, 'bulge'), move = find(deform, 'move'), swell = find(deform, 'swell');
  return {
    turb: [...turb(find(base, 'turb')), ...turb(find(glow, 'turb'))],
    warp: warped(find(base, 'warp')),
    ripple: warped(find(base, 'ripple')),
    wave: along ? [along[1], along[2], (along[3] + along[4] * time) % 1, along[5]] : [0, 0, 0, 0],
    bulge: bulge ? [bulge[0], bulge[1], (bulge[2] * time) % TAU] : [0, 0, 0],
    swell: swell ? [swell[0], (0.625 * time) % 1, (0.66796875 * time) % 1] : [0, 0, 0],
    way: move ? move.slice(5).map((v) => v * wave(move, time)) : [0, 0, 0],
  };
}

/**
 * The rotation of an item in radians and its height above the mean, at a time. The list is [seconds per turn, metres, seconds per
 * period, phase in seconds].
 */
export function hoverAt([turn, bob, beat, ahead], time) {
  return { angle: turn > 0 ? (TAU * (time % turn)) / turn : 0, height: beat > 0 ? bob * Math.cos((TAU * (time + ahead)) / beat) : 0 };
}
