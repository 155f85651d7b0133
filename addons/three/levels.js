/**
 * Finds the levels of detail of a loaded file (MSFT_lod). The result has count, 1 if there are none, and show(level), where 0 is the
 * finest; an object with fewer levels shows its coarsest. Call it before parts that change materials: it adds the coarser levels to the
 * scene, hidden.
 */
export async function bsp2gltfLevels(gltf) {
  const found = [],
    chains = [];
  for (const scene of gltf.scenes)
    scene.traverse((object) => {
      if (object.userData.gltfExtensions?.MSFT_lod?.ids?.length) found.push(object);
    });
  for (const object of found) {
    const coarser = await Promise.all(object.userData.gltfExtensions.MSFT_lod.ids.map((id) => gltf.parser.getDependency('node', id)));
    for (const other of coarser) {
      other.visible = false;
      object.parent.add(other);
      gltf.parser.plugins.MOZ_lightmap?.finish?.(other);
    }
    chains.push([object, ...coarser]);
  }
  return {
    count: Math.max(1, ...chains.map((c) => c.length)),
    show(level) {
      for (const chain of chains)
        chain.forEach((object, i) => {
          object.visible = i === Math.min(level, chain.length - 1);
        });
    },
  };
}
