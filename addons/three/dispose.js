import { resourcesOf } from './traverse.js';

/**
 * Removes a loaded file from its scene, and frees what the graphics card holds of it: geometries, materials, textures and render
 * targets, also those of this plugin. Clones of its objects share them.
 */
export function bsp2gltfDispose(gltf) {
  const { parser, scenes } = gltf, found = new Set([...parser.associations.keys(), ...resourcesOf(parser)]);
  for (const scene of scenes) {
    scene.removeFromParent();
    scene.traverse((object) => {
      for (const part of [object, object.geometry, object.skeleton, ...[object.material].flat()]) if (part) found.add(part);
    });
  }
  for (const material of [...found].filter((part) => part.isMaterial)) for (const value of Object.values(material)) if (value?.isTexture) found.add(value);
  for (const part of found) part.dispose?.();
  resourcesOf(parser).clear();
}
