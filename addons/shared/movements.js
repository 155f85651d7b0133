// Which movement of an entity is played next (docs/internals/motion.md of bsp2gltf). A movement is { act, extras }; extras name its
// node and team.

/**
 * The movements of an object, or of the nearest object above it that has any. ownerOf returns a movement's object, above what an object
 * moves with.
 */
export function nearestMovements(movements, object, ownerOf, above) {
  for (let o = object; o; o = above(o)) {
    const found = movements.filter((m) => ownerOf(m) === o);
    if (found.length) return found;
  }
  return [];
}

/** The movement after the one played last, in a list. */
export const nextMovement = (list, last) => list[(list.indexOf(last) + 1) % list.length];

/** All movements that the game plays together with a movement: both halves of a door. */
export function teamOf(movements, movement) {
  const nodes = String(movement.extras.team ?? '').split('; '), team = movements.filter((m) => m.act === movement.act && nodes.includes(m.extras.node));
  return team.includes(movement) ? team : [movement];
}
