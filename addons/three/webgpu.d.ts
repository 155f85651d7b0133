import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { Ambient } from './ambient.js';
import { Exposure, Fog, Levels, Variants } from './index.js';
import { Motion } from './motion.js';

export interface Options {
  /** A factor on all lightmaps. 1 by default. */
  strength?: number;
  /** Show materials without baked light unlit, too. false by default. */
  unlit?: boolean;
  /** Leave the file's punctual lights visible. false by default. */
  lights?: boolean;
  /** Multiply light and texture as the game does, where the file says how. true by default. */
  display?: boolean;
  /** Shade the map's fog per pixel. true by default. */
  fog?: boolean;
  /** Multiply by the game's initial exposure, in maps with HDR light. true by default. */
  exposure?: boolean;
  /** Apply the display gamma that the game ships with. true by default. */
  gamma?: boolean;
}

declare module './index.js' {
  interface Bsp2gltf {
    /** Of a file for WebGPURenderer: sets all that moves to a time in seconds. */
    update(seconds: number): void;
  }
}

/** The type of gltf.bsp2gltf in a file that such a loader has loaded. */
export interface Bsp2gltfWebGPU {
  readonly motion: Motion;
  readonly variants: Variants;
  readonly levels: Levels;
  readonly ambient: Ambient | null;
  readonly exposure?: Exposure;
  readonly fog?: Fog;
  /** Sets everything that moves to a time in seconds. */
  update(seconds: number): void;
  /** Removes the map from its scene, and frees all that the graphics card holds of it. */
  dispose(): void;
}

/** Makes a GLTFLoader show bsp2gltf's files with WebGPURenderer, and returns it. */
export function bsp2gltf<Loader extends GLTFLoader>(loader: Loader, options?: Options): Loader;
