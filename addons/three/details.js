// Detail textures (docs/extras.md of bsp2gltf), as stored, multiply what is shown by twice themselves.
import { Vector3 } from 'three';
import { materialsOf, numbers, stored } from './gather.js';
import { declare, patch, replace } from './patch.js';
import { ON_SHOWN } from './places.js';

const MOST = 2;

/** Shows the detail textures of a loaded file. The promise ends when they are there. */
export function bsp2gltfDetails(gltf) {
  return Promise.all(
    materialsOf(gltf)
      .filter((m) => m.isBakedMaterial && m.display)
      .map((material) => {
        const list = (Array.isArray(material.userData.details) ? material.userData.details : [])
          .filter((d) => Number.isInteger(d?.texture) && numbers(d.transform, 6))
          .slice(0, MOST);
        if (!list.length) return null;
        const uniforms = {
          detailMaps: { value: [] },
          detailRows: { value: list.flatMap(({ transform: t }) => [new Vector3(...t.slice(0, 3)), new Vector3(...t.slice(3))]) },
        };
        patch(material, `details ${list.length}`, (shader) => showDetails(shader, uniforms, list.length));
        return Promise.all(list.map((d) => stored(gltf.parser, d.texture))).then((textures) => {
          uniforms.detailMaps.value = textures;
        });
      }),
  );
}

function showDetails(shader, uniforms, count) {
  Object.assign(shader.uniforms, uniforms);
  const each = (line) => Array.from({ length: count }, (_, i) => line(i)).join('\n');
  declare(shader, 'vertex', `uniform vec3 detailRows[${2 * count}];\nvarying vec2 vDetails[${count}];`);
  replace(
    shader,
    'vertex',
    '#include <uv_vertex>',
    `$&\n${each((i) => `vDetails[${i}] = vec2(dot(detailRows[${2 * i}], vec3(uv, 1.0)), dot(detailRows[${2 * i + 1}], vec3(uv, 1.0)));`)}`,
  );
  declare(shader, 'fragment', `uniform sampler2D detailMaps[${count}];\nvarying vec2 vDetails[${count}];`);
  replace(
    shader,
    'fragment',
    ON_SHOWN,
    `$&\n${each((i) => `  shown = min(shown, vec3(1.0)) * 2.0 * texture2D(detailMaps[${i}], vDetails[${i}]).rgb;`)}`,
  );
}
