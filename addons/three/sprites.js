/**
 * Pictures that face the viewer (docs/extras.md of bsp2gltf): nodes with bsp2gltf_sprite and faces_viewer, and materials whose squares
 * turn to the viewer one by one.
 */
import { BufferAttribute, DoubleSide, Matrix4, Quaternion, Vector3 } from 'three';
import { meshesOf } from './gather.js';
import { declare, patch, replace } from './patch.js';

/** Turns the sprites of a loaded file to whatever camera draws them. */
export function bsp2gltfSprites(gltf) {
  const unit = Number(gltf.scene.userData.bsp2gltf_unit) || 1 / 32,
    squares = new Map();
  for (const scene of gltf.scenes) {
    scene.traverse((object) => {
      const { bsp2gltf_sprite: sprite, faces_viewer: faces, glow } = object.userData;
      if (sprite && faces)
        object.traverse((mesh) => {
          if (mesh.isMesh) turn(object, mesh, glow ? unit : 0);
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

// turn turns a mesh about an object whose picture is seen from its own -X with Z to the right. A glow of Half-Life is as large from
// anywhere as from 200 units, with 19000 / d² of its light, at least a twentieth; the file has that of 400 units.
function turn(object, mesh, unit) {
  const { material } = mesh,
    rest = material.opacity;
  mesh.frustumCulled = false; // it reaches further than where it is at rest
  if (unit) mesh.material = own(material); // others are seen from elsewhere
  single(mesh.material);
  mesh.onBeforeRender = (renderer, scene, camera) => {
    mesh.matrixWorld.multiplyMatrices(object.parent.matrixWorld, object.matrix).decompose(place, ignored, size);
    if (unit) {
      const d = Math.max(from.setFromMatrixPosition(camera.matrixWorld).distanceTo(place) / unit, 1);
      size.multiplyScalar(d / 200);
      mesh.material.opacity = (rest * Math.min(Math.max(19000 / d ** 2, 0.05), 1)) / 0.11875;
    }
    mesh.matrixWorld.extractRotation(camera.matrixWorld).multiply(QUARTER).scale(size).setPosition(place);
  };
}

function own(material) {
  const { onBeforeCompile, customProgramCacheKey, onBeforeRender } = material;
  return Object.assign(material.clone(), { onBeforeCompile, customProgramCacheKey, onBeforeRender });
}

// single has both sides of a material drawn, at once.
const single = (material) => Object.assign(material, { side: DoubleSide, forceSinglePass: true });

// turnSquares turns each four vertices of a mesh about their middle, or about their long axis, in the vertex shader.
function turnSquares(mesh, axis, known) {
  mesh.frustumCulled = false;
  if (!known.has(mesh.geometry)) known.set(mesh.geometry, corners(mesh.geometry, axis));
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

// corners gives each vertex the middle of its square, its place right and up of it, and the square's long axis if it turns about that.
function corners(geometry, axis) {
  const { position, normal } = geometry.attributes,
    n = position.count,
    read = (attribute, i) => new Vector3().fromBufferAttribute(attribute, i);
  const middles = new Float32Array(3 * n),
    axes = new Float32Array(3 * n),
    places = new Float32Array(2 * n);
  for (let i = 0; i < n; i += 4) {
    const square = Array.from({ length: Math.min(4, n - i) }, (_, k) => read(position, i + k)),
      facing = normal ? read(normal, i) : new Vector3(0, 0, 1);
    const middle = square.reduce((sum, v) => sum.add(v), new Vector3()).divideScalar(square.length),
      up = new Vector3(),
      along = new Vector3();
    if (axis && square.length === 4) up.copy(along.copy(longAxis(square)));
    else up.set(...(Math.abs(facing.y) < 0.9 ? [0, 1, 0] : [0, 0, -1]));
    up.addScaledVector(facing, -up.dot(facing)).normalize();
    const right = new Vector3().crossVectors(up, facing).normalize();
    square.forEach((v, k) => {
      middle.toArray(middles, 3 * (i + k));
      along.toArray(axes, 3 * (i + k));
      v.sub(middle);
      places.set([v.dot(right), v.dot(up)], 2 * (i + k));
    });
  }
  geometry.setAttribute('squareMiddle', new BufferAttribute(middles, 3));
  geometry.setAttribute('squareAxis', new BufferAttribute(axes, 3));
  geometry.setAttribute('squareCorner', new BufferAttribute(places, 2));
  return true;
}

// longAxis is the direction in which a square of four vertices is longer: of its six ways two are short, two long, two diagonal.
function longAxis(square) {
  const ways = [
    [0, 1],
    [0, 2],
    [0, 3],
    [1, 2],
    [1, 3],
    [2, 3],
  ].map(([a, b]) => square[b].clone().sub(square[a]));
  return ways.sort((a, b) => a.length() - b.length())[2].normalize();
}
