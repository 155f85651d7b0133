import { Camera, Material, Scene, WebGLRenderer } from 'three';
import { Pass } from 'three/examples/jsm/postprocessing/Pass.js';
import { GLTF, GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { Ambient } from './ambient.js';
import { LightmapOptions } from './light.js';
import { Motion } from './motion.js';

export * from './ambient.js';
export * from './light.js';
export * from './motion.js';

declare module 'three/examples/jsm/loaders/GLTFLoader.js' {
  interface GLTF {
    /** What can be moved and switched in a file that was loaded by a loader prepared by bsp2gltf(). Other files don't have it. */
    bsp2gltf: Bsp2gltf;
  }
}

export interface Options extends LightmapOptions {
  /** Number of samples for textures seen at a slant. 4 by default. */
  anisotropy?: number;
  /** Add to the background, or multiply it, where the game does, and draw in the game's order. true by default. */
  blend?: boolean;
  /** Show what shiny surfaces of Quake III's games reflect. true by default. */
  environment?: boolean;
  /** Show detail textures. true by default. */
  details?: boolean;
  /** Use the directions of light, for normal maps and highlights. true by default. */
  directed?: boolean;
  /** Blend the textures of terrain per pixel, in place of bands. true by default. */
  second?: boolean;
  /** Multiply by the game's initial exposure, in maps with HDR light. true by default. */
  exposure?: boolean;
  /** Apply the display gamma that the game ships with. true by default. */
  gamma?: boolean;
  /** Shade the map's fog per pixel, and hide the layers that stand for it elsewhere. true by default. */
  fog?: boolean;
  /** Draw the sky around the camera, before everything else and without depth. true by default. */
  sky?: boolean;
  /** Turn sprites to the camera. true by default. */
  sprites?: boolean;
  /** Hide what the game never draws, and collision solids. true by default. */
  hidden?: boolean;
  /** Allow to set the strength of the light, and to show light or textures alone. false by default. */
  show?: boolean;
  /** Draw static meshes together. false by default. */
  merge?: boolean;
}

/** A factor on everything shown, before fog. */
export interface Exposure {
  /** May be set. 1 if the file states none. */
  factor: number;
  /** Exposes a material that is added later like the file's. */
  add(material: Material): void;
}

export interface Fog {
  /** Whether there is fog. */
  readonly any: boolean;
  /** May be set. */
  on: boolean;
}

export interface Show {
  /** A factor on all baked light; may be set. */
  strength: number;
  /** May be set. */
  only: 'lit' | 'light' | 'textures';
}

/** Static meshes that are drawn together. */
export interface Merged {
  /** The layer of the meshes that are drawn as parts of merged ones. Enable it in a Raycaster, too. */
  readonly layer: number;
  /** Call this after something is shown, hidden or given another material. */
  update(): void;
}

/** A light style: a group of lamps that flicker or are switched together. */
export interface Style {
  readonly style: number;
  readonly name: string;
  /** A letter per tenth of a second, where a is dark and m is normal; empty if it doesn't flicker. */
  readonly pattern: string;
  /** The light changes evenly from letter to letter (Source), not at once. */
  readonly smooth: boolean;
  /** May be set. Takes effect at the next update. */
  on: boolean;
}

export interface Styles {
  readonly list: readonly Style[];
  readonly hasNight: boolean;
  /** May be set. Takes effect at the next update. */
  night: boolean;
  /** Whether any style that is on flickers. */
  readonly flickers: boolean;
  /**
   * Adds the styles that are on, at a time in seconds. null is a still, with the mean of each pattern. The promise ends when the result
   * is shown.
   */
  update(renderer: WebGLRenderer, seconds?: number | null): Promise<void>;
}

export interface Variants {
  readonly names: readonly string[];
  /** Shows a variant, or with null the file's own materials. */
  select(name: string | null): void;
}

export interface Levels {
  /** The number of levels of detail; 1 if there is no choice. */
  readonly count: number;
  /** Shows a level; 0 is the finest. */
  show(level: number): void;
}

/** What can be moved and switched in a loaded file. */
export interface Bsp2gltf {
  readonly motion: Motion;
  readonly styles: Styles;
  readonly variants: Variants;
  readonly levels: Levels;
  readonly ambient: Ambient | null;
  readonly exposure?: Exposure;
  readonly fog?: Fog;
  /** With the option show. */
  readonly show?: Show;
  /** With the option merge. */
  readonly merged?: Merged;
  /** Sets everything that moves or flickers to a time in seconds. The promise ends when the light styles are shown. */
  update(seconds: number, renderer: WebGLRenderer): Promise<void>;
  /** Removes the map from its scene, and frees all that the graphics card holds of it. Clones share that. */
  dispose(): void;
}

/** Makes a loader show everything in bsp2gltf's files, and returns it. */
export function bsp2gltf<Loader extends GLTFLoader>(loader: Loader, options?: Options): Loader;

/**
 * Replaces RenderPass in an EffectComposer: it blends display values as the game does, and passes linear light to the following passes.
 */
export class DisplayRenderPass extends Pass {
  constructor(scene: Scene, camera: Camera, options?: { /** of each pixel, for smooth edges; 4 by default */ samples?: number });
  scene: Scene;
  camera: Camera;
}

/** Removes a file from its scene, and frees all that the graphics card holds of it. For use without bsp2gltf(). */
export function bsp2gltfDispose(gltf: GLTF): void;

/** Blends materials as the game does. */
export function bsp2gltfBlend(gltf: GLTF): Promise<unknown>;
/** Shows what shiny surfaces reflect, in place of its mean colour. */
export function bsp2gltfEnvironment(gltf: GLTF): Promise<unknown>;
/** Shows detail textures. */
export function bsp2gltfDetails(gltf: GLTF): Promise<unknown>;
/** Uses the directions of light, where the file has them, for normal maps and highlights. */
export function bsp2gltfDirected(gltf: GLTF): Promise<unknown>;
/** Blends the textures of terrain per pixel, in place of bands. */
export function bsp2gltfSecond(gltf: GLTF): Promise<unknown>;
/** Multiplies what a file shows by the exposure that it states. */
export function bsp2gltfExposure(gltf: GLTF): Exposure;

/** Shades fog per pixel, and hides the layers that stand for it elsewhere. */
export function bsp2gltfFog(gltf: GLTF): Fog;
/** Applies the display gamma that a file states. Call it after exposure and fog. */
export function bsp2gltfGamma(gltf: GLTF): void;
/** Draws the sky around the camera. */
export function bsp2gltfSky(gltf: GLTF): void;
/** Turns sprites to whatever camera draws them. */
export function bsp2gltfSprites(gltf: GLTF): void;
/** Hides (or shows) what the game never draws, and collision solids. */
export function bsp2gltfHidden(gltf: GLTF, hidden?: boolean): void;
/** Allows to set the strength of the light, and to show light or textures alone. Call it before exposure and fog. */
export function bsp2gltfShow(gltf: GLTF): Show;
/** Draws static meshes together. Call it after everything that changes materials. */
export function bsp2gltfMerge(gltf: GLTF): Merged;
/** Finds light styles. */
export function bsp2gltfStyles(gltf: GLTF): Styles;
/** Finds variants. Call it before the parts that change materials. */
export function bsp2gltfVariants(gltf: GLTF): Promise<Variants>;
/** Finds levels of detail. Call it before the parts that change materials. */
export function bsp2gltfLevels(gltf: GLTF): Promise<Levels>;
