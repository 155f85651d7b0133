// Which movement of an entity is played (docs/internals/motion.md of bsp2gltf). A movement is { act, extras }; extras name its node and its team.

/** The movements of the nearest object, from one upwards, that has some. ownerOf returns the object of a movement, above what an object moves with. */
export function nearestMovements(movements, object, ownerOf, above) {
  for (let o = object; o; o = above(o)) {
    const found = movements.filter((m) => ownerOf(m) === o);
    if (found.length) return found;
  }
  return [];
}

/** The movement that follows the last one that was played, of a list. */
export const nextMovement = (list, last) => list[(list.indexOf(last) + 1) % list.length];

/** What the game moves at once with a movement: both halves of a door. */
export function teamOf(movements, movement) {
  const nodes = String(movement.extras.team ?? '').split('; '), team = movements.filter((m) => m.act === movement.act && nodes.includes(m.extras.node));
  return team.includes(movement) ? team : [movement];
}
