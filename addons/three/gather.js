import { NoColorSpace } from 'three';

/** The meshes of a loaded file, shown or not. */
export function meshesOf(gltf) {
  const meshes = [];
  for (const scene of gltf.scenes)
    scene.traverse((object) => {
      if (object.isMesh) meshes.push(object);
    });
  return meshes;
}

/** The materials of these meshes, each once. */
export const materialsOf = (gltf) => [...new Set(meshesOf(gltf).map((mesh) => mesh.material))];

/** A texture of the file as stored, whoever else decodes it. */
export async function stored(parser, index) {
  const texture = (await parser.getDependency('texture', index)).clone();
  texture.colorSpace = NoColorSpace;
  texture.needsUpdate = true;
  return texture;
}
