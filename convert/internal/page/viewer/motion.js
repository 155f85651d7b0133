// This moves things in time: docs/extras.md, "motion". The same rules are in addons/three/motion.js.

const TAU = 2 * Math.PI;

const SHAPES = {
  sin: (x) => Math.sin(TAU * x),
  triangle: (x) => (x < 0.25 ? 4 * x : x < 0.75 ? 2 - 4 * x : 4 * x - 4),
  square: (x) => (x < 0.5 ? 1 : -1),
  sawtooth: (x) => x,
  inversesawtooth: (x) => 1 - x,
  noise: (x) => Math.sin(TAU * 7.3 * x) * Math.sin(TAU * 3.1 * x + 1),
};

// wave is the value of [shape, base, amplitude, phase, frequency] at a time in seconds.
export function wave([shape, base, amplitude, phase, frequency], time) {
  const x = phase + time * frequency;
  return base + amplitude * (SHAPES[shape] ?? SHAPES.sin)(x - Math.floor(x));
}

// Transforms of coordinates: u' = m[0] u + m[1] v + m[2], v' = m[3] u + m[4] v + m[5].
const after = (a, b) => [
  a[0] * b[0] + a[1] * b[3], a[0] * b[1] + a[1] * b[4], a[0] * b[2] + a[1] * b[5] + a[2],
  a[3] * b[0] + a[4] * b[3], a[3] * b[1] + a[4] * b[4], a[3] * b[2] + a[4] * b[5] + a[5]];

function inverse(m) {
  const d = m[0] * m[4] - m[1] * m[3];
  if (!d) return [1, 0, 0, 0, 1, 0];
  return [m[4] / d, -m[1] / d, (m[1] * m[5] - m[4] * m[2]) / d, -m[3] / d, m[0] / d, (m[3] * m[2] - m[0] * m[5]) / d];
}

const MODS = {
  scale: ([s, t]) => [s, 0, 0, 0, t, 0],
  scroll: ([s, t], time) => [1, 0, (s * time) % 1, 0, 1, (t * time) % 1],
  transform: (m) => m,
  rotate: ([degrees], time) => {
    const a = (-degrees * time % 360) * TAU / 360, c = Math.cos(a), s = Math.sin(a);
    return [c, -s, 0.5 - 0.5 * c + 0.5 * s, s, c, 0.5 - 0.5 * s - 0.5 * c];
  },
  stretch: (w, time) => {
    const p = 1 / (wave(w, time) || 1);
    return [p, 0, 0.5 - 0.5 * p, 0, p, 0.5 - 0.5 * p];
  },
};

// transform is the transform of the file's coordinates at a time, the turbulence [amplitude, phase] and the warp [amplitude,
// waves per coordinate, phase].
export function transform(mods, rest, time) {
  let m = [1, 0, 0, 0, 1, 0], turb = [0, 0], warp = [0, 0, 0];
  for (const [kind, ...values] of mods) {
    if (kind === 'turb') turb = [values[0], (values[1] + values[2] * time) % 1];
    else if (kind === 'warp') warp = [values[0], values[1], values[2] * time % TAU];
    else if (MODS[kind]) m = after(MODS[kind](values, time), m);
  }
  return { matrix: rest ? after(m, inverse(rest)) : m, turb, warp };
}

// deform sums up the deforms of vertices at a time: along the normal and by a way.
export function deform(list, time) {
  const out = { wave: [0, 0, 0, 0], bulge: [0, 0, 0], shift: [0, 0, 0] };
  for (const [kind, ...v] of list) {
    if (kind === 'wave') out.wave = [v[1], v[2], (v[3] + v[4] * time) % 1, v[5]];
    else if (kind === 'bulge') out.bulge = [v[0], v[1], v[2] * time % TAU];
    else if (kind === 'move') out.shift = v.slice(5).map((d) => d * wave(v, time));
  }
  return out;
}

// level is a wave of colour beside what the factors hold of it already.
export const level = (w, rest, time) => (w ? Math.min(Math.max(wave(w, time), 0), 1) / (rest || 1) : 1);

// frame is which of n pictures is shown.
export const frame = (n, fps, time) => Math.floor(time * fps) % n;
