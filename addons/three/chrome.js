// Chrome of GoldSrc's models: texture coordinates that follow the camera (docs/internals/readers.md of bsp2gltf).
import { Vector2 } from 'three';
import { isNumbers } from '../shared/color.js';
import { declare, patch, replace } from './patch.js';

/** Makes the chrome of a loaded file follow the camera. */
export function bsp2gltfChrome(gltf) {
  const found = new Set();
  for (const scene of gltf.scenes) {
    scene.traverse(({ geometry, material }) => {
      if (geometry?.attributes._chrome && material.map && isNumbers(material.userData.chrome, 2)) found.add(material);
    });
  }
  for (const material of found) {
    const chromeScale = { value: new Vector2(...material.userData.chrome) };
    patch(material, 'chrome', (shader) => {
      Object.assign(shader.uniforms, { chromeScale });
      declare(shader, 'vertex', 'uniform vec2 chromeScale;\nattribute vec3 _chrome;\n');
      replace(shader, 'vertex', '#include <project_vertex>', `$&${PLACE}`);
    });
  }
}

// Relative to the vertex's bone, whose position moves with the vertex.
const PLACE = `
#ifdef USE_MAP
{
  vec4 at = vec4(_chrome, 1.0);
  vec3 facing = normal;
#ifdef USE_SKINNING
  at = skinMatrix * at;
  facing = objectNormal;
#endif
#ifdef USE_INSTANCING
  at = instanceMatrix * at;
  facing = mat3(instanceMatrix) * facing;
#endif
  facing = normalize(mat3(modelMatrix) * facing);
  vec3 ahead = normalize((modelMatrix * at).xyz - cameraPosition);
  vec3 down = normalize(cross(ahead, vec3(viewMatrix[0][0], viewMatrix[1][0], viewMatrix[2][0])));
  vMapUv = chromeScale * (1.0 + vec2(dot(facing, normalize(cross(down, ahead))), dot(facing, down)));
}
#endif`;
