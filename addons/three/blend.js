/**
 * Blend modes that glTF lacks: adding to the background, and multiplying it (docs/internals/readers.md of bsp2gltf); and the game's
 * drawing order of transparent surfaces.
 */
import { AdditiveBlending, CustomBlending, DstColorFactor, OneFactor, SrcColorFactor, Vector3, ZeroFactor } from 'three';
import { isNumbers } from '../shared/color.js';
import { orderOf } from '../shared/order.js';
import { materialsOf, meshesOf, stored } from './traverse.js';
import { declare, patch, replace } from './patch.js';
import { demandLight, LIGHT_AS_DISPLAYED } from './slots.js';

/** Blends the materials of a loaded file as the game does. The promise ends when all textures are loaded. */
export function bsp2gltfBlend(gltf) {
  for (const mesh of meshesOf(gltf)) {
    const order = orderOf(mesh.material.userData);
    if (!order) continue;
    mesh.renderOrder = order;
    // A waving layer may be exactly as far away as the surface below it.
    if (mesh.material.transparent) Object.assign(mesh.material, { polygonOffset: true, polygonOffsetUnits: -16 });
  }
  apart(gltf);
  return Promise.all(
    materialsOf(gltf).map((material) => {
      const { blend, behind } = material.userData;
      if (blend === 'add') material.blending = AdditiveBlending; // colours of translucent materials are brightened by their alpha, for blending
      return blend === 'multiply' && material.transparent ? multiply(gltf.parser, material, behind) : null;
    }),
  );
}

// apart splits a mesh that first multiplies the background and then adds to it into two meshes. The multiplying one is drawn first.
function apart(gltf) {
  const made = new Map();
  for (const mesh of meshesOf(gltf)) {
    const { material } = mesh, { blend, behind } = material.userData;
    if (blend || !behind || !material.transparent) continue;
    if (!made.has(material)) {
      const under = material.clone(), { environment, ...rest } = material.userData;
      under.userData = { ...rest, blend: 'multiply' };
      gltf.parser.associations.set(under, gltf.parser.associations.get(material));
      material.userData = { ...material.userData, blend: 'add' };
      made.set(material, under);
    }
    const under = mesh.clone(false);
    under.material = made.get(material);
    under.renderOrder = mesh.renderOrder - 0.001;
    mesh.parent.add(under);
  }
}

// multiply makes a material multiply the background by 1 + alpha · (2 · shown - 1), or by an image of its own.
function multiply(parser, material, behind) {
  if (material.blending === CustomBlending) return null;
  Object.assign(material, {
    blending: CustomBlending,
    blendSrc: DstColorFactor,
    blendDst: SrcColorFactor,
    blendSrcAlpha: ZeroFactor,
    blendDstAlpha: OneFactor,
  });
  const own = Number.isInteger(behind?.texture) && !!material.map && isNumbers(behind.factor, 3),
    lit = material.isBakedMaterial && material.display && !material.display.vertex;
  const uniforms = own ? { behindMap: { value: null }, behindFactor: { value: new Vector3(...behind.factor) } } : {};
  patch(material, `multiply ${own} ${!!lit}`, (shader) => {
    Object.assign(shader.uniforms, uniforms);
    if (own && lit) demandLight(shader);
    if (own) declare(shader, 'fragment', 'uniform sampler2D behindMap;\nuniform vec3 behindFactor;');
    replace(
      shader,
      'fragment',
      '#include <colorspace_fragment>',
      `$&\ngl_FragColor.rgb = ${
        own
          ? `0.5 * behindFactor * texture2D(behindMap, vMapUv).rgb * ${lit ? LIGHT_AS_DISPLAYED : '1.0'}`
          : 'mix(vec3(0.5), gl_FragColor.rgb, gl_FragColor.a)'
      };`,
    );
  });
  return own
    ? stored(parser, behind.texture).then((texture) => {
        uniforms.behindMap.value = texture;
      })
    : null;
}
