import { meshesOf } from './traverse.js';

const NAME = 'KHR_materials_variants';

/**
 * Finds the variants (skins) of a loaded file. The result has names and select(name), which shows a variant; null shows the file's own
 * materials. Call it before parts that change materials: it adds a mesh for each other material.
 */
export async function bsp2gltfVariants(gltf) {
  const names = (gltf.parser.json.extensions?.[NAME]?.variants ?? []).map((v) => String(v.name)),
    choices = [];
  for (const mesh of names.length ? meshesOf(gltf) : []) {
    const { mappings = [] } = mesh.userData.gltfExtensions?.[NAME] ?? {},
      shown = new Map(),
      mask = mesh.layers.mask;
    for (const { material: index, variants = [] } of mappings) {
      const other = mesh.clone(false);
      Object.assign(other, { userData: {}, material: await gltf.parser.getDependency('material', index) });
      gltf.parser.assignFinalMaterial(other);
      other.position.set(0, 0, 0);
      other.quaternion.identity();
      other.scale.set(1, 1, 1);
      other.layers.mask = 0; // in no layer, so that it is not drawn
      mesh.add(other);
      gltf.parser.plugins.MOZ_lightmap?.finish?.(other);
      for (const v of variants) shown.set(names[v], other);
    }
    if (shown.size) choices.push({ mesh, mask, shown });
  }
  return {
    names,
    select(name) {
      for (const { mesh, mask, shown } of choices) {
        const now = shown.get(name) ?? mesh;
        for (const m of [mesh, ...shown.values()]) m.layers.mask = m === now ? mask : 0;
      }
    },
  };
}
