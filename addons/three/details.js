// Detail textures (docs/internals/readers.md of bsp2gltf). Those of shader scripts multiply what is shown by twice their stored value.
// One with a mode is combined with a base texture of its own, and the result replaces the base colour texture.
import { SRGBColorSpace, Vector3, Vector4 } from 'three';
import { isNumbers } from '../shared/color.js';
import { materialsOf, stored } from './traverse.js';
import { MODES } from '../shared/detailmodes.js';
import { declare, patch, replace } from './patch.js';
import { demandLight, ON_SHOWN } from './slots.js';

const MOST = 2;

/** Shows the detail textures of a loaded file. The promise ends when they are loaded. */
export function bsp2gltfDetails(gltf) {
  return Promise.all(
    materialsOf(gltf).map((material) => {
      const list = (Array.isArray(material.userData.details) ? material.userData.details : [])
        .filter((d) => Number.isInteger(d?.texture) && isNumbers(d.transform, 6))
        .slice(0, MOST);
      if (!list.length) return null;
      if (list[0].mode !== undefined) return drawOver(gltf.parser, material, list[0]);
      return material.isBakedMaterial && material.display ? multiply(gltf.parser, material, list) : null;
    }),
  );
}

const rows = ({ transform: t }) => [new Vector3(...t.slice(0, 3)), new Vector3(...t.slice(3))];

async function multiply(parser, material, list) {
  const uniforms = { detailMaps: { value: [] }, detailRows: { value: list.flatMap(rows) } };
  patch(material, `details ${list.length}`, (shader) => showDetails(shader, uniforms, list.length));
  uniforms.detailMaps.value = await Promise.all(list.map((d) => stored(parser, d.texture)));
}

function showDetails(shader, uniforms, count) {
  demandLight(shader);
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

// drawOver makes a material show its base colour combined with one detail texture, per pixel.
async function drawOver(parser, material, d) {
  const { mode, factor = 1, tint = [1, 1, 1] } = d;
  if (!material.map || !MODES[mode] || !Number.isInteger(d.base) || !Number.isFinite(factor) || !isNumbers(tint, 3)) return;
  const [base, over] = await Promise.all([stored(parser, d.base), stored(parser, d.texture)]);
  base.colorSpace = SRGBColorSpace;
  if (d.srgb) over.colorSpace = SRGBColorSpace;
  base.anisotropy = over.anisotropy = material.map.anisotropy;
  const uniforms = {
    overBase: { value: base },
    overMap: { value: over },
    overRows: { value: rows(d) },
    overTint: { value: new Vector4(...tint, factor) },
  };
  patch(material, `over ${mode}`, (shader) => showOver(shader, uniforms, MODES[mode]));
}

function showOver(shader, uniforms, mixed) {
  Object.assign(shader.uniforms, uniforms);
  declare(shader, 'vertex', 'varying vec2 vOver;');
  replace(shader, 'vertex', '#include <uv_vertex>', '$&\nvOver = uv;');
  declare(shader, 'fragment', 'uniform sampler2D overBase, overMap;\nuniform vec3 overRows[2];\nuniform vec4 overTint;\nvarying vec2 vOver;');
  replace(
    shader,
    'fragment',
    '#include <map_fragment>',
    `$&
{
  vec2 at = vec2(dot(overRows[0], vec3(vOver, 1.0)), dot(overRows[1], vec3(vOver, 1.0)));
  vec4 b = texture2D(overBase, vOver), d = texture2D(overMap, at) * vec4(overTint.rgb, 1.0);
  float f = overTint.a;
  diffuseColor.rgb = diffuse * (${mixed});
}`,
  );
}
