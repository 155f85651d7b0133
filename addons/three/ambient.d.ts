import { LightProbe, Object3D, Vector3 } from 'three';
import { GLTF } from 'three/examples/jsm/loaders/GLTFLoader.js';

export interface Ambient {
  /**
   * Linear light at a place: from everywhere, by axis what comes more from its positive than from its negative side, and exactly what falls
   * on a surface with a normal of length 1.
   */
  light(position: Vector3): { all: Vector3; way: [Vector3, Vector3, Vector3]; on(normal: Vector3): Vector3 };
  /** Has an object and all below it lit by the map, wherever they are, and returns it. Each mesh gets a material of its own. */
  shade<T extends Object3D>(object: T): T;
  /** Sets a LightProbe (a new one by default) to the light at a place in the file's metres, and returns it. */
  probe(position: Vector3, probe?: LightProbe): LightProbe;
}

/** Reads the light grid of a loaded file, or the probes of NAME_probes.json; null where there is neither, or the probes are of another map. */
export function bsp2gltfAmbient(gltf: GLTF, probes?: unknown): Promise<Ambient | null>;
