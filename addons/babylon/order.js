// The order in which what can be seen through is drawn (`sort` of docs/internals/readers.md): Babylon draws by alphaIndex, then from far to near.
const NAME = 'bsp2gltf_order', MIDDLE = 1e6;

/** Registers what draws the transparent surfaces of files in the game's order. */
export function registerOrder(GLTFLoader) {
  GLTFLoader.RegisterExtension(NAME, (loader) => ({
    name: NAME,
    enabled: (loader.gltf.materials ?? []).some((m) => m.extras?.sort),
    order: 30, // before the sky, which is first
    dispose() {},
    onReady() {
      for (const mesh of loader.rootBabylonMesh?.getChildMeshes() ?? []) {
        const sort = Number(mesh.material?.metadata?.gltf?.extras?.sort) || 0;
        mesh.alphaIndex = MIDDLE + sort;
        // A layer that waves may be as far away as what it covers.
        if (sort && mesh.material.needAlphaBlendingForMesh(mesh)) mesh.material.zOffsetUnits = -16;
      }
    },
  }));
}
