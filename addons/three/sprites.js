/**
 * Sprites that face the viewer (docs/internals/readers.md of bsp2gltf): nodes with bsp2gltf_sprite and faces_viewer, and materials
 * whose squares each turn to the viewer.
 */
import { BufferAttribute, DoubleSide, Matrix4, Quaternion, Vector3 } from 'three';
import { meshesOf, setUp } from './traverse.js';
import { declare, patch, replace } from './patch.js';
import { corners } from '../shared/billboards.js';

/** Turns the sprites of a loaded file to the camera that draws them. */
export function bsp2gltfSprites(gltf) {
  const unit = Number(gltf.scene.userData.bsp2gltf_unit) || 1 / 32,
    squares = new Map();
  for (const scene of gltf.scenes) {
    scene.traverse((object) => {
      const { bsp2gltf_sprite: sprite, faces_viewer: faces, upright, toward_eye: toward, glow } = object.userData;
      if (sprite && faces)
        object.traverse((mesh) => {
          if (mesh.isMesh) setUp(mesh, faceViewer(depthBelow(object, mesh), !!upright, !!toward, glow ? unit : 0));
        });
    });
  }
  for (const mesh of meshesOf(gltf)) {
    const way = mesh.material.userData.motion?.facing;
    if (way === 'sprite' || way === 'axis') turnSquares(mesh, way === 'axis', squares);
  }
}

const QUARTER = new Matrix4().makeRotationY(Math.PI / 2),
  place = new Vector3(),
  size = new Vector3(),
  from = new Vector3(),
  ignored = new Quaternion();

// depthBelow is how many levels a mesh is below an object.
const depthBelow = (object, mesh) => (mesh === object ? 0 : 1 + depthBelow(object, mesh.parent));

// faceViewer returns a function that makes a mesh turn about the object depth levels above it. The picture is seen from its own -X,
// with Z to the right. An upright sprite turns about the vertical until its Z points to the camera's right or, with toward, to the
// right as seen from the camera's position. A glow of Half-Life has the same size on screen as at 200 units from any distance, and
// 19000 / d² of its light, at least a twentieth; the file has the light at 400 units.
const faceViewer = (depth, upright, toward, unit) => (mesh) => {
  mesh.frustumCulled = false; // it reaches outside its box at rest
  if (unit) mesh.material = mesh.material.clone(); // other sprites have other distances
  single(mesh.material);
  const rest = mesh.userData.glowOpacity ??= mesh.material.opacity;
  mesh.onBeforeRender = (renderer, scene, camera) => {
    let object = mesh;
    for (let i = 0; i < depth; i++) object = object.parent;
    mesh.matrixWorld.multiplyMatrices(object.parent.matrixWorld, object.matrix).decompose(place, ignored, size);
    if (unit) {
      const d = Math.max(from.setFromMatrixPosition(camera.matrixWorld).distanceTo(place) / unit, 1);
      size.multiplyScalar(d / 200);
      mesh.material.opacity = (rest * Math.min(Math.max(19000 / d ** 2, 0.05), 1)) / 0.11875;
    }
    const eye = camera.matrixWorld.elements,
      [x, z] = toward && !camera.isOrthographicCamera ? [eye[14] - place.z, place.x - eye[12]] : [eye[0], eye[2]]; // the camera's right
    if (upright) mesh.matrixWorld.makeRotationY(Math.atan2(-z, x));
    else mesh.matrixWorld.extractRotation(camera.matrixWorld);
    mesh.matrixWorld.multiply(QUARTER).scale(size).setPosition(place);
  };
};

// single makes both sides of a material be drawn, in one pass.
const single = (material) => Object.assign(material, { side: DoubleSide, forceSinglePass: true });

// turnSquares turns each four vertices of a mesh about their centre, or about their long axis, in the vertex shader.
function turnSquares(mesh, axis, known) {
  mesh.frustumCulled = false;
  if (!known.has(mesh.geometry)) known.set(mesh.geometry, addCorners(mesh.geometry, axis));
  if (known.has(mesh.material)) return;
  known.set(mesh.material, true);
  single(mesh.material);
  patch(mesh.material, 'squares', (shader) => {
    declare(shader, 'vertex', 'attribute vec3 squareMiddle, squareAxis;\nattribute vec2 squareCorner;');
    replace(
      shader,
      'vertex',
      '#include <begin_vertex>',
      `$&
  {
    mat3 toMesh = inverse(mat3(modelMatrix));
    vec3 right = normalize(toMesh * vec3(viewMatrix[0].x, viewMatrix[1].x, viewMatrix[2].x));
    vec3 up = normalize(toMesh * vec3(viewMatrix[0].y, viewMatrix[1].y, viewMatrix[2].y));
    if (dot(squareAxis, squareAxis) > 0.0) {
      up = squareAxis;
      right = normalize(cross(up, (inverse(modelMatrix) * vec4(cameraPosition, 1.0)).xyz - squareMiddle));
    }
    transformed = squareMiddle + right * squareCorner.x + up * squareCorner.y;
  }`,
    );
  });
}

function addCorners(geometry, axis) {
  const { position, normal } = geometry.attributes, list = (a) => Float32Array.from({ length: 3 * a.count }, (_, i) => a.getComponent(Math.floor(i / 3), i % 3));
  const { middles, axes, places } = corners(list(position), normal ? list(normal) : null, axis);
  geometry.setAttribute('squareMiddle', new BufferAttribute(middles, 3));
  geometry.setAttribute('squareAxis', new BufferAttribute(axes, 3));
  geometry.setAttribute('squareCorner', new BufferAttribute(places, 2));
  return true;
}
