// This finds the first triangle that a ray hits.
import { dot, cross, direction, point, subtract } from './math.js';

// pick returns { distance, at, piece, material, triangle } or null. shown tells whether a batch is drawn.
export function pick(batches, eye, ray, shown) {
  let best = null;
  for (const batch of batches) {
    if (!shown(batch) || batch.kind === 'sky' || batch.kind === 'fog layers') continue;
    const back = batch.mover?.back; // what has moved is hit where it was, from where the eye would have been
    const from = back ? point(back, eye) : eye, to = back ? direction(back, ray) : ray, inverse = to.map((v) => 1 / (Math.abs(v) < 1e-9 ? 1e-9 : v));
    for (const piece of batch.pieces) {
      if (!hitsBox(from, inverse, piece, best?.distance ?? Infinity)) continue;
      const corner = cornersOf(batch, piece);
      for (let i = piece.start; i < piece.start + piece.count; i += 3) {
        const distance = hitsTriangle(from, to, corner(i), corner(i + 1), corner(i + 2), batch.material.doubleSided);
        if (distance > 1e-4 && distance < (best?.distance ?? Infinity)) best = { distance, piece, material: batch.material };
      }
    }
  }
  if (best) best.at = eye.map((v, c) => v + ray[c] * best.distance);
  return best;
}

function cornersOf(batch, piece) {
  const { indices, positions } = batch;
  return (i) => {
    const k = 3 * indices[i], at = [positions[k], positions[k + 1], positions[k + 2]];
    return batch.instanced ? point(piece.matrix, at) : at;
  };
}

function hitsBox(eye, inverse, { low, high }, most) {
  let from = 0, to = most;
  for (let c = 0; c < 3; c++) {
    const a = (low[c] - eye[c]) * inverse[c], b = (high[c] - eye[c]) * inverse[c];
    from = Math.max(from, Math.min(a, b) - 1e-3);
    to = Math.min(to, Math.max(a, b) + 1e-3);
  }
  return from <= to;
}

// hitsTriangle is the distance along the ray (Möller and Trumbore), or -1. Backs are not hit, as they are not seen.
function hitsTriangle(eye, ray, a, b, c, both) {
  const u = subtract(b, a), v = subtract(c, a), p = cross(ray, v), d = dot(u, p);
  if (both ? Math.abs(d) < 1e-12 : d < 1e-12) return -1;
  const t = subtract(eye, a), x = dot(t, p) / d;
  if (x < 0 || x > 1) return -1;
  const q = cross(t, u), y = dot(ray, q) / d;
  return y < 0 || x + y > 1 ? -1 : dot(v, q) / d;
}
