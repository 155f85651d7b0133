/**
 * Plays the movements of a map's entities (docs/internals/motion.md of bsp2gltf): the animation `map start`, of everything that moves
 * by itself, from the beginning, and on request each movement that the game triggers. Also plays the sequences of models.
 */
import { AnimationClip, AnimationMixer, LoopOnce, LoopRepeat } from 'three';
import { owned } from './traverse.js';
import { nearestMovements, nextMovement, teamOf } from '../shared/movements.js';

/**
 * Finds the movements of a loaded file, and starts what moves by itself. The result has the movements, each { name, object, act, loops,
 * starts, seconds, extras }, of(object), play(what), advance(seconds) and still(); and the sequences of models, each { name, loops,
 * seconds, extras }, and playSequence(what).
 */
export async function readMovements({ parser, scene, animations = [] }) {
  const defs = parser?.json.animations ?? [], triggered = new Set(), mixer = new AnimationMixer(scene), movements = [], sequences = [], started = [], last = new Map();
  for (const { extras = {}, channels = [] } of defs) if (extras.node !== undefined) for (const { target } of channels) triggered.add(target.node);
  for (const [i, { extras = {}, channels = [] }] of defs.entries()) {
    const clip = animations[i], nodes = [...new Set(channels.map(({ target }) => target.node))], objectOf = (node) => parser.getDependency('node', node);
    if (clip && extras.starts === undefined && extras.fps > 0) {
      const loops = extras.loops !== false; // animations of morph targets don't state it
      sequences.push({ name: clip.name, loops, seconds: clip.duration, extras, nodes, action: actionOf(mixer, clip, loops) });
      continue;
    }
    if (!clip || extras.starts === undefined) continue; // another program's animation
    const its = (name, wanted) => actionOf(mixer, new AnimationClip(`${clip.name} ${name}`, clip.duration, clip.tracks.filter((_, k) => wanted(channels[k].target.node))), extras.loops);
    if (extras.node !== undefined) {
      movements.push({ name: clip.name, object: await objectOf(nodes[0]), act: extras.act, loops: !!extras.loops, starts: extras.starts, seconds: clip.duration, extras, action: actionOf(mixer, clip, extras.loops) });
      continue;
    }
    // Nodes that a movement can take over get an action of their own; bones of models don't.
    for (const node of nodes.filter((n) => triggered.has(n))) started.push({ object: await objectOf(node), action: its(node, (n) => n === node) });
    if (nodes.some((n) => !triggered.has(n))) started.push({ object: null, action: its('rest', (n) => !triggered.has(n)) });
  }
  let alone = true; // what moves by itself does so
  const restart = () => { for (const { action } of started) if (alone) action.play(); };
  const stop = (object) => { for (const x of [...movements, ...started]) if (x.object === object) x.action.stop(); };
  const of = (object) => nearestMovements(movements, object, (act) => act.object, above);
  if (parser) owned(parser, { dispose: () => mixer.uncacheRoot(scene) });
  restart();
  return {
    movements,
    sequences,
    moves: started.length > 0,
    playing: () => [...movements, ...sequences].some(({ action }) => action.isRunning()),
    // Lets what moves by itself move, or keeps it at rest.
    letStart(on) {
      if (alone === on) return;
      alone = on;
      for (const { action } of started) if (on) action.play(); else action.stop();
    },
    // of returns the movements of an object, or of the nearest one above it (for a skinned mesh: above its bones) that has any.
    of,
    // play plays a movement, or the next movement of an object, and returns it, or null if there is none.
    play(what) {
      const its = what?.isObject3D ? of(what) : movements.filter((a) => a === what || a.name === what);
      if (!its.length) return null;
      const next = nextMovement(its, last.get(its[0].object));
      for (const a of teamOf(movements, next)) {
        last.set(a.object, a);
        stop(a.object);
        a.action.reset().play();
      }
      return next;
    },
    // playSequence plays a sequence from its beginning, in place of those that move the same nodes, and returns it. null stops all.
    playSequence(what) {
      const next = what === null ? null : sequences.find((s) => s === what || s.name === what);
      if (next === undefined) return null;
      for (const s of sequences) if (!next || s.nodes.some((node) => next.nodes.includes(node))) s.action.stop();
      next?.action.reset().play();
      return next;
    },
    advance: (seconds) => mixer.update(seconds),
    // still puts everything at rest. What moves by itself starts again with the next advance.
    still() {
      mixer.stopAllAction();
      last.clear();
      restart();
    },
  };
}

// above returns what an object moves with: its parent or, for a skinned mesh (which is at the root), its first bone.
const above = (object) => (object?.isSkinnedMesh && object.skeleton?.bones[0]) || object?.parent;

// actionOf returns the action of a clip. A movement that doesn't loop stays at its end.
function actionOf(mixer, clip, loops) {
  const action = mixer.clipAction(clip);
  action.setLoop(loops ? LoopRepeat : LoopOnce, Infinity);
  action.clampWhenFinished = true;
  return action;
}
