import { NoColorSpace } from 'three';

/** The meshes of a loaded file, visible or not. */
export function meshesOf(gltf) {
  const meshes = [];
  for (const scene of gltf.scenes)
    scene.traverse((object) => {
      if (object.isMesh) meshes.push(object);
    });
  return meshes;
}

/** The materials of these meshes, without duplicates. */
export const materialsOf = (gltf) => [...new Set(meshesOf(gltf).map((mesh) => mesh.material))];

/** A copy of a texture of the file that is not decoded. */
export async function stored(parser, index) {
  const texture = (await parser.getDependency('texture', index)).clone();
  texture.colorSpace = NoColorSpace;
  texture.needsUpdate = true;
  return owned(parser, texture);
}

const resources = new WeakMap(); // of parsers

/** Registers a resource that is made in addition to the loader's own, so that it is disposed of with its file, and returns it. */
export function owned(parser, resource) {
  resourcesOf(parser).add(resource);
  return resource;
}

/** The resources that were made for a file in addition to the loader's own. */
export function resourcesOf(parser) {
  if (!resources.has(parser)) resources.set(parser, new Set());
  return resources.get(parser);
}

let told = false;

/** Called before a mesh is drawn for the first time, to warn about WebGPURenderer, which ignores additions to shaders. */
export function noticeRenderer(renderer) {
  if (this.onBeforeRender === noticeRenderer) delete this.onBeforeRender;
  if (told || !renderer?.isWebGPURenderer || this.material.isNodeMaterial) return;
  told = true;
  console.warn('bsp2gltf: WebGPURenderer shows light, blends and fog wrongly with these materials: import bsp2gltf from \'bsp2gltf-three/webgpu\'');
}

/** Calls how for a mesh, and for every clone made of it. */
export function setUp(mesh, how) {
  how(mesh);
  const { clone } = mesh;
  mesh.clone = function (recursive) {
    const copy = clone.call(this, recursive);
    setUp(copy, how);
    return copy;
  };
}
