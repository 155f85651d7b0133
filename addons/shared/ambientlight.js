/**
 * Computes the light at a place, as numbers, from Quake III's light grid or Source's light probes (docs/internals/readers.md of
 * bsp2gltf).
 *
 * The light is { base, lamps }: base is linear light from all sides; a lamp { color, from, squared } adds color · max(0, n·from) to a
 * surface with the normal n, or with squared the square of that factor. models, { ambient, directed, from, curve }, is there if the
 * game adds both in display space: then base and the lamp are exact only for surfaces that face the light or face away from it.
 */
import { toDisplayed, toLinear } from './color.js';

const SIDES = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/**
 * The light of a grid at a place. ambient, directed and toward return the three numbers of sample i; colours are 0 to 1 in display
 * space.
 */
export function onGrid({ origin, size, steps, ambient, directed, toward, scale = 1, shown = null }, at) {
  const way = at.map((v, k) => v - origin[k]);
  const cell = steps.map((step, k) => Math.min(Math.max(dot(way, step) / dot(step, step), 0), size[k] - 1));
  const low = cell.map((v, k) => Math.min(Math.floor(v), Math.max(size[k] - 2, 0))), found = [];
  for (let corner = 0; corner < 8; corner++) {
    const place = low.map((v, k) => Math.min(v + ((corner >> k) & 1), size[k] - 1));
    const weight = cell.reduce((w, v, k) => w * ((corner >> k) & 1 ? v - low[k] : 1 - v + low[k]), 1);
    const i = place[0] + size[0] * (place[1] + size[1] * place[2]), a = ambient(i).map(toLinear), d = directed(i).map(toLinear);
    if (weight > 0 && [...a, ...d].some((v) => v > 0)) found.push({ weight, a, d, from: toward(i) }); // otherwise the sample is inside a wall: the game leaves it out
  }
  const share = scale / (found.reduce((sum, { weight }) => sum + weight, 0) || 1);
  const base = [0, 1, 2].map((k) => found.reduce((sum, { weight, a }) => sum + a[k] * weight * share, 0));
  const lamps = found.map(({ weight, d, from }) => ({ color: d.map((v) => v * weight * share), from, squared: false }));
  return shown && found.length ? onModels(shown, base, lamps, found) : { base, lamps };
}

/** The light of a grid as the game shows it on models: from one direction, added in display space. */
function onModels({ albedo, exponent, share, least }, base, lamps, found) {
  const sum = [0, 1, 2].map((k) => found.reduce((total, { weight, from }) => total + weight * from[k], 0)), long = Math.hypot(...sum) || 1;
  const white = albedo ** exponent, dark = toLinear(albedo);
  const curve = { linear: (l) => toLinear(white * l) / dark, shown: (x) => toDisplayed(x * dark) / white };
  const ambient = base.map((v) => Math.min(share * curve.shown(v) + least, 1));
  const directed = [0, 1, 2].map((k) => curve.shown(lamps.reduce((total, { color }) => total + color[k], 0)));
  const away = ambient.map(curve.linear), toward = ambient.map((v, k) => curve.linear(Math.min(v + directed[k], 1)));
  const from = sum.map((v) => v / long), lamp = { color: toward.map((v, k) => v - away[k]), from, squared: false };
  return { base: away, lamps: [lamp], models: { ambient, directed, from, curve } };
}

/** The light of the nearest probe of a list of { position, light }. light is linear light from six sides; a surface gets n² of each. */
export function ofProbes(list, at) {
  const far = ({ position }) => position.reduce((sum, v, k) => sum + (v - at[k]) ** 2, 0);
  const { light } = list.reduce((best, p) => (far(p) < far(best) ? p : best));
  return { base: [0, 0, 0], lamps: light.map((color, side) => ({ color, from: SIDES[side], squared: true })) };
}

/** The probes in two lists of numbers: positions, and the light of each probe's six sides in multiples of scale. */
export function listProbes(position, light, scale) {
  const three = (list, i, factor) => [0, 1, 2].map((k) => list[3 * i + k] * factor), count = Math.floor(position.length / 3);
  if (light.length < 18 * count) return [];
  const sides = (i) => SIDES.map((_, side) => three(light, 6 * i + side, scale));
  return Array.from({ length: count }, (_, i) => ({ position: three(position, i, 1), light: sides(i) }));
}

/** The light on a surface with the unit normal n. */
export function onSurface({ base, lamps, models }, n) {
  if (models) {
    const { ambient, directed, from, curve } = models, part = Math.max(dot(n, from), 0);
    return ambient.map((v, k) => curve.linear(Math.min(v + directed[k] * part, 1)));
  }
  return lamps.reduce((sum, { color, from, squared }) => {
    const part = Math.max(dot(n, from), 0);
    return sum.map((v, k) => v + color[k] * (squared ? part * part : part));
  }, base);
}

/**
 * Approximates the light by two parts: all, light from all sides; and way, by axis, how much more comes from its positive than its
 * negative side. max(0, n·d) is about 1/4 + n·d/2, and its square 1/6 + 3/8 n·d.
 */
export function inParts({ base, lamps }) {
  const all = [...base], way = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
  for (const { color, from, squared } of lamps) {
    const [even, odd] = from.some(Boolean) ? (squared ? [1 / 6, 0.375] : [0.25, 0.5]) : [0, 0];
    color.forEach((v, c) => {
      all[c] += v * even;
      from.forEach((f, axis) => { way[axis][c] += v * odd * f; });
    });
  }
  return { all, way };
}
