/**
 * Plays the movements of a map's entities (docs/internals/motion.md): the animation `map start`, of everything that moves by itself, as
 * soon as the file is loaded, and on request each movement that the game triggers.
 */
import { nearestMovements, nextMovement, teamOf } from '../shared/movements.js';

const NAME = 'bsp2gltf_movements', NONE = 0; // GLTFLoaderAnimationStartMode

/** Registers the extension that keeps the extras of animations as metadata of their groups, and starts only what moves by itself. */
export function registerMovements(GLTFLoader) {
  GLTFLoader.RegisterExtension(NAME, (loader) => {
    const ours = () => (loader.gltf.animations ?? []).filter(({ extras }) => extras?.starts !== undefined);
    return {
      name: NAME,
      enabled: true,
      order: 600,
      dispose() {},
      onLoading() { // Babylon.js would play the first animation for ever, even a door's
        if (ours().length && loader.parent.animationStartMode === 1) this.mode = loader.parent.animationStartMode = NONE;
      },
      onReady() {
        for (const { extras, _babylonAnimationGroup: group } of ours()) {
          if (!group) continue;
          group.metadata = { ...group.metadata, gltf: { extras } };
          if (this.mode === NONE && extras.node === undefined) group.start(extras.loops);
        }
      },
    };
  });
}

// above returns what a node moves with: its parent or, for a skinned mesh (which is at the root), its first bone's node.
const above = (node) => node?.skeleton?.bones[0]?.getTransformNode() ?? node?.parent;

/**
 * The movements of the files that a scene has loaded: movements, each { name, node, act, loops, starts, seconds, extras, group };
 * movementsOf(node); play(movement, its name or a node), which returns the movement; still(), which puts everything at rest; and
 * start(), which starts what moves by itself.
 */
export function bsp2gltfMovements(scene) {
  const groups = scene.animationGroups.filter((g) => g.metadata?.gltf?.extras?.starts !== undefined), last = new Map();
  const of = ({ metadata }) => metadata.gltf.extras, started = groups.filter((g) => of(g).node === undefined);
  const movements = groups.filter((g) => of(g).node !== undefined).map((group) => ({ name: group.name, node: group.targetedAnimations[0].target, act: of(group).act, loops: of(group).loops,
    starts: of(group).starts, seconds: (group.to - group.from) / group.targetedAnimations[0].animation.framePerSecond, extras: of(group), group }));
  const movementsOf = (node) => nearestMovements(movements, node, (act) => act.node, above);
  return {
    movements,
    movementsOf,
    play(what) {
      const its = what?.getClassName ? movementsOf(what) : movements.filter((a) => a === what || a.name === what);
      if (!its.length) return null;
      const next = nextMovement(its, last.get(its[0].node));
      for (const x of teamOf(movements, next)) {
        last.set(x.node, x);
        for (const a of movements) if (a.node === x.node) a.group.stop();
        x.group.start(x.loops);
      }
      return next;
    },
    still() {
      for (const g of groups) g.stop();
      last.clear();
      // A node's first movement begins at its place at rest.
      for (const { animation, target } of groups.flatMap((g) => g.targetedAnimations).reverse()) target[animation.targetProperty].copyFrom(animation.getKeys()[0].value);
    },
    start() {
      for (const g of started) g.start(of(g).loops);
    },
  };
}
