import { Camera, Matrix3 } from 'three';
import { GLTF } from 'three/examples/jsm/loaders/GLTFLoader.js';

/** [function, base, amplitude, phase, frequency] */
export type Wave = [string, number, number, number, number];

/** The value of a wave at a time in seconds. */
export function wave(wave: Wave, time: number): number;

/** The transform of a mesh's texture coordinates at a time in seconds. */
export function coordinates(changes: [string, ...(number | string)[]][], rest: number[] | null, time: number): Matrix3;

export interface Motion {
  /** Sets all that moves to a time in seconds, and turns sprites to the camera. */
  update(seconds: number, camera?: Camera): void;
  /** Puts all at rest. */
  still(): void;
}

/** Finds what moves in a loaded file. */
export function bsp2gltfMotion(gltf: GLTF): Promise<Motion>;
