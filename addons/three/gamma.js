// The display gamma that a game ships with (docs/internals/light.md): a power on what is shown, after fog.
import { CustomBlending } from 'three';
import { curves } from '../shared/color.js';
import { materialsOf } from './traverse.js';
import { declare, patch, replace } from './patch.js';

/** Applies the gamma that a loaded file states. Call it after exposure and fog. */
export function bsp2gltfGamma(gltf) {
  const gamma = Number(gltf.scene.userData.bsp2gltf_gamma);
  if (!(gamma > 0) || !Number.isFinite(gamma) || gamma === 1) return;
  for (const material of materialsOf(gltf)) if (material.isMaterial && !material.isShaderMaterial) brighten(material, 1 / gamma);
}

// For a material that multiplies the background by twice its colour, 0.5 stays 0.5: it multiplies by one.
function brighten(material, power) {
  const whole = material.blending === CustomBlending ? '2.0' : '1.0', key = `gamma ${power} ${whole}`;
  patch(material, key, (shader) => {
    declare(shader, 'fragment', curves('gamma'));
    replace(shader, 'fragment', '#include <opaque_fragment>',
      `outgoingLight = gammaDecode(pow(gammaEncode(max(outgoingLight, vec3(0.0))) * ${whole}, vec3(${power.toFixed(6)})) / ${whole});\n$&`);
  });
}
