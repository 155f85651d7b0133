// The camera, and what moves it: mouse, touch, keyboard, gamepad. It flies, orbits a point, or walks.
import { usesKey } from './ui.js';
import { add, clamp, cross, length, look, pitchOf, subtract, times, yawOf } from './math.js';

const KEYS = {
  KeyW: [0, 0, 1], KeyS: [0, 0, -1], KeyA: [-1, 0, 0], KeyD: [1, 0, 0], KeyE: [0, 1, 0], KeyQ: [0, -1, 0], Space: [0, 1, 0], KeyC: [0, -1, 0],
  PageUp: [0, 1, 0], PageDown: [0, -1, 0],
};
const STEEP = 1.57; // the steepest view up or down, in radians
const TURNS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

// readPad returns the movement and the turn of a gamepad: the left stick moves, the right stick turns, the triggers move down and up,
// the lowest button jumps.
function readPad() {
  const { axes = [], buttons = [] } = navigator.getGamepads?.().find((p) => p?.mapping === 'standard') ?? {};
  const axis = (i) => (Math.abs(axes[i]) > 0.15 ? axes[i] : 0), trigger = (i) => buttons[i]?.value ?? 0;
  return { way: [axis(0), trigger(7) - trigger(6), -axis(1)], turn: [-axis(2), -axis(3)], jump: trigger(0) > 0.5 };
}

export class Camera {
  constructor(canvas, { changed, clicked, hovered }) {
    Object.assign(this, { canvas, changed, clicked, hovered });
    Object.assign(this, { eye: [0, 0, 0], yaw: 0, pitch: 0, fov: 75, mode: 'fly', target: [0, 0, 0], speed: 6 });
    this.held = new Set();
    this.stick = [0, 0];
    this.fingers = new Map();
    this.listen();
  }

  get direction() { return look(this.yaw, this.pitch); }

  go(eye, yaw, pitch) {
    this.eye = [...eye];
    this.yaw = yaw;
    this.pitch = clamp(pitch, -STEEP, STEEP);
    if (this.mode === 'orbit') this.target = add(eye, times(this.direction, this.away ?? 5));
    if (this.mode === 'walk') this.stand();
    this.changed();
  }

  stand() {
    this.walker.put(this.eye);
    this.eye = this.walker.eye;
  }

  setMode(mode, distance) {
    this.mode = mode;
    if (mode === 'orbit') {
      this.away = clamp(distance || 5, 0.5, 1e4);
      this.target = add(this.eye, times(this.direction, this.away));
    }
    if (mode === 'walk') this.stand();
    this.changed();
  }

  // lookAt looks at a point from the current position, or from a distance.
  lookAt(at, distance) {
    const d = distance ? this.direction : subtract(at, this.eye);
    this.go(distance ? subtract(at, times(d, distance)) : this.eye, yawOf(d), pitchOf(d));
    if (this.mode === 'orbit') [this.target, this.away] = [at, distance || length(d)];
  }

  turn(dx, dy) {
    this.yaw += dx;
    this.pitch = clamp(this.pitch + dy, -STEEP, STEEP);
    if (this.mode === 'orbit') this.eye = subtract(this.target, times(this.direction, this.away));
    this.changed();
  }

  move([x, y, z]) {
    if (this.mode === 'walk') return;
    const d = this.direction, right = [Math.cos(this.yaw), 0, -Math.sin(this.yaw)];
    if (this.mode === 'orbit') {
      if (z) this.zoom(Math.exp(-z / Math.max(this.away, 1)));
      const step = add(times(right, x), times(cross(right, d), y));
      this.target = add(this.target, step);
      this.eye = add(this.eye, step);
    } else {
      this.eye = add(this.eye, add(add(times(right, x), [0, y, 0]), times(d, z)));
    }
    this.changed();
  }

  zoom(factor) {
    this.away = clamp(this.away * factor, 0.1, 1e5);
    this.eye = subtract(this.target, times(this.direction, this.away));
    this.changed();
  }

  // step moves by the keys and buttons that are held down, and reports whether any is.
  step(seconds) {
    const pad = readPad();
    let way = add([this.stick[0], 0, this.stick[1]], pad.way), turn = pad.turn;
    for (const code of this.held) {
      if (KEYS[code]) way = add(way, KEYS[code]);
      if (TURNS[code]) turn = [turn[0] + TURNS[code][0], turn[1] + TURNS[code][1]];
    }
    const fast = this.held.has('ShiftLeft') || this.held.has('ShiftRight') ? 4 : 1;
    const moves = length(way) > 0.01, turns = turn[0] || turn[1];
    const walked = this.mode === 'walk' && this.walk(seconds, [way[0], way[2]], fast > 1, this.held.has('Space') || pad.jump);
    if (moves) this.move(times(way, this.speed * fast * seconds));
    if (turns) this.turn(turn[0] * 1.6 * seconds, turn[1] * 1.2 * seconds);
    return moves || !!turns || walked;
  }

  // walk walks in steps of at most a sixtieth of a second, and reports whether the position changed.
  walk(seconds, [right, ahead], fast, jump) {
    const { walker } = this, size = Math.max(Math.hypot(right, ahead), 1), speed = (fast ? 480 : 240) * walker.unit / size, n = Math.ceil(seconds * 60 - 1e-6);
    let moved = false;
    for (let i = 0; i < n; i++) moved = walker.step(seconds / n, [right * speed, ahead * speed], this.yaw, jump) || moved;
    if (!moved) return false;
    this.eye = walker.eye;
    this.changed();
    return true;
  }

  // lock lets the mouse turn the view without a button, until Esc or the next call.
  lock() {
    if (document.pointerLockElement) document.exitPointerLock();
    else this.canvas.requestPointerLock()?.catch?.(() => {});
  }

  listen() {
    const { canvas } = this, on = (target, type, f, options) => target.addEventListener(type, f, options);
    on(window, 'keydown', (e) => {
      if (usesKey(e)) return;
      if (KEYS[e.code] || TURNS[e.code]) e.preventDefault();
      this.held.add(e.code);
      this.changed();
    });
    on(window, 'keyup', (e) => this.held.delete(e.code));
    on(window, 'blur', () => this.held.clear());
    on(document, 'focusin', () => this.held.clear());
    on(canvas, 'wheel', (e) => {
      e.preventDefault();
      const factor = Math.exp(clamp(e.deltaY, -200, 200) / 400);
      if (this.mode === 'orbit') this.zoom(factor);
      else this.move([0, 0, -clamp(e.deltaY, -200, 200) / 100 * this.speed / 6]);
    }, { passive: false });
    on(canvas, 'pointerdown', (e) => this.down(e));
    on(canvas, 'pointermove', (e) => this.moved(e));
    on(canvas, 'pointerup', (e) => this.up(e));
    on(canvas, 'pointercancel', (e) => this.fingers.delete(e.pointerId));
    on(canvas, 'contextmenu', (e) => e.preventDefault());
  }

  down(e) {
    if (!document.pointerLockElement) this.canvas.setPointerCapture?.(e.pointerId);
    this.canvas.focus({ preventScroll: true });
    this.fingers.set(e.pointerId, { x: e.clientX, y: e.clientY, far: 0, button: e.button });
  }

  moved(e) {
    if (document.pointerLockElement === this.canvas) return void this.turn(-e.movementX * 0.0022, -e.movementY * 0.0022);
    const f = this.fingers.get(e.pointerId);
    if (!f) return void this.hovered(e.clientX, e.clientY);
    const dx = e.clientX - f.x, dy = e.clientY - f.y, before = [...this.fingers.values()].map((v) => ({ ...v }));
    Object.assign(f, { x: e.clientX, y: e.clientY, far: f.far + Math.abs(dx) + Math.abs(dy) });
    if (f.far < 4) return;
    if (this.fingers.size === 2) return void this.pinch(before, [...this.fingers.values()]);
    const scale = 0.0032 * (this.fov / 75);
    if (f.button === 2) this.move([-dx * 0.01 * this.speed / 3, dy * 0.01 * this.speed / 3, 0]);
    else if (this.mode === 'orbit' || e.pointerType !== 'mouse') this.turn(-dx * scale * (this.mode === 'orbit' ? 2 : -1) , -dy * scale * (this.mode === 'orbit' ? 2 : -1));
    else this.turn(-dx * scale, -dy * scale);
  }

  // pinch moves by two fingers: moved together they shift the view, moved apart they move ahead.
  pinch([a, b], [c, d]) {
    const spread = Math.hypot(c.x - d.x, c.y - d.y) - Math.hypot(a.x - b.x, a.y - b.y), s = 0.012 * this.speed / 3;
    const dx = (c.x + d.x - a.x - b.x) / 2, dy = (c.y + d.y - a.y - b.y) / 2;
    this.move([-dx * s, dy * s, spread * s * (this.mode === 'orbit' ? 3 : 1)]);
  }

  up(e) {
    const f = this.fingers.get(e.pointerId);
    this.fingers.delete(e.pointerId);
    if (!f || f.far >= 4 || f.button !== 0) return;
    const box = this.canvas.getBoundingClientRect(), locked = document.pointerLockElement === this.canvas;
    this.clicked(...locked ? [box.left + box.width / 2, box.top + box.height / 2] : [e.clientX, e.clientY]);
  }
}
