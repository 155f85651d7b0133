/**
 * Lights what you put into a map as the game lights what moves: by the light grid of Quake III's maps, which is in the file, or the
 * probes of Source's, which are in NAME_probes.json beside it or, in pages, in the file.
 *
 *     const ambient = await bsp2gltfAmbient(gltf, await (await fetch('map_probes.json')).json()); // the latter of Source maps alone
 *     scene.add(ambient.probe(thing.position, new LightProbe()));
 */
import { LightProbe, Vector3 } from 'three';
import { inParts, listProbes, ofProbes, onGrid, onSurface } from '../shared/ambientlight.js';

/**
 * Reads the light of a loaded file. The result has light(position) and probe(position, lightProbe); null where there is none, and
 * where the probes state another map than the file: then it warns.
 */
export async function bsp2gltfAmbient(gltf, probes = null) {
  const x = gltf.scene.userData.bsp2gltf_light_grid;
  if (x) {
    const [ambient, directed, toward] = (await accessors(gltf, [x.ambient, x.directed, x.toward])).map((a) => (i) => three(a, i));
    return reader((at) => onGrid({ ...x, ambient, directed, toward }, at));
  }
  if (probes?.map && probes.map !== gltf.scene.userData.bsp2gltf_map_sha256) {
    console.warn('bsp2gltf: the light probes belong to another map and are left out');
    return null;
  }
  const list = probes?.probes ?? (await readPacked(gltf));
  return Array.isArray(list) && list.length ? reader((at) => ofProbes(list, at)) : null;
}

const accessors = ({ parser }, indices) => Promise.all(indices.map((i) => parser.getDependency('accessor', i)));
const three = (a, i) => [a.getX(i), a.getY(i), a.getZ(i)];

// readPacked returns the probes that are in the file; null if there are none.
async function readPacked(gltf) {
  const x = gltf.scene.userData.bsp2gltf_light_probes;
  if (!x) return null;
  const list = (a) => Array.from({ length: a.count }, (_, i) => three(a, i)).flat();
  const [position, light] = (await accessors(gltf, [x.position, x.light])).map(list);
  return listProbes(position, light, Number(x.scale) || 1);
}

// reader makes of a function that gives the light of a place one that gives it in three's terms, and one that sets a LightProbe.
function reader(find) {
  const light = (position) => {
    const found = find(position.toArray()), { all, way } = inParts(found);
    return { all: new Vector3(...all), way: way.map((w) => new Vector3(...w)), on: (n) => new Vector3(...onSurface(found, n.toArray())) };
  };
  return {
    light,
    probe(position, probe = new LightProbe()) {
      const { all, way } = light(position), c = probe.sh.coefficients;
      for (const k of c) k.set(0, 0, 0);
      // three multiplies the first by 0.886227 and the next by 1.023328, and divides by π.
      c[0].copy(all).multiplyScalar(Math.PI / 0.886227);
      for (const [to, axis] of [[1, 1], [2, 2], [3, 0]]) c[to].copy(way[axis]).multiplyScalar(Math.PI / 1.023328);
      return probe;
    },
  };
}
