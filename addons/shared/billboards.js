/** Squares of a mesh that turn to the viewer, each about its own centre (docs/internals/readers.md of bsp2gltf, `facing`). */
const minus = (a, b) => a.map((v, k) => v - b[k]), dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];
const unit = (v) => {
  const l = Math.hypot(...v) || 1;
  return v.map((x) => x / l);
};

/**
 * Returns, for each vertex of a mesh, the centre of its square, the vertex's offset right and up from there, and, with axis, the
 * square's long axis, about which it turns. positions and normals are flat lists of three numbers per vertex; normals may be null.
 */
export function corners(positions, normals, axis) {
  const n = positions.length / 3, middles = new Float32Array(3 * n), axes = new Float32Array(3 * n), places = new Float32Array(2 * n);
  const read = (list, i) => [...list.slice(3 * i, 3 * i + 3)];
  for (let i = 0; i < n; i += 4) {
    const square = Array.from({ length: Math.min(4, n - i) }, (_, k) => read(positions, i + k)), facing = normals ? read(normals, i) : [0, 0, 1];
    const middle = [0, 1, 2].map((k) => square.reduce((sum, v) => sum + v[k], 0) / square.length), along = axis && square.length === 4 ? longAxis(square) : [0, 0, 0];
    const high = along.some(Boolean) ? along : Math.abs(facing[1]) < 0.9 ? [0, 1, 0] : [0, 0, -1];
    const up = unit(minus(high, facing.map((v) => v * dot(high, facing)))), right = unit(cross(up, facing));
    square.forEach((v, k) => {
      const from = minus(v, middle);
      middles.set(middle, 3 * (i + k));
      axes.set(along, 3 * (i + k));
      places.set([dot(from, right), dot(from, up)], 2 * (i + k));
    });
  }
  return { middles, axes, places };
}

// longAxis is the direction in which a square of four vertices is longer. Of the six distances between vertices two are short sides,
// two long sides and two diagonals.
function longAxis(square) {
  const ways = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]].map(([a, b]) => minus(square[b], square[a]));
  return unit(ways.sort((a, b) => Math.hypot(...a) - Math.hypot(...b))[2]);
}
