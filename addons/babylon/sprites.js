// Nodes whose picture faces the viewer (docs/internals/readers.md): bsp2gltf_sprite with faces_viewer.
import { meshesOf } from './sky.js';

const NAME = 'bsp2gltf_sprite';

/** Registers the extension that turns the sprites of files to the camera that draws them. */
export function registerSprites(GLTFLoader) {
  GLTFLoader.RegisterExtension(NAME, (loader) => {
    const { nodes = [], scenes = [], scene = 0 } = loader.gltf, unit = Number(scenes[scene]?.extras?.bsp2gltf_unit) || 1 / 32;
    const found = nodes.filter(({ extras: x }) => x?.[NAME] && x.faces_viewer);
    return {
      name: NAME,
      enabled: found.length > 0,
      dispose() {},
      onReady() {
        const sprites = found.flatMap((n) => (n._babylonTransformNode ? [{ node: n._babylonTransformNode, meshes: meshesOf(n), upright: !!n.extras.upright, toward: !!n.extras.toward_eye, glow: !!n.extras.glow, size: n._babylonTransformNode.scaling.clone() }] : []));
        for (const { meshes } of sprites) for (const mesh of meshes) Object.assign(mesh, { alwaysSelectAsActiveMesh: true }, mesh.material && { material: facing(mesh.material) });
        // Before the world matrices of a frame are computed.
        const { onBeforeActiveMeshesEvaluationObservable: before } = loader.babylonScene; // the loader drops its reference to the scene
        const observer = before.add((world) => {
          for (const s of sprites) turn(s, world.activeCamera, unit);
        });
        sprites[0]?.node.onDisposeObservable.add(() => before.remove(observer));
      },
    };
  });
}

function facing(material) {
  material.backFaceCulling = false;
  return material;
}

// turn turns a node whose picture is seen from its own -X, with Z to the right. An upright sprite turns about the vertical until its Z
// points to the camera's right or, with toward, to the right as seen from the camera's position. A glow of Half-Life has the same size
// on screen as at 200 units from any distance, and 19000 / d² of its light, at least a twentieth; the file has the light at 400 units.
function turn({ node, meshes, upright, toward, glow, size }, camera, unit) {
  const eye = camera.getWorldMatrix().m, up = eye.slice(4, 7), ahead = camera.getScene().useRightHandedSystem ? -1 : 1, forward = [8, 9, 10].map((i) => ahead * eye[i]);
  const at = node.getAbsolutePosition(), right = toward && camera.mode !== 1 ? [ahead * (at.z - eye[14]), 0, ahead * (eye[12] - at.x)] : eye.slice(0, 3);
  const parent = node.parent?.computeWorldMatrix(true), inverse = parent?.clone().invert().m ?? IDENTITY;
  const ways = upright ? [[-ahead * right[2], 0, ahead * right[0]], [0, 1, 0], [right[0], 0, right[2]]] : [forward, up, right];
  const [x, y, z] = ways.map((way) => along(way, inverse));
  node.rotationQuaternion.copyFromFloats(...quaternion(x, y, z));
  if (!glow) return;
  const scale = parent ? Math.hypot(...parent.m.slice(0, 3)) : 1, d = Math.max(Math.hypot(at.x - eye[12], at.y - eye[13], at.z - eye[14]) / scale / unit, 1);
  node.scaling.copyFrom(size).scaleInPlace(d / 200);
  for (const mesh of meshes) mesh.visibility = Math.min(Math.max(19000 / d ** 2, 0.05), 1) / 0.11875;
}

export const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Transforms a direction by a matrix of rows, and normalises it. */
export function along([x, y, z], m) {
  const to = [0, 1, 2].map((k) => x * m[k] + y * m[4 + k] + z * m[8 + k]), l = Math.hypot(...to) || 1;
  return to.map((v) => v / l);
}

// quaternion returns the rotation that takes the axes to the three given vectors.
function quaternion([a, b, c], [d, e, f], [g, h, i]) {
  const trace = a + e + i, list = [[f - h, g - c, b - d, 1 + trace], [1 + a - e - i, b + d, c + g, f - h], [b + d, 1 + e - a - i, f + h, g - c], [c + g, f + h, 1 + i - a - e, b - d]];
  const best = list.reduce((p, q) => (Math.hypot(...q) > Math.hypot(...p) ? q : p)), l = Math.hypot(...best);
  return best.map((v) => v / l);
}
