// The movements of a map's entities: docs/motion.md. What moves by itself does so from the first moment; an act when it is played.
import { FileError } from './glb.js';
import { compose, inverted, multiply } from './math.js';

const PATHS = { translation: 3, rotation: 4 };

// movedNodes returns the numbers of the nodes that animations move.
export const movedNodes = (json) => new Set((json.animations ?? []).flatMap((a) => (a.channels ?? []).map((c) => c.target?.node)));

// mover returns what moves a node: parent is the matrix of its parent at rest, upper the mover above it, or null. Its delta takes what
// is below it from where it is at rest to where it is, and back is the way back; both are null at rest.
export const mover = (index, { translation, rotation, scale }, parent, upper) => ({ index, upper, parent, local: { translation, rotation, scale },
  rest: inverted(multiply(parent, compose(translation, rotation, scale))), start: null, played: null, ended: null, delta: null, back: null });

export class Acts {
  constructor(file, movers) {
    Object.assign(this, { movers: [...movers.values()], list: [], last: new Map() });
    for (const [i, { name, extras = {}, channels = [], samplers = [] }] of (file.json.animations ?? []).entries()) {
      if (typeof extras?.starts !== 'boolean') continue; // another program's
      const tracks = channels.filter(({ target }) => movers.has(target?.node) && PATHS[target.path]).map((c) => track(file, samplers[c.sampler], c.target, `animation ${i}`));
      const seconds = Math.max(0, ...tracks.map((t) => t.times.at(-1))), loops = !!extras.loops;
      for (const node of new Set(tracks.map((t) => t.node))) {
        const at = movers.get(node), its = tracks.filter((t) => t.node === node), act = { name: String(name), act: String(extras.act ?? ''), mover: at, seconds, loops, extras, tracks: its };
        if (extras.node === undefined) at.start = act;
        else this.list.push(act);
      }
    }
    this.starts = this.movers.some((m) => m.start);
  }

  // of returns the acts of a mover, or of the nearest above it that has some.
  of(at) {
    const its = this.list.filter((a) => a.mover === at);
    return its.length || !at?.upper ? its : this.of(at.upper);
  }

  // play plays an act from a time in seconds on, and those of what the game moves at once, as halves of a door.
  play(act, from) {
    const nodes = String(act.extras.team ?? '').split('; ');
    for (const a of this.list.filter((x) => x === act || x.act === act.act && nodes.includes(x.extras.node))) {
      this.last.set(a.mover, a);
      a.mover.played = { act: a, from };
    }
  }

  // next returns the act of a mover that comes after the last one that was played, or undefined.
  next(at) {
    const its = this.of(at);
    return its[(its.indexOf(this.last.get(its[0]?.mover)) + 1) % its.length];
  }

  // stop ends what was played.
  stop() {
    this.last.clear();
    for (const m of this.movers) m.played = null;
  }

  // set moves all to where it is: by itself at a time, or not if that is null, and by what was played at now. It reports whether
  // anything has another place than at the last time.
  set(time, now) {
    let goes = false;
    for (const m of this.movers) { // in the file's order: parents come first
      const act = m.played?.act ?? (time === null ? null : m.start), at = m.played ? now - m.played.from : time;
      m.delta = m.upper?.delta ?? null;
      if (act) {
        const pose = { ...m.local };
        for (const t of act.tracks) pose[t.path] = valueAt(t, act.loops && act.seconds ? at % act.seconds : at);
        const world = multiply(m.parent, compose(pose.translation, pose.rotation, pose.scale));
        m.delta = multiply(m.delta ? multiply(m.delta, world) : world, m.rest);
        const ends = !act.loops && at >= act.seconds;
        goes ||= !ends || m.ended !== act;
        m.ended = ends ? act : null;
      }
      m.back = m.delta && inverted(m.delta);
    }
    return goes;
  }
}

// track reads the keys of a channel.
function track(file, sampler, { node, path }, what) {
  const times = file.accessor(sampler?.input).array, { array, size, whole } = file.accessor(sampler.output);
  if (!times.length || size !== PATHS[path] || array.length < size * times.length) throw new FileError(`${what} is too short.`);
  return { node, path, times, value: (i) => Array.from(array.subarray(size * i, size * i + size), (v) => v / whole) };
}

function valueAt({ times, value, path }, time) {
  let low = 0, high = times.length - 1;
  if (time <= times[0]) return value(0);
  if (time >= times[high]) return value(high);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  const part = (time - times[low]) / (times[high] - times[low]);
  return (path === 'rotation' ? turned : mixed)(value(low), value(high), part);
}

const mixed = (a, b, part) => a.map((v, i) => v + (b[i] - v) * part);

// turned is the shortest turn between two rotations.
function turned(a, b, part) {
  const cos = a.reduce((sum, v, i) => sum + v * b[i], 0), to = cos < 0 ? b.map((v) => -v) : b, angle = Math.acos(Math.min(Math.abs(cos), 1));
  const [p, q] = angle < 1e-4 ? [1 - part, part] : [Math.sin((1 - part) * angle) / Math.sin(angle), Math.sin(part * angle) / Math.sin(angle)];
  return a.map((v, i) => p * v + q * to[i]);
}
