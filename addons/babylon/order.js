// The drawing order of transparent surfaces (`sort` of docs/internals/readers.md). Babylon.js sorts by alphaIndex, then from far to
// near.
const NAME = 'bsp2gltf_order', MIDDLE = 1e6;

/** Registers the extension that draws the transparent surfaces of files in the game's order. */
export function registerOrder(GLTFLoader) {
  GLTFLoader.RegisterExtension(NAME, (loader) => ({
    name: NAME,
    enabled: (loader.gltf.materials ?? []).some((m) => m.extras?.sort),
    order: 30, // before the sky, which is drawn first
    dispose() {},
    onReady() {
      for (const mesh of loader.rootBabylonMesh?.getChildMeshes() ?? []) {
        const sort = Number(mesh.material?.metadata?.gltf?.extras?.sort) || 0;
        mesh.alphaIndex = MIDDLE + sort;
        // A waving layer may be exactly as far away as the surface below it.
        if (sort && mesh.material.needAlphaBlendingForMesh(mesh)) mesh.material.zOffsetUnits = -16;
      }
    },
  }));
}
