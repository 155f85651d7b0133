/** Turns and floats items as Quake III does, each at a pace of its own (docs/internals/readers.md); their animations are at whole seconds. */
import { hoverAt } from '../shared/materialmotion.js';

/** The items of a loaded file, each as what sets it to a time in seconds, or, with null, to rest. */
export function hovering({ nodes = [] }) {
  return nodes.flatMap(({ extras, _babylonTransformNode: node }) => (Array.isArray(extras?.hover) && node ? [item(node, extras.hover)] : []));
}

function item(node, hover) {
  const at = node.position.clone(), turned = node.rotationQuaternion.clone(), rest = hoverAt(hover, 0), { x, y, z, w } = turned;
  const up = [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)]; // turned
  return (time) => {
    const { angle, height } = time === null ? { angle: 0, height: rest.height } : hoverAt(hover, time), by = height - rest.height, s = Math.sin(angle / 2), c = Math.cos(angle / 2);
    node.position.copyFromFloats(at.x + by * up[0], at.y + by * up[1], at.z + by * up[2]);
    node.rotationQuaternion.copyFromFloats(x * c - z * s, y * c + w * s, z * c + x * s, w * c - y * s); // turned, and then about its own up
  };
}
