// Hides what a game never draws (nodes with bsp2gltf_hidden), and collision solids.
import { meshesOf } from './sky.js';

const NAME = 'bsp2gltf_hidden', SOLID = /-(conv)?colonly$/;

/** Registers the extension that hides them. */
export function registerHidden(GLTFLoader) {
  GLTFLoader.RegisterExtension(NAME, (loader) => ({
    name: NAME,
    enabled: true,
    dispose() {},
    onReady() {
      const hidden = (loader.gltf.nodes ?? []).filter((n) => n.extras?.[NAME] || SOLID.test(n.name ?? ''));
      for (const mesh of hidden.flatMap(meshesOf)) mesh.isVisible = false;
    },
  }));
}
