/**
 * Plays the movements of a map's entities (docs/motion.md): `map start`, what moves by itself, as soon as the file is loaded, and each
 * act that the game triggers when it is asked for.
 */
import { movementsOf, nextMovement, teamOf } from '../shared/movements.js';

const NAME = 'bsp2gltf_acts', NONE = 0; // GLTFLoaderAnimationStartMode

/** Registers what keeps the extras of animations as the metadata of their groups, and starts only what moves by itself. */
export function registerActs(GLTFLoader) {
  GLTFLoader.RegisterExtension(NAME, (loader) => {
    const ours = () => (loader.gltf.animations ?? []).filter(({ extras }) => extras?.starts !== undefined);
    return {
      name: NAME,
      enabled: true,
      order: 600,
      dispose() {},
      onLoading() { // Babylon itself would play the first animation for ever, even a door's
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

// above returns what a node moves with: its parent or, of a mesh that bones move, the first bone's node. Such a mesh is at the root.
const above = (node) => node?.skeleton?.bones[0]?.getTransformNode() ?? node?.parent;

/**
 * The movements of the files that a scene has loaded: acts, each { name, node, act, loops, starts, seconds, extras, group }, actsOf(node),
 * play(act or its name or a node), which returns the act, still(), which puts all at rest, and start(), which starts what moves by itself.
 */
export function bsp2gltfActs(scene) {
  const groups = scene.animationGroups.filter((g) => g.metadata?.gltf?.extras?.starts !== undefined), last = new Map();
  const of = ({ metadata }) => metadata.gltf.extras, started = groups.filter((g) => of(g).node === undefined);
  const acts = groups.filter((g) => of(g).node !== undefined).map((group) => ({ name: group.name, node: group.targetedAnimations[0].target, act: of(group).act, loops: of(group).loops,
    starts: of(group).starts, seconds: (group.to - group.from) / group.targetedAnimations[0].animation.framePerSecond, extras: of(group), group }));
  const actsOf = (node) => movementsOf(acts, node, (act) => act.node, above);
  return {
    acts,
    actsOf,
    play(what) {
      const its = what?.getClassName ? actsOf(what) : acts.filter((a) => a === what || a.name === what);
      if (!its.length) return null;
      const next = nextMovement(its, last.get(its[0].node));
      for (const x of teamOf(acts, next)) {
        last.set(x.node, x);
        for (const a of acts) if (a.node === x.node) a.group.stop();
        x.group.start(x.loops);
      }
      return next;
    },
    still() {
      for (const g of groups) g.stop();
      last.clear();
      // A node's first act begins where it stands.
      for (const { animation, target } of groups.flatMap((g) => g.targetedAnimations).reverse()) target[animation.targetProperty].copyFrom(animation.getKeys()[0].value);
    },
    start() {
      for (const g of started) g.start(of(g).loops);
    },
  };
}
