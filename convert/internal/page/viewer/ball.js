// Balls that are put into a map, lit as the game lights what moves: by the light grid of Quake III's maps or the probes of Source's
// (docs/report.md). addons/three/ambient.js has the same rules.
import { add, clamp, compose, dot, length, subtract, times, toLinear } from './math.js';

// readAmbient returns a function that gives the linear light that falls on a surface at a place, by its normal; null without data.
export function readAmbient({ file, extras }) {
  const { bsp2gltf_light_grid: grid, bsp2gltf_light_probes: probes } = extras;
  if (grid) return readGrid(grid, ['ambient', 'directed', 'toward'].map((k) => threes(file.accessor(grid[k]))));
  if (!probes) return null;
  const position = threes(file.accessor(probes.position)), light = threes(file.accessor(probes.light)), places = Array.from({ length: position.count }, (_, i) => position(i));
  if (!places.length || light.count < 6 * places.length) return null;
  return (at) => {
    const far = places.map((p) => length(subtract(p, at))), i = far.indexOf(Math.min(...far.slice(0, 65536)));
    const sides = [0, 1, 2, 3, 4, 5].map((s) => times(light(6 * Math.max(i, 0) + s), Number(probes.scale) || 1));
    return (n) => n.reduce((sum, v, k) => add(sum, times(sides[2 * k + (v < 0 ? 1 : 0)], v * v)), [0, 0, 0]);
  };
}

function threes({ array, whole, size }) {
  const read = (i) => [0, 1, 2].map((c) => (array[i * size + c] ?? 0) / whole);
  read.count = Math.floor(array.length / 3);
  return read;
}

// The eight samples around a place; those within walls, which are black, don't count.
function readGrid({ origin, size, steps, scale }, [ambient, directed, toward]) {
  const white = Number(scale) || 1;
  const fine = [origin, size, ...steps].every((l) => l?.length === 3 && l.every(Number.isFinite)) && ambient.count >= size[0] * size[1] * size[2];
  return fine ? (at) => {
    const cell = steps.map((s, k) => clamp(dot(subtract(at, origin), s) / dot(s, s), 0, size[k] - 1)), low = cell.map(Math.floor), lit = [];
    for (let corner = 0; corner < 8; corner++) {
      const place = low.map((v, k) => Math.min(v + (corner >> k & 1), size[k] - 1)), i = place[0] + size[0] * (place[1] + size[1] * place[2]);
      const weight = cell.reduce((w, v, k) => w * (corner >> k & 1 ? v - low[k] : 1 - v + low[k]), 1), a = ambient(i).map(toLinear), d = directed(i).map(toLinear);
      if (weight > 0 && Math.max(...a, ...d) > 0) lit.push({ weight, a, d, from: toward(i) });
    }
    const all = lit.reduce((sum, { weight }) => sum + weight, 0) || 1;
    return (n) => lit.reduce((sum, { weight, a, d, from }) => add(sum, times(add(a, times(d, Math.max(dot(n, from), 0))), white * weight / all)), [0, 0, 0]);
  } : null;
}

const ROUND = 24, GREY = 0.5; // the ball's squares from pole to pole, and its linear colour

// makeBall returns a piece to draw: a ball with light in its vertices.
export function makeBall(scene, light, middle, radius) {
  const { file } = scene, normals = [], indices = [], row = 2 * ROUND + 1;
  for (let y = 0; y <= ROUND; y++) {
    for (let x = 0; x < row; x++) {
      const a = Math.PI * y / ROUND, b = Math.PI * x / ROUND, i = normals.length;
      normals.push([Math.sin(a) * Math.cos(b), Math.cos(a), Math.sin(a) * Math.sin(b)]);
      if (y < ROUND && x < row - 1) indices.push(i, i + 1, i + row, i + 1, i + row + 1, i + row);
    }
  }
  const shade = light(middle), colors = normals.map(shade), most = Math.max(...colors.flat(), 1e-6);
  const put = (array, size, whole) => {
    const at = file.json.accessors.push({ count: array.length / size }) - 1;
    file.cache.set(at, { array, size, whole });
    return at;
  };
  const material = { ...scene.materials.at(-1), index: scene.materials.length, name: 'ball', extras: {}, factor: [GREY * most, GREY * most, GREY * most, 1] };
  scene.materials.push(material);
  const primitive = { indices: put(Uint32Array.from(indices), 1, 1), attributes: {
    POSITION: put(Float32Array.from(normals.flat(), (v) => v * radius), 3, 1), NORMAL: put(Float32Array.from(normals.flat()), 3, 1),
    COLOR_0: put(Uint16Array.from(colors.flatMap((c) => [...c, most]), (v) => Math.round(65535 * v / most)), 4, 65535) } };
  return { level: 0, levels: 1, primitive, key: `ball ${material.index}`, matrix: compose(middle), entity: null, kind: '', material: material.index, variants: new Map(), extras: {}, name: 'ball' };
}
