// The gamma of the display that a game ships (docs/internals/light.md): what is shown is brightened by a power, after fog.
import { CustomBlending } from 'three';
import { curves } from '../shared/color.js';
import { materialsOf } from './traverse.js';
import { declare, patch, replace } from './patch.js';

/** Shows a loaded file with the gamma that it states; after exposure and fog. */
export function bsp2gltfGamma(gltf) {
  const gamma = Number(gltf.scene.userData.bsp2gltf_gamma);
  if (!(gamma > 0) || !Number.isFinite(gamma) || gamma === 1) return;
  for (const material of materialsOf(gltf)) if (material.isMaterial && !material.isShaderMaterial) brighten(material, 1 / gamma);
}

// What multiplies the background by twice its colour keeps a half, which changes nothing.
function brighten(material, power) {
  const whole = material.blending === CustomBlending ? '2.0' : '1.0', key = `gamma ${power} ${whole}`;
  patch(material, key, (shader) => {
    declare(shader, 'fragment', curves('gamma'));
    replace(shader, 'fragment', '#include <opaque_fragment>',
      `outgoingLight = gammaDecode(pow(gammaEncode(max(outgoingLight, vec3(0.0))) * ${whole}, vec3(${power.toFixed(6)})) / ${whole});\n$&`);
  });
}
