/**
 * The sky around the eye: as far away as in the game, where it has no parallax and never covers anything. The file has it as a box
 * around the map (nodes with bsp2gltf_sky; docs/internals/readers.md of bsp2gltf).
 */
import { CustomBlending, NormalBlending, OneFactor, OneMinusSrcAlphaFactor, SrcAlphaFactor } from 'three';
import { setUp } from './traverse.js';
import { patch, replace } from './patch.js';

const FIRST = -1e6; // of renderOrder

/**
 * Draws the sky of a loaded file around the camera, before all else and without depth. A sky that another program has quantized stays
 * where it is: such a program moves a node to the middle of its mesh, and the node is where the eye belongs.
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
  mesh.raycast = () => {}; // nothing is there
  if (mesh.geometry.attributes.position.array instanceof Float32Array) mesh.onBeforeRender = (renderer, scene, camera) => {
    mesh.matrixWorld.multiplyMatrices(mesh.parent.matrixWorld, mesh.matrix).copyPosition(camera.matrixWorld);
  };
}

// makeSky makes a material one of the sky and returns when it is drawn: what blends after what does not, and all before the rest.
function makeSky(material) {
  const order = FIRST + (material.transparent ? 1000 : 0) + (Number(material.userData.sort) || 0);
  if (material.transparent && material.blending === NormalBlending)
    Object.assign(material, {
      blending: CustomBlending,
      blendSrc: SrcAlphaFactor,
      blendDst: OneMinusSrcAlphaFactor,
      blendSrcAlpha: OneFactor,
      blendDstAlpha: OneMinusSrcAlphaFactor,
    });
  Object.assign(material, { transparent: false, depthTest: false, depthWrite: false }); // three draws what is transparent after all else
  // Neither too near nor too far for the camera, whatever its range of depth.
  patch(material, 'sky', (shader) => replace(shader, 'vertex', '#include <project_vertex>', '$&\ngl_Position.z = 0.5 * gl_Position.w;'));
  return order;
}
