/**
 * Lights what you put into a map as the game lights what moves: by the light grid of Quake III's maps, which is in the file, or the
 * probes of Source's, which are in NAME_probes.json beside it or, in pages, in the file.
 *
 *     const ambient = await bsp2gltfAmbient(gltf, await (await fetch('map_probes.json')).json()); // the latter of Source maps alone
 *     scene.add(ambient.probe(thing.position, new LightProbe()));
 */
import { Color, LightProbe, Vector3 } from 'three';

const SIDES = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];

/**
 * Reads the light of a loaded file. The result has light(position) and probe(position, lightProbe); null where there is none, and
 * where the probes state another map than the file: then it warns.
 */
export async function bsp2gltfAmbient(gltf, probes = null) {
  const x = gltf.scene.userData.bsp2gltf_light_grid;
  if (x) {
    const [ambient, directed, toward] = await Promise.all(['ambient', 'directed', 'toward'].map((k) => gltf.parser.getDependency('accessor', x[k])));
    return reader((at) => onGrid({ ...x, ambient, directed, toward }, at));
  }
  if (probes?.map && probes.map !== gltf.scene.userData.bsp2gltf_map_sha256) {
    console.warn('bsp2gltf: the light probes belong to another map and are left out');
    return null;
  }
  const list = probes?.probes ?? await readPacked(gltf);
  return Array.isArray(list) && list.length ? reader((at) => nearest(list, at)) : null;
}

// readPacked returns the probes that are in the file; null if there are none.
async function readPacked({ parser, scene }) {
  const x = scene.userData.bsp2gltf_light_probes;
  if (!x) return null;
  const [position, light] = await Promise.all([x.position, x.light].map((i) => parser.getDependency('accessor', i)));
  const three = (a, i, scale) => [a.getX(i) * scale, a.getY(i) * scale, a.getZ(i) * scale], scale = Number(x.scale) || 1;
  if (light.count < 6 * position.count) return null;
  const sides = (i) => SIDES.map((_, side) => three(light, 6 * i + side, scale));
  return Array.from({ length: position.count }, (_, i) => ({ position: three(position, i, 1), light: sides(i) }));
}

// reader makes of a function that gives light, {all: linear light from everywhere, way: by axis what comes more from +axis than from
// -axis, on: the linear light on a surface, by its normal}, one that sets a LightProbe.
function reader(find) {
  return {
    light: find,
    probe(position, probe = new LightProbe()) {
      const { all, way } = find(position), c = probe.sh.coefficients;
      for (const k of c) k.set(0, 0, 0);
      // three multiplies the first by 0.886227 and the next by 1.023328, and divides by π.
      c[0].copy(all).multiplyScalar(Math.PI / 0.886227);
      for (const [to, axis] of [[1, 1], [2, 2], [3, 0]]) c[to].copy(way[axis]).multiplyScalar(Math.PI / 1.023328);
      return probe;
    },
  };
}

// A unit of light from a direction d lights a surface with the normal n by max(0, n·d), which is nearly 1/4 + n·d/2.
function onGrid({ origin, size, steps, ambient, directed, toward, scale = 1 }, at) {
  const cell = steps.map((s, k) => {
    const step = new Vector3(...s), v = new Vector3().subVectors(at, new Vector3(...origin)).dot(step) / step.lengthSq();
    return Math.min(Math.max(v, 0), size[k] - 1);
  });
  const low = cell.map((v, k) => Math.min(Math.floor(v), Math.max(size[k] - 2, 0)));
  const all = new Vector3(), way = [new Vector3(), new Vector3(), new Vector3()], a = new Color(), d = new Color();
  const lit = [];
  let total = 0;
  for (let corner = 0; corner < 8; corner++) {
    const place = low.map((v, k) => Math.min(v + ((corner >> k) & 1), size[k] - 1));
    const weight = cell.reduce((w, v, k) => w * ((corner >> k) & 1 ? v - low[k] : 1 - v + low[k]), 1);
    const i = place[0] + size[0] * (place[1] + size[1] * place[2]);
    a.setRGB(ambient.getX(i), ambient.getY(i), ambient.getZ(i)).convertSRGBToLinear();
    d.setRGB(directed.getX(i), directed.getY(i), directed.getZ(i)).convertSRGBToLinear();
    if (weight <= 0 || !(a.r + a.g + a.b + d.r + d.g + d.b)) continue; // within walls: the game leaves it out
    total += weight;
    lit.push({ weight, a: a.toArray(), d: d.toArray(), from: new Vector3(toward.getX(i), toward.getY(i), toward.getZ(i)) });
    const from = [toward.getX(i), toward.getY(i), toward.getZ(i)], quarter = from.some(Boolean) ? 0.25 : 0;
    all.addScaledVector(new Vector3(a.r, a.g, a.b), weight).addScaledVector(new Vector3(d.r, d.g, d.b), weight * quarter);
    from.forEach((v, k) => way[k].addScaledVector(new Vector3(d.r, d.g, d.b), (weight * v) / 2));
  }
  if (total > 0) for (const v of [all, ...way]) v.multiplyScalar(scale / total);
  const on = (n) => lit.reduce((sum, { weight, a: base, d: more, from }) => {
    const part = Math.max(n.dot(from), 0);
    return sum.add(new Vector3(...base.map((v, k) => (v + more[k] * part) * weight * (scale / total))));
  }, new Vector3());
  return { all, way, on };
}

// A probe has light from six sides, of which n² falls on a surface: of the odd part of that 3/8 of the difference is linear in n.
function nearest(list, at) {
  const far = ({ position: [x, y, z] }) => (x - at.x) ** 2 + (y - at.y) ** 2 + (z - at.z) ** 2;
  const { light } = list.reduce((best, p) => (far(p) < far(best) ? p : best));
  const all = new Vector3(), way = [new Vector3(), new Vector3(), new Vector3()];
  light.forEach((l, side) => {
    all.addScaledVector(new Vector3(...l), 1 / 6);
    SIDES[side].forEach((sign, k) => way[k].addScaledVector(new Vector3(...l), sign * 0.375));
  });
  const on = (n) => n.toArray().reduce((sum, v, k) => sum.addScaledVector(new Vector3(...light[2 * k + (v < 0 ? 1 : 0)]), v * v), new Vector3());
  return { all, way, on };
}
