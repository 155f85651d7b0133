/**
 * Draws the sky around the camera: infinitely far, as in the game, where it has no parallax and covers nothing. In the file it is a box
 * around the map (nodes with bsp2gltf_sky; docs/internals/readers.md of bsp2gltf).
 */
import { CustomBlending, NormalBlending, OneFactor, OneMinusSrcAlphaFactor, SrcAlphaFactor } from 'three';
import { orderOf } from '../shared/order.js';
import { setUp } from './traverse.js';
import { patch, replace } from './patch.js';

const FIRST = -1e6; // first renderOrder of the sky

/**
 * Draws the sky of a loaded file around the camera, before everything else and without depth. A sky that another program has quantized
 * stays where it is: such programs move a node to the centre of its mesh, but the node marks the camera's place.
 */
export function bsp2gltfSky(gltf) {
  const orders = new Map(); // of materials
  for (const scene of gltf.scenes) {
    scene.traverse((object) => {
      if (object.userData.bsp2gltf_sky)
        object.traverse((mesh) => {
          if (mesh.isMesh) around(mesh, orders);
        });
    });
  }
}

function around(mesh, orders) {
  const { material } = mesh;
  if (!orders.has(material)) orders.set(material, makeSky(material));
  mesh.renderOrder = orders.get(material);
  mesh.frustumCulled = false;
  setUp(mesh, followCamera);
}

function followCamera(mesh) {
  mesh.raycast = () => {}; // raycasts don't hit it
  if (mesh.geometry.attributes.position.array instanceof Float32Array) mesh.onBeforeRender = (renderer, scene, camera) => {
    mesh.matrixWorld.multiplyMatrices(mesh.parent.matrixWorld, mesh.matrix).copyPosition(camera.matrixWorld);
  };
}

// makeSky makes a material one of the sky, and returns its renderOrder: opaque layers first, then blended ones, all before the rest.
function makeSky(material) {
  const order = FIRST + (material.transparent ? 1000 : 0) + orderOf(material.userData);
  if (material.transparent && material.blending === NormalBlending)
    Object.assign(material, {
      blending: CustomBlending,
      blendSrc: SrcAlphaFactor,
      blendDst: OneMinusSrcAlphaFactor,
      blendSrcAlpha: OneFactor,
      blendDstAlpha: OneMinusSrcAlphaFactor,
    });
  Object.assign(material, { transparent: false, depthTest: false, depthWrite: false }); // three.js draws transparent materials after all others
  // At half the depth range, whatever the camera's near and far are.
  patch(material, 'sky', (shader) => replace(shader, 'vertex', '#include <project_vertex>', '$&\ngl_Position.z = 0.5 * gl_Position.w;'));
  return order;
}
