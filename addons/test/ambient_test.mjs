// usage: node ambient_test.mjs FILE.glb
// The light grid and the probes by ../three/ambient.js, in a page with three.js. FILE.glb is any file
// that three.html shows.
import path from 'node:path';
import { openPage } from './client.mjs';

const page = await openPage(64, 64);
await page.run('three.html', { file: `/file${path.resolve(process.argv[2])}`, size: '64x64', eye: '0,0,0', plugin: 1 });
const found = await page.evaluate(async () => {
  const { bsp2gltfAmbient } = await import('/addons/three/ambient.js'), { BufferAttribute, LightProbe, Vector3 } = await import('three');
  const bytes = (A, list) => new BufferAttribute(new A(list), 3, true);
  // Two samples, a metre apart along X: 188 is 0.503 linear, from above; the second is in a wall. A third is darker, at 2 metres.
  const accessors = [bytes(Uint8Array, [0, 0, 0, 0, 0, 0, 188, 188, 188]), bytes(Uint8Array, [188, 0, 0, 0, 0, 0, 0, 0, 0]), bytes(Int8Array, [0, 127, 0, 0, 0, 0, 0, 0, 0])];
  const gltf = { parser: { getDependency: async (_, i) => accessors[i] }, scene: { userData: { bsp2gltf_light_grid: {
    origin: [0, 0, 0], size: [3, 1, 1], steps: [[1, 0, 0], [0, 0, -1], [0, 1, 0]], ambient: 0, directed: 1, toward: 2 } } } };
  const scaled = structuredClone(gltf.scene.userData);
  scaled.bsp2gltf_light_grid.scale = 2.5;
  const bright = await bsp2gltfAmbient({ ...gltf, scene: { userData: scaled } });
  const grid = await bsp2gltfAmbient(gltf), shown = (probe, n) => { // as three's shader: irradiance / π
    const c = probe.sh.coefficients;
    return ['x', 'y', 'z'].map((k) => (0.886227 * c[0][k] + 1.023328 * (c[1][k] * n[1] + c[2][k] * n[2] + c[3][k] * n[0])) / Math.PI);
  };
  const at = (x) => grid.probe(new Vector3(x, 0, 0), new LightProbe());
  const side = (a) => [a, a, a], probes = await bsp2gltfAmbient({ scene: { userData: {} } }, { probes: [
    { position: [9, 0, 0], light: [1, 1, 1, 1, 1, 1].map(side) }, { position: [0, 0, 0], light: [0, 0, 0.8, 0.4, 0, 0].map(side) }] });
  // Probes in the file are shares of the brightest side.
  const lists = [new BufferAttribute(Float32Array.of(9, 0, 0, 0, 0, 0), 3), new BufferAttribute(Uint16Array.from([1, 1, 1, 1, 1, 1, 0, 0, 1, 0.5, 0, 0].flatMap((v) => side(v * 65535))), 3, true)];
  const packed = await bsp2gltfAmbient({ parser: { getDependency: async (_, i) => lists[i] }, scene: { userData: { bsp2gltf_light_probes: { position: 0, light: 1, scale: 0.8 } } } });
  // Probes state their map; those of another are none.
  const one = [{ position: [0, 0, 0], light: [1, 1, 1, 1, 1, 1].map(side) }], said = [];
  console.warn = (text) => said.push(text);
  const stated = async (own, map) => (await bsp2gltfAmbient({ scene: { userData: own ? { bsp2gltf_map_sha256: own } : {} } }, { map, probes: one })) !== null;
  const maps = [await stated('a', 'a'), await stated('', undefined), await stated('a', undefined), await stated('a', 'b'), await stated('', 'b')];
  return {
    maps, said,
    up: shown(at(0), [0, 1, 0]), down: shown(at(0), [0, -1, 0]), wall: shown(at(0.5), [0, 1, 0]), far: shown(at(7), [1, 0, 0]),
    exact: grid.light(new Vector3()).on(new Vector3(0, 1, 0)).toArray(), brightExact: bright.light(new Vector3()).on(new Vector3(0, 1, 0)).toArray(),
    sides: probes.light(new Vector3()).on(new Vector3(0.6, 0.8, 0)).toArray(),
    bright: shown(bright.probe(new Vector3(0, 0, 0), new LightProbe()), [0, 1, 0]), packed: shown(packed.probe(new Vector3(1, 0, 0)), [0, 1, 0]), probe: shown(probes.probe(new Vector3(1, 0, 0)), [0, 1, 0]), none: await bsp2gltfAmbient({ scene: { userData: {} } }),
  };
});
await page.close();
let failures = 0;
const check = (name, got, want) => {
  const ok = want.every((v, k) => Math.abs(got[k] - v) < 2e-3);
  console.log(`${ok ? 'ok' : 'FAIL'} ambient: ${name}${ok ? '' : `: ${got}, want ${want}`}`);
  failures += !ok;
};
check('light from above on a floor', found.up, [0.75 * 0.5029, 0, 0]);
check('light from above on a ceiling', found.down, [-0.25 * 0.5029, 0, 0]);
check('samples in walls do not count', found.wall, found.up);
check('beyond the grid its edge counts', found.far, [0.5029, 0.5029, 0.5029]);
check('a scale multiplies the light', found.bright, [2.5 * 0.75 * 0.5029, 0, 0]);
check('exactly, by the normal', found.exact, [0.5029, 0, 0]);
check('exactly, with a scale', found.brightExact, [2.5 * 0.5029, 0, 0]);
check('exactly, of a probe', found.sides, [0.8 * 0.64, 0.8 * 0.64, 0.8 * 0.64]);
check('the nearest probe', found.probe, [0.2 + 0.375 * 0.4, 0.2 + 0.375 * 0.4, 0.2 + 0.375 * 0.4]);
check('the nearest probe of the file', found.packed, found.probe);
check('probes that state no other map', found.maps.map(Number), [1, 1, 1, 0, 0]);
check('a warning for each that does', [found.said.length, found.said.filter((s) => s.includes('another map')).length], [2, 2]);
if (found.none !== null) failures++;
process.exitCode = failures ? 1 : 0;
