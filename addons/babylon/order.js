// The drawing order of transparent surfaces (`sort` of docs/internals/readers.md). Babylon.js sorts by alphaIndex, then from far to
// near.
import { orderOf } from '../shared/order.js';

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
        const order = orderOf(mesh.material?.metadata?.gltf?.extras);
        mesh.alphaIndex = MIDDLE + order;
        // A waving layer may be exactly as far away as the surface below it.
        if (order && mesh.material.needAlphaBlendingForMesh(mesh)) mesh.material.zOffsetUnits = -16;
      }
    },
  }));
}
