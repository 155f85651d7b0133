import { Matrix3, Object3D } from 'three';
import { GLTF } from 'three/examples/jsm/loaders/GLTFLoader.js';

/** [function, base, amplitude, phase, frequency] */
export type Wave = [string, number, number, number, number];

/** The value of a wave at a time in seconds. */
export function wave(wave: Wave, time: number): number;

/** The transform of a mesh's texture coordinates at a time in seconds. */
export function coordinates(changes: [string, ...(number | string)[]][], rest: number[] | null, time: number): Matrix3;

/** A movement that the game triggers: a door opens. */
export interface Movement {
  /** The animation's name: the name of the object's node, and the act. */
  readonly name: string;
  readonly object: Object3D;
  /** open, close, cycle, path */
  readonly act: string;
  readonly loops: boolean;
  /** It is also part of what moves by itself. */
  readonly starts: boolean;
  readonly seconds: number;
  /** All that the file states about it. */
  readonly extras: Record<string, unknown>;
}

/** A sequence of a model: it walks, it reloads. */
export interface Sequence {
  readonly name: string;
  readonly loops: boolean;
  readonly seconds: number;
  /** All that the file states about it: fps, frames, activity, events. */
  readonly extras: Record<string, unknown>;
}

export interface Motion {
  /** The movements of doors, platforms and trains, in the order of the file. */
  readonly movements: readonly Movement[];
  /** The movements of an object, or of the nearest one above it that has some. */
  movementsOf(object: Object3D): Movement[];
  /** Plays a movement, or the next movement of an object, and returns it, or null if there is none. */
  play(what: Movement | string | Object3D): Movement | null;
  /** The sequences of models, in the order of the file. */
  readonly sequences: readonly Sequence[];
  /** Plays a sequence in place of those that move the same nodes, and returns it, or null if there is none. null stops all. */
  playSequence(what: Sequence | string | null): Sequence | null;
  /** Whether anything moves by itself. */
  readonly moves: boolean;
  /** Whether a movement or sequence that was played is still running. */
  readonly playing: boolean;
  /** Keeps what moves by itself at rest; movements that were played continue. false by default. */
  calm: boolean;
  /** Sets everything that moves to a time in seconds. */
  update(seconds: number): void;
  /** Puts everything at rest. */
  still(): void;
}

/** Finds what moves in a loaded file. */
export function bsp2gltfMotion(gltf: GLTF): Promise<Motion>;
