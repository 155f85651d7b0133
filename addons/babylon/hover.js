/**
 * Turns and bobs items as Quake III does, each with its own period (docs/internals/readers.md). The file's animations have whole
 * seconds instead.
 */
import { hoverAt } from '../shared/materialmotion.js';

/** Returns the items of a loaded file, each as a function that sets it to a time in seconds, or with null to rest. */
export function hovering({ nodes = [] }) {
  return nodes.flatMap(({ extras, _babylonTransformNode: node }) => (Array.isArray(extras?.hover) && node ? [item(node, extras.hover)] : []));
}

function item(node, hover) {
  const at = node.position.clone(), turned = node.rotationQuaternion.clone(), rest = hoverAt(hover, 0), { x, y, z, w } = turned;
  const up = [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)]; // the item's up axis, rotated
  return (time) => {
    const { angle, height } = time === null ? { angle: 0, height: rest.height } : hoverAt(hover, time), by = height - rest.height, s = Math.sin(angle / 2), c = Math.cos(angle / 2);
    node.position.copyFromFloats(at.x + by * up[0], at.y + by * up[1], at.z + by * up[2]);
    node.rotationQuaternion.copyFromFloats(x * c - z * s, y * c + w * s, z * c + x * s, w * c - y * s); // the rotation at rest, then a turn about its own up axis
  };
}
