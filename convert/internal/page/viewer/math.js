// Vectors are arrays of three; matrices are 16 numbers, column after column, as WebGL has them.

export const clamp = (v, low, high) => Math.min(Math.max(v, low), high);
export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const length = (a) => Math.hypot(a[0], a[1], a[2]);
export const unit = (a) => times(a, 1 / (length(a) || 1));

export const toLinear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
export const toDisplay = (v) => (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055);

export const identity = () => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

export function multiply(a, b) {
  const out = new Array(16);
  for (let c = 0; c < 4; c++) {
    for (let r = 0; r < 4; r++) {
      out[4 * c + r] = a[r] * b[4 * c] + a[4 + r] * b[4 * c + 1] + a[8 + r] * b[4 * c + 2] + a[12 + r] * b[4 * c + 3];
    }
  }
  return out;
}

// compose makes the matrix of a node's translation, rotation (a quaternion) and scale.
export function compose([x, y, z] = [0, 0, 0], [i, j, k, w] = [0, 0, 0, 1], [u, v, s] = [1, 1, 1]) {
  return [
    u * (1 - 2 * (j * j + k * k)), u * 2 * (i * j + k * w), u * 2 * (i * k - j * w), 0,
    v * 2 * (i * j - k * w), v * (1 - 2 * (i * i + k * k)), v * 2 * (j * k + i * w), 0,
    s * 2 * (i * k + j * w), s * 2 * (j * k - i * w), s * (1 - 2 * (i * i + j * j)), 0,
    x, y, z, 1,
  ];
}

// inverted is the inverse of a matrix whose last row is 0 0 0 1.
export function inverted(m) {
  const [a, b, c] = [[m[0], m[1], m[2]], [m[4], m[5], m[6]], [m[8], m[9], m[10]]], d = dot(a, cross(b, c)) || 1;
  const rows = [cross(b, c), cross(c, a), cross(a, b)].map((v) => times(v, 1 / d)), t = [m[12], m[13], m[14]];
  return [0, 1, 2].flatMap((k) => [rows[0][k], rows[1][k], rows[2][k], 0]).concat(rows.map((r) => -dot(r, t)), 1);
}

export const point = (m, [x, y, z]) => [
  m[0] * x + m[4] * y + m[8] * z + m[12], m[1] * x + m[5] * y + m[9] * z + m[13], m[2] * x + m[6] * y + m[10] * z + m[14]];
export const direction = (m, [x, y, z]) => [
  m[0] * x + m[4] * y + m[8] * z, m[1] * x + m[5] * y + m[9] * z, m[2] * x + m[6] * y + m[10] * z];
export const determinant = (m) => dot([m[0], m[1], m[2]], cross([m[4], m[5], m[6]], [m[8], m[9], m[10]]));

// normalMatrix turns normals: the cofactors of the upper 3 × 3.
export function normalMatrix(m) {
  const a = [m[0], m[1], m[2]], b = [m[4], m[5], m[6]], c = [m[8], m[9], m[10]], s = Math.sign(determinant(m)) || 1;
  return [times(cross(b, c), s), times(cross(c, a), s), times(cross(a, b), s)];
}

export function perspective(fov, aspect, near, far) {
  const f = 1 / Math.tan(fov / 2);
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0];
}

// look is the direction of a yaw and a pitch in radians: yaw 0 looks along -Z, a quarter turn along -X.
export const look = (yaw, pitch) => [-Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), -Math.cos(yaw) * Math.cos(pitch)];
export const yawOf = (d) => Math.atan2(-d[0], -d[2]);
export const pitchOf = (d) => Math.asin(clamp(d[1] / (length(d) || 1), -1, 1));

export function viewMatrix(eye, yaw, pitch) {
  const back = times(look(yaw, pitch), -1), right = [Math.cos(yaw), 0, -Math.sin(yaw)], up = cross(back, right);
  return [right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
    -dot(right, eye), -dot(up, eye), -dot(back, eye), 1];
}
