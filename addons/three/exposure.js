// The exposure that a game begins with (docs/light.md): it multiplies all that is shown, before fog.
import { patch, replace } from './patch.js';

/** Multiplies what a loaded file shows by the exposure that it states. */
export function bsp2gltfExposure(gltf) {
  for (const scene of gltf.scenes) {
    const factor = Number(scene.userData.bsp2gltf_exposure), seen = new Set();
    if (!(factor > 0) || !Number.isFinite(factor) || factor === 1) continue;
    scene.traverse(({ material }) => {
      if (!material || seen.has(material) || material.isShaderMaterial || !material.isMaterial) return;
      seen.add(material);
      patch(material, `exposure ${factor}`, (shader) => replace(shader, 'fragment', '#include <opaque_fragment>', `outgoingLight *= ${factor.toFixed(6)};\n$&`));
    });
  }
}
