// A second texture that is blended over the base (docs/internals/readers.md of bsp2gltf), per pixel, in place of bands.
import { Vector3 } from 'three';
import { curves, isNumbers } from '../shared/color.js';
import { meshesOf, stored } from './traverse.js';
import { declare, patch, replace } from './patch.js';

/** Blends the second textures of a loaded file. The promise ends when they are loaded. */
export async function bsp2gltfSecond(gltf) {
  const meshes = meshesOf(gltf),
    mixed = new Map();
  for (const { material, geometry } of meshes) {
    const { mix } = material.userData;
    if (Number.isInteger(mix?.texture) && material.map && (geometry.attributes._blend ?? geometry.attributes._multiblend)) mixed.set(material, mix);
  }
  const parents = new Set(meshes.filter((mesh) => mixed.has(mesh.material)).map((mesh) => mesh.parent)); // all primitives of a mesh have the same parent
  for (const mesh of meshes) if (mesh.material.userData.band > 0 && parents.has(mesh.parent)) mesh.visible = false;
  await Promise.all([...mixed].map(([material, mix]) => fade(gltf.parser, material, mix)));
}

// fade makes a material show its second texture by the vertices' weights and the mask.
async function fade(parser, material, mix) {
  const masked = Number.isInteger(mix.mask) && isNumbers(mix.transform, 6),
    list = masked ? [mix.texture, mix.mask] : [mix.texture];
  const [second, mask] = await Promise.all(list.map((index) => stored(parser, index)));
  const uniforms = { secondMap: { value: second } };
  if (masked) {
    const t = mix.transform;
    Object.assign(uniforms, { secondMask: { value: mask }, secondRows: { value: [new Vector3(...t.slice(0, 3)), new Vector3(...t.slice(3))] } });
  }
  patch(material, `second ${masked}`, (shader) => showSecond(shader, uniforms, masked));
}

// A mesh has either the opacity of the second texture or, beside surfaces of four textures, four weights. A missing attribute is 0.
function showSecond(shader, uniforms, masked) {
  Object.assign(shader.uniforms, uniforms);
  declare(shader, 'vertex', 'attribute float _blend;\nattribute vec4 _multiblend;\nvarying float vSecond;');
  replace(shader, 'vertex', '#include <uv_vertex>', '$&\nvSecond = _blend + _multiblend.y;');
  declare(
    shader,
    'fragment',
    `uniform sampler2D secondMap;\nvarying float vSecond;\n${masked ? 'uniform sampler2D secondMask;\nuniform vec3 secondRows[2];' : ''}\n${curves('second')}`,
  );
  const modulate = masked
    ? `vec2 secondAt = vec2(dot(secondRows[0], vec3(vMapUv, 1.0)), dot(secondRows[1], vec3(vMapUv, 1.0)));
  vec2 secondBy = texture2D(secondMask, secondAt).rg;
  float secondLow = clamp(secondBy.g - secondBy.r, 0.0, 1.0), secondHigh = clamp(secondBy.g + secondBy.r, 0.0, 1.0);
  secondShare = secondHigh > secondLow ? smoothstep(secondLow, secondHigh, vSecond) : step(secondHigh, vSecond);`
    : '';
  replace(
    shader,
    'fragment',
    '#include <map_fragment>',
    `$&
{
  float secondShare = clamp(vSecond, 0.0, 1.0);
  ${modulate}
  diffuseColor.rgb = mix(diffuseColor.rgb, diffuse * secondDecode(texture2D(secondMap, vMapUv).rgb), secondShare);
}`,
  );
}
