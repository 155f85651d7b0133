import { LightProbe, Object3D, Vector3 } from 'three';
import { GLTF } from 'three/examples/jsm/loaders/GLTFLoader.js';

export interface Ambient {
  /** Where the light comes from: the light grid, light probes, or the lightmaps of the floors. */
  readonly source: 'grid' | 'probes' | 'floors';
  /**
   * Linear light at a place: all is light from all sides; way is, by axis, how much more comes from its positive than its negative
   * side; on gives the exact light on a surface with a unit normal.
   */
  light(position: Vector3): { all: Vector3; way: [Vector3, Vector3, Vector3]; on(normal: Vector3): Vector3 };
  /**
   * Lights an object and all below it by the map's light, wherever they are, and returns the object. Each mesh gets a material of its
   * own.
   */
  shade<T extends Object3D>(object: T): T;
  /** Sets a LightProbe (a new one by default) to the light at a place in the file's metres, and returns it. */
  probe(position: Vector3, probe?: LightProbe): LightProbe;
}

/**
 * Reads the light grid of a loaded file, the probes in NAME_probes.json, or else the lightmaps of the floors. The result is null if there
 * are none. Probes of another map are left out, with a warning.
 */
export function bsp2gltfAmbient(gltf: GLTF, probes?: unknown): Promise<Ambient | null>;
