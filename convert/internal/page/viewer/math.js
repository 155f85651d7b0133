// Vectors are arrays of three numbers, as in links and settings; only what is drawn uses three.js' vectors.

export const clamp = (v, low, high) => Math.min(Math.max(v, low), high);
export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const length = (a) => Math.hypot(a[0], a[1], a[2]);
export const unit = (a) => times(a, 1 / (length(a) || 1));

// look returns the direction of a yaw and a pitch in radians: yaw 0 is along -Z, a quarter turn along -X.
export const look = (yaw, pitch) => [-Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), -Math.cos(yaw) * Math.cos(pitch)];
export const yawOf = (d) => Math.atan2(-d[0], -d[2]);
export const pitchOf = (d) => Math.asin(clamp(d[1] / (length(d) || 1), -1, 1));
