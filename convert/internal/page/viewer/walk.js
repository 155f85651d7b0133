// Walking: a box that falls, climbs steps and slides along solids, by the rules of Quake III's bg_pmove.c and bg_slidemove.c, which
// Valve's engines share. Solids are the file's collision hulls and curved surfaces, and the triangles of the map's opaque surfaces. In
// a file without hulls all opaque surfaces are solid.
import { Vector3 } from 'three';

const STEP = 18, GRAVITY = 800, JUMP = 270, FLOOR = 0.7; // units, units per second², units per second; least normal.y of a floor
const APART = 1 / 32, THIN = 1; // units: the distance kept from solids, and the thickness of a triangle
const STOPS = /\b(solid|window|grate|playerclip|moveable)\b/, LETS = /^trigger|illusionary|water|ladder|zone|areaportal|occluder|smokevolume|precipitation|nobuild|capture/i;
const CURVED = /-colonly$/; // a mesh of triangles rather than a convex solid
const LIQUID = /^[*!]|\/[*!]/, SOFT = /\b(nonsolid|water|lava|slime|fog)\b/;

// solidsOf returns the solids of a loaded map, each { low, high, planes() }; planes returns lists of nx, ny, nz, d with n · p <= d
// inside.
export function solidsOf(map, root, moved) {
  const hulls = [], curved = [], surfaces = [], unit = THIN * map.unit;
  root.updateMatrixWorld(true);
  root.traverse((mesh) => {
    if (!mesh.isMesh || mesh.userData.bsp2gltf_merged) return;
    const kind = map.kindOf(mesh), classname = map.entityOf(mesh)?.classname ?? '';
    if (kind === 'collision') {
      if (!STOPS.test(namesOf(mesh)) || LETS.test(classname)) return;
      if (!CURVED.test(map.nameOf(mesh))) hulls.push(hullOf(mesh, isBelow(mesh, moved)));
      else if (!isBelow(mesh, moved)) curved.push({ mesh }); // triangles can't follow movement
    } else if (kind === '' && !soft(map, mesh.material)) surfaces.push({ mesh, own: classname === 'worldspawn' });
  });
  const chosen = surfaces.filter(({ own }) => own || !hulls.length);
  return hulls.concat(curved.concat(chosen).flatMap(({ mesh }) => trianglesOf(mesh, unit)));
}

const namesOf = (mesh) => String(mesh.userData.contents_names ?? mesh.parent?.userData.contents_names ?? '');

const isBelow = (object, set) => !!object && (set.has(object) || isBelow(object.parent, set));

function soft(map, material) {
  const { surfaceparm = '' } = map.extrasOf(material);
  return material.transparent || material.isShaderMaterial || LIQUID.test(material.name) || SOFT.test(String(surfaceparm));
}

const corner = (mesh, i) => new Vector3().fromBufferAttribute(mesh.geometry.attributes.position, i).applyMatrix4(mesh.matrixWorld);

// each calls f with the corners of each triangle of a mesh, in world space.
function each(mesh, f) {
  const { index, attributes: { position } } = mesh.geometry, at = (i) => corner(mesh, index ? index.getX(i) : i), n = (index ?? position).count;
  for (let i = 0; i + 2 < n; i += 3) f(at(i), at(i + 1), at(i + 2));
}

const normalOf = (a, b, c) => new Vector3().subVectors(b, a).cross(new Vector3().subVectors(c, a)).normalize();

// hullOf returns the solid of a convex mesh. If moves is set, it follows the mesh.
function hullOf(mesh, moves) {
  const set = () => {
    const corners = [], planes = [];
    each(mesh, (a, b, c) => {
      corners.push(a, b, c);
      const n = normalOf(a, b, c), d = n.dot(a);
      if (n.lengthSq() > 0.5 && !planes.some((p) => p[0] * n.x + p[1] * n.y + p[2] * n.z > 0.9999 && Math.abs(p[3] - d) < 1e-3)) planes.push([...n, d]);
    });
    const { low, high } = boxAround(corners), middle = low.clone().add(high).multiplyScalar(0.5);
    for (const p of planes) if (p[0] * middle.x + p[1] * middle.y + p[2] * middle.z > p[3]) p.forEach((v, k) => { p[k] = -v; }); // the mesh is mirrored
    return { low, high, list: planes.concat(sides(low, high)) };
  };
  const solid = Object.assign(set(), { planes: () => solid.list });
  if (moves) solid.update = () => {
    const key = mesh.matrixWorld.elements.join();
    if (solid.key !== key) Object.assign(solid, { key }, set());
  };
  return solid;
}

// trianglesOf returns a solid for each triangle of a mesh: a plate below it.
function trianglesOf(mesh, thick) {
  const out = [];
  each(mesh, (a, b, c) => {
    const n = normalOf(a, b, c);
    if (n.lengthSq() < 0.5) return;
    const { low, high } = boxAround([a, b, c]);
    let made = null;
    out.push({ low, high, planes: () => (made ??= plate([a, b, c], n, thick).concat(sides(low, high))) });
  });
  return out;
}

function plate(corners, n, thick) {
  const edges = corners.map((a, i) => {
    const side = new Vector3().subVectors(corners[(i + 1) % 3], a).cross(n).normalize();
    return [...side, side.dot(a)];
  });
  return [[...n, n.dot(corners[0])], [-n.x, -n.y, -n.z, thick - n.dot(corners[0])], ...edges];
}

// sides are the planes of a solid's bounding box. Without them the walking box would catch on edges from a distance.
const sides = (low, high) => ['x', 'y', 'z'].flatMap((k, i) => [1, -1].map((s) => [0, 1, 2].map((c) => (c === i ? s : 0)).concat(s > 0 ? high[k] : -low[k])));

function boxAround(corners) {
  const low = new Vector3(Infinity, Infinity, Infinity), high = new Vector3(-Infinity, -Infinity, -Infinity);
  for (const c of corners) {
    low.min(c);
    high.max(c);
  }
  return { low, high };
}

export class Walker {
  // solids are those of solidsOf, unit is the metres of a map unit, tall and eye are the heights of the box and of the eye in units.
  constructor(solids, unit, { tall, eye }) {
    Object.assign(this, { solids, unit, movers: solids.filter((s) => s.update), velocity: new Vector3(), at: new Vector3(), near: [], grounded: false, late: 0 });
    this.half = new Vector3(16, tall / 2, 16).multiplyScalar(unit);
    this.above = (eye - tall / 2) * unit;
  }

  get eye() { return [this.at.x, this.at.y + this.above - this.late, this.at.z]; }

  // put places the walker with the eye at a point, or above it if that is in a solid.
  put([x, y, z]) {
    this.at.set(x, y - this.above, z);
    this.velocity.set(0, 0, 0);
    this.late = 0;
    this.gather(80 * this.unit);
    const from = this.at.y, inside = () => this.near.some((s) => s.planes().every((p) => this.beyond(p, this.at) < -APART * this.unit));
    for (let i = 0; i < 20 && inside(); i++) this.at.y += 4 * this.unit;
    if (inside()) this.at.y = from;
  }

  // step moves for a time in seconds by a velocity to the right and ahead in metres per second, and reports whether the position
  // changed.
  step(seconds, [right, ahead], yaw, jump) {
    const before = this.at.clone(), { velocity, unit } = this, wish = new Vector3(right * Math.cos(yaw) - ahead * Math.sin(yaw), 0, -right * Math.sin(yaw) - ahead * Math.cos(yaw));
    this.gather((velocity.length() + wish.length()) * seconds + 2 * STEP * unit);
    const share = 1 - Math.exp(-(this.grounded ? 12 : 2) * seconds);
    velocity.x += (wish.x - velocity.x) * share;
    velocity.z += (wish.z - velocity.z) * share;
    const stood = this.grounded && !jump;
    if (this.grounded && jump) velocity.y = JUMP * unit;
    else if (!this.grounded) velocity.y -= GRAVITY * unit * seconds;
    else velocity.y = 0;
    this.climb(seconds, stood);
    this.land(stood);
    this.late *= Math.exp(-12 * seconds);
    if (stood && Math.abs(this.at.y - before.y) > 2 * unit) this.late += this.at.y - before.y; // the eye follows steps smoothly
    if (Math.abs(this.late) < 0.1 * unit) this.late = 0;
    return this.at.distanceTo(before) > 1e-5 || this.late !== 0;
  }

  // climb slides and, if blocked, also tries it one step higher, and takes the result that leads farther.
  climb(seconds, stood) {
    const from = this.at.clone(), speed = this.velocity.clone(), free = this.slide(seconds);
    if (free || !stood) return;
    const low = this.at.clone(), slow = this.velocity.clone(), flat = (v) => Math.hypot(v.x - from.x, v.z - from.z);
    const up = this.trace(from, from.clone().setY(from.y + STEP * this.unit)), height = up.at.y - from.y;
    this.at.copy(up.at);
    this.velocity.copy(speed);
    this.slide(seconds);
    const down = this.trace(this.at, this.at.clone().setY(this.at.y - height));
    if (flat(this.at) > flat(low) + 1e-4 && (!down.normal || down.normal.y >= FLOOR)) this.at.copy(down.at);
    else {
      this.at.copy(low);
      this.velocity.copy(slow);
    }
  }

  // land determines whether the walker stands on the ground, and follows steps down.
  land(stood) {
    const reach = (stood && this.velocity.y <= 0 ? STEP : 0.5) * this.unit, down = this.trace(this.at, this.at.clone().setY(this.at.y - reach));
    this.grounded = !!down.normal && down.normal.y >= FLOOR && this.velocity.y <= 0.1;
    if (this.grounded) {
      this.at.copy(down.at);
      this.velocity.y = 0;
    }
  }

  // slide moves along obstacles, and reports whether there were none.
  slide(seconds) {
    const { velocity } = this, met = [];
    let left = seconds;
    for (let i = 0; i < 4; i++) {
      const { fraction, normal, at } = this.trace(this.at, this.at.clone().addScaledVector(velocity, left));
      this.at.copy(at);
      if (!normal) return i === 0;
      left -= left * fraction;
      met.push(normal);
      const along = met.map((n) => velocity.clone().addScaledVector(n, -1.001 * Math.min(velocity.dot(n), 0))).find((v) => met.every((n) => v.dot(n) >= -1e-6));
      if (along) velocity.copy(along);
      else if (met.length === 2) {
        const crease = new Vector3().crossVectors(...met).normalize();
        velocity.copy(crease.multiplyScalar(crease.dot(velocity)));
      } else {
        velocity.set(0, 0, 0);
        return false;
      }
    }
    return false;
  }

  // gather collects the solids within reach.
  gather(reach) {
    for (const s of this.movers) s.update();
    const r = this.half.clone().addScalar(reach), low = this.at.clone().sub(r), high = this.at.clone().add(r);
    this.near = this.solids.filter((s) => s.low.x <= high.x && s.high.x >= low.x && s.low.y <= high.y && s.high.y >= low.y && s.low.z <= high.z && s.high.z >= low.z);
  }

  // beyond returns the distance of the box at a point from a plane, positive outside.
  beyond([x, y, z, d], at) { return x * at.x + y * at.y + z * at.z - d - Math.abs(x) * this.half.x - Math.abs(y) * this.half.y - Math.abs(z) * this.half.z; }

  // trace moves the box from one point toward another. It returns { at, fraction, normal of the obstacle or null }. Solids that contain
  // the box at the start don't stop it.
  trace(from, to) {
    const apart = APART * this.unit, end = { fraction: 1, normal: null };
    for (const solid of this.near) {
      let enter = -1, leave = 1, plane = null, out = false;
      for (const p of solid.planes()) {
        const a = this.beyond(p, from), b = this.beyond(p, to);
        if (a > -apart) out = true; // touching is allowed
        if (a > 0 && (b >= apart || b >= a)) {
          leave = -2;
          break;
        }
        if (a <= 0 && b <= 0 && (a <= -apart || b >= a)) continue;
        if (a > b) {
          const f = Math.max((a - apart) / (a - b), 0);
          if (f > enter) [enter, plane] = [f, p];
        } else leave = Math.min(leave, (a + apart) / (a - b));
      }
      if (out && plane && enter < leave && enter < end.fraction) Object.assign(end, { fraction: enter, normal: new Vector3(...plane) });
    }
    return { ...end, at: new Vector3().lerpVectors(from, to, end.fraction) };
  }
}
