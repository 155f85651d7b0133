/**
 * The light that falls on a map's floors, by which games without a light grid and probes (Quake, GoldSrc, Quake II) light what moves: that of
 * the lightmap below it.
 */
import { toLinear } from './color.js';

const CELL = 4, MANY = 256; // metres along each side of a cell; cells of a floor beyond which it is looked at everywhere
const STEEP = 0.7; // upwards part of a floor's normal
const ABOVE = 0.5; // metres by which a floor may be above what stands on it

/**
 * Returns a function that gives the light at a place as ambientlight.js has it, or null if there are no floors. surfaces are triangles:
 * { positions, coordinates, page, intensity }, nine and six numbers for each triangle, page { width, height, data } of bytes in RGBA.
 * Places below which there is no floor have the floors' mean light.
 */
export function onFloors(surfaces) {
  const floors = surfaces.flatMap((surface) => triangles(surface).filter(isFloor));
  if (!floors.length) return null;
  const cells = new Map(), wide = [], name = (x, z) => `${Math.floor(x / CELL)} ${Math.floor(z / CELL)}`;
  for (const floor of floors) {
    const [x0, x1, z0, z1] = extent(floor.corners).map((v) => Math.floor(v / CELL));
    if ((x1 - x0 + 1) * (z1 - z0 + 1) > MANY) wide.push(floor);
    else
      for (let x = x0; x <= x1; x++)
        for (let z = z0; z <= z1; z++) {
          const key = `${x} ${z}`;
          if (!cells.has(key)) cells.set(key, []);
          cells.get(key).push(floor);
        }
  }
  const mean = meanOf(floors);
  return ([x, y, z]) => {
    let best = null;
    for (const floor of [...(cells.get(name(x, z)) ?? []), ...wide]) {
      const shares = sharesAt(floor.corners, x, z);
      if (!shares) continue;
      const height = shares.reduce((sum, share, k) => sum + share * floor.corners[k][1], 0);
      if (height <= y + ABOVE && !(best?.height >= height)) best = { height, floor, shares };
    }
    return { base: best ? lightAt(best.floor, best.shares) : mean, lamps: [] };
  };
}

function triangles({ positions, coordinates, page, intensity }) {
  return Array.from({ length: positions.length / 9 }, (_, i) => ({
    corners: [0, 3, 6].map((k) => [...positions.slice(9 * i + k, 9 * i + k + 3)]),
    places: [0, 2, 4].map((k) => [...coordinates.slice(6 * i + k, 6 * i + k + 2)]),
    page,
    intensity,
  }));
}

function isFloor({ corners: [a, b, c] }) {
  const [p, q] = [b, c].map((v) => v.map((x, k) => x - a[k]));
  const normal = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]], length = Math.hypot(...normal);
  return length > 0 && normal[1] >= STEEP * length;
}

const extent = (corners) => [0, 2].flatMap((k) => [Math.min, Math.max].map((of) => of(...corners.map((c) => c[k]))));

// sharesAt returns the shares of the corners in a point that is above or below a triangle; null for one that is not.
function sharesAt([a, b, c], x, z) {
  const area = (b[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (b[2] - a[2]), edge = 1e-4;
  const second = ((x - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (z - a[2])) / area, third = ((b[0] - a[0]) * (z - a[2]) - (x - a[0]) * (b[2] - a[2])) / area;
  return second >= -edge && third >= -edge && second + third <= 1 + edge ? [1 - second - third, second, third] : null;
}

// lightAt is the linear light of a page's texels around a point.
function lightAt({ places, page: { width, height, data }, intensity }, shares) {
  const [u, v] = [0, 1].map((k) => shares.reduce((sum, share, i) => sum + share * places[i][k], 0));
  const x = u * width - 0.5, y = v * height - 0.5, [left, top] = [Math.floor(x), Math.floor(y)], light = [0, 0, 0];
  for (const [i, j, weight] of [[0, 0, (1 - x + left) * (1 - y + top)], [1, 0, (x - left) * (1 - y + top)], [0, 1, (1 - x + left) * (y - top)], [1, 1, (x - left) * (y - top)]]) {
    const column = Math.min(Math.max(left + i, 0), width - 1), row = Math.min(Math.max(top + j, 0), height - 1);
    for (let k = 0; k < 3; k++) light[k] += toLinear(data[4 * (row * width + column) + k] / 255) * weight * intensity;
  }
  return light;
}

function meanOf(floors) {
  const sum = [0, 0, 0];
  let all = 0;
  for (const floor of floors) {
    const [a, b, c] = floor.corners, area = Math.abs((b[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (b[2] - a[2]));
    lightAt(floor, [1 / 3, 1 / 3, 1 / 3]).forEach((v, k) => { sum[k] += v * area; });
    all += area;
  }
  return sum.map((v) => v / all);
}
