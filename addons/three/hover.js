/**
 * Turns and bobs items as Quake III does, each with its own period (docs/internals/readers.md). The file's animations have whole
 * seconds instead.
 */
import { Quaternion, Vector3 } from 'three';
import { hoverAt } from '../shared/materialmotion.js';

const UP = new Vector3(0, 1, 0), turn = new Quaternion(), way = new Vector3();

/** Returns the items of a loaded file, each as a function that sets it to a time in seconds, or with null to rest. */
export function hovering(gltf) {
  const items = [];
  for (const scene of gltf.scenes) scene.traverse((object) => { if (Array.isArray(object.userData.hover)) items.push(item(object, object.userData.hover)); });
  return items;
}

function item(object, hover) {
  const at = object.position.clone(), turned = object.quaternion.clone(), rest = hoverAt(hover, 0);
  return (time) => {
    object.position.copy(at);
    object.quaternion.copy(turned);
    if (time === null) return;
    const { angle, height } = hoverAt(hover, time);
    object.position.add(way.set(0, height - rest.height, 0).applyQuaternion(turned));
    object.quaternion.multiply(turn.setFromAxisAngle(UP, angle));
  };
}
