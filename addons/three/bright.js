// Light in vertices that exceeds white is stored as a colour divided by an alpha (docs/internals/light.md of bsp2gltf).
import { patch, replace } from './patch.js';

/** Shows vertex light beyond white in a loaded file's opaque materials. */
export function bsp2gltfBright(gltf) {
  const found = new Set();
  for (const scene of gltf.scenes) {
    scene.traverse(({ geometry, material }) => {
      if (material?.userData?.over_alpha && geometry.attributes.color?.itemSize === 4) found.add(material);
    });
  }
  for (const material of found) {
    patch(material, 'bright', (shader) => {
      replace(shader, 'vertex', '#include <color_vertex>', '$&\n#ifdef USE_COLOR_ALPHA\n\tvColor = vec4(vColor.rgb / max(vColor.a, 1e-4), 1.0);\n#endif');
    });
  }
}
