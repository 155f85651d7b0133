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
  return owned(parser, texture);
}

const resources = new WeakMap(); // of parsers

/** Notes that something that is made beside the loader's own is disposed of with its file, and returns it. */
export function owned(parser, resource) {
  resourcesOf(parser).add(resource);
  return resource;
}

/** What was made beside the loader's own for a file. */
export function resourcesOf(parser) {
  if (!resources.has(parser)) resources.set(parser, new Set());
  return resources.get(parser);
}

let told = false;

/** Called before a mesh is drawn for the first time: WebGPURenderer would leave out all that is added to shaders. */
export function noticeRenderer(renderer) {
  if (this.onBeforeRender === noticeRenderer) delete this.onBeforeRender;
  if (told || !renderer?.isWebGPURenderer || this.material.isNodeMaterial) return;
  told = true;
  console.warn('bsp2gltf: WebGPURenderer shows light, blends and fog wrongly with these materials: import bsp2gltf from \'bsp2gltf-three/webgpu\'');
}

/** Sets up a mesh, and whatever clone is made of it. */
export function setUp(mesh, how) {
  how(mesh);
  const { clone } = mesh;
  mesh.clone = function (recursive) {
    const copy = clone.call(this, recursive);
    setUp(copy, how);
    return copy;
  };
}
