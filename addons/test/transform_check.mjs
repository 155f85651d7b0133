// usage: node transform_check.mjs BEFORE.glb AFTER.glb
// Checks what the command "map" of our gltf-transform configuration must keep: every node with its name and extras, every image, the
// light of each material, and the light grid's accessors at the indices in the extras.
import fs from 'node:fs';

const [before, after] = process.argv.slice(2).map((file) => {
  const data = fs.readFileSync(file), length = data.readUInt32LE(12);
  return { json: JSON.parse(data.subarray(20, 20 + length)), binary: data.subarray(28 + length) };
});
let failures = 0;
const same = (what, a, b) => {
  const equal = JSON.stringify(a) === JSON.stringify(b);
  if (!equal) console.log(`FAIL ${what}:\n  ${JSON.stringify(a).slice(0, 600)}\n  ${JSON.stringify(b).slice(0, 600)}`);
  failures += !equal;
};
const sorted = (o) => (o && typeof o === 'object' && !Array.isArray(o) ? Object.fromEntries(Object.keys(o).sort().map((k) => [k, sorted(o[k])])) : o);
// A mesh with a moving node gets a nameless node of its own, which undoes the quantization.
const own = ({ name, mesh }) => name === undefined && mesh !== undefined;
const nodes = ({ json }) => json.nodes.filter((n) => !own(n)).map((n) => JSON.stringify(sorted({ name: n.name, extras: n.extras, camera: n.camera !== undefined,
  mesh: n.mesh !== undefined || (n.children ?? []).some((c) => own(json.nodes[c])) }))).sort();
const lights = ({ json }) => json.materials.map((m) => {
  const light = m.extensions?.MOZ_lightmap;
  const name = (index) => index !== undefined && json.images[json.textures[index].source].name, { details, environment: e, behind, motion } = m.extras ?? {};
  const fine = details?.map((d) => sorted({ ...d, texture: name(d.texture), base: name(d.base) })), frames = motion && sorted({ ...motion, frames: motion.frames?.map(name) });
  return JSON.stringify([m.name, fine, e && sorted({ ...e, texture: name(e.texture), factor_texture: name(e.factor_texture) }), behind && sorted({ ...behind, texture: name(behind.texture) }), frames,
    light && sorted({ ...light, index: name(light.index) }), sorted(m.extensions?.KHR_materials_unlit)]);
}).sort();
// An accessor of the grid: its form, and its bytes if they are not compressed.
const grid = ({ json, binary }) => {
  const found = json.scenes[0].extras.bsp2gltf_light_grid;
  return found && ['ambient', 'directed', 'toward'].map((name) => {
    const a = json.accessors[found[name]], view = json.bufferViews[a.bufferView], at = (view.byteOffset ?? 0) + (a.byteOffset ?? 0);
    const packed = Boolean(view.extensions), stride = view.byteStride ?? 3;
    return [a.count, a.type, a.componentType, packed ? '' : Array.from({ length: a.count }, (_, i) => binary.subarray(at + i * stride, at + i * stride + 3).toString('hex')).join('')];
  });
};
same('nodes', nodes(before), nodes(after));
same('images', before.json.images.map((i) => i.name).sort(), after.json.images.map((i) => i.name).sort());
same('light of materials', lights(before), lights(after));
const [a, b] = [grid(before), grid(after)];
if (b?.[0][3] === '') a?.forEach((list) => { list[3] = ''; });
same('light grid', a, b);
process.exit(failures ? 1 : 0);
