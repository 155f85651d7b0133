// The initial exposure of a game (docs/internals/light.md): a factor on everything shown, before fog.
import { materialsOf } from './traverse.js';
import { declare, patch, replace } from './patch.js';

/** Multiplies what a loaded file shows by the exposure that it states, or 1. The result has factor, which may be set. */
export function bsp2gltfExposure(gltf) {
  const stated = Number(gltf.scene.userData.bsp2gltf_exposure), uniform = { value: stated > 0 && Number.isFinite(stated) ? stated : 1 };
  const own = materialsOf(gltf).filter((material) => material.isMaterial && !material.isShaderMaterial);
  for (const material of own) expose(material, uniform);
  return {
    get factor() { return uniform.value; },
    set factor(value) { uniform.value = value; },
    /** Exposes a material that is added later like the file's. */
    add: (material) => expose(material, uniform),
  };
}

function expose(material, uniform) {
  patch(material, 'exposure', (shader) => {
    shader.uniforms.exposureFactor = uniform;
    declare(shader, 'fragment', 'uniform float exposureFactor;');
    replace(shader, 'fragment', '#include <opaque_fragment>', 'outgoingLight *= exposureFactor;\n$&');
  }, null, { uniform });
}
