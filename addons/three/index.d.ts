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
    /** What can be moved and switched in a file that was loaded by a loader which bsp2gltf() has prepared; no other file has it. */
    bsp2gltf: Bsp2gltf;
  }
}

export interface Options extends LightmapOptions {
  /** With how many samples textures that are seen at a slant are filtered. 4 by default. */
  anisotropy?: number;
  /** Add to, or multiply, what is behind where the game does, and draw in its order. true by default. */
  blend?: boolean;
  /** Show the surroundings that shiny surfaces of Quake III's games reflect. true by default. */
  environment?: boolean;
  /** Show detail textures. true by default. */
  details?: boolean;
  /** Show light by its direction, on normal maps and as highlights. true by default. */
  directed?: boolean;
  /** Mix textures that fade into each other for each pixel, in place of bands. true by default. */
  second?: boolean;
  /** Multiply by the exposure that the game begins with, of maps with HDR light. true by default. */
  exposure?: boolean;
  /** Show the gamma of the display that the game ships. true by default. */
  gamma?: boolean;
  /** Shade the map's fog per pixel, and hide the layers that stand for it elsewhere. true by default. */
  fog?: boolean;
  /** Draw the sky around the camera, before all else and without depth. true by default. */
  sky?: boolean;
  /** Turn sprites to the camera. true by default. */
  sprites?: boolean;
  /** Hide what the game never draws, and solids for physics. true by default. */
  hidden?: boolean;
  /** Let the strength of the light be chosen, and light or textures be shown alone. false by default. */
  show?: boolean;
  /** Draw together what stands still. false by default. */
  merge?: boolean;
}

/** What is multiplied before fog. */
export interface Exposure {
  /** May be set. 1 if the file states none. */
  factor: number;
  /** Has a material that is added later exposed as the file's. */
  add(material: Material): void;
}

export interface Fog {
  /** There is fog. */
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

/** Meshes that are drawn together. */
export interface Merged {
  /** The layer of the meshes that are drawn as parts of others: a Raycaster is to look there, too. */
  readonly layer: number;
  /** To be called after something is shown, hidden or given another material. */
  update(): void;
}

/** A light style: a group of lamps that flicker or are switched together. */
export interface Style {
  readonly style: number;
  readonly name: string;
  /** A letter for each tenth of a second, a is dark, m is normal; empty if it does not flicker. */
  readonly pattern: string;
  /** May be set; seen after the next update. */
  on: boolean;
}

export interface Styles {
  readonly list: readonly Style[];
  readonly hasNight: boolean;
  /** May be set; seen after the next update. */
  night: boolean;
  /** A style that is on flickers. */
  readonly flickers: boolean;
  /** Adds up what is on at a time in seconds; null is a still, with the mean of each pattern. The promise ends when it is shown. */
  update(renderer: WebGLRenderer, seconds?: number | null): Promise<void>;
}

export interface Variants {
  readonly names: readonly string[];
  /** Shows a variant, or with null the file's own materials. */
  select(name: string | null): void;
}

export interface Levels {
  /** How many levels of detail there are; 1 if there is no choice. */
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
  /** Sets all that moves or flickers to a time in seconds. The promise ends when the pages of light styles are there. */
  update(seconds: number, renderer: WebGLRenderer): Promise<void>;
  /** Takes the map out of its scene and frees all that the graphics card holds of it. Clones share that. */
  dispose(): void;
}

/** Makes a loader show all that bsp2gltf's files say, and returns it. */
export function bsp2gltf<Loader extends GLTFLoader>(loader: Loader, options?: Options): Loader;

/** Takes the place of RenderPass in an EffectComposer: blends as the game does, and hands linear light on to the passes that follow. */
export class DisplayRenderPass extends Pass {
  constructor(scene: Scene, camera: Camera, options?: { /** of each pixel, for smooth edges; 4 by default */ samples?: number });
  scene: Scene;
  camera: Camera;
}

/** Takes a file out of its scene and frees all that the graphics card holds of it: for who takes the parts alone. */
export function bsp2gltfDispose(gltf: GLTF): void;

/** Blends materials as the game does. */
export function bsp2gltfBlend(gltf: GLTF): Promise<unknown>;
/** Shows what shiny surfaces reflect, instead of its mean colour. */
export function bsp2gltfEnvironment(gltf: GLTF): Promise<unknown>;
/** Shows detail textures. */
export function bsp2gltfDetails(gltf: GLTF): Promise<unknown>;
/** Shows light by its direction, where the file has it, on normal maps and as highlights. */
export function bsp2gltfDirected(gltf: GLTF): Promise<unknown>;
/** Mixes textures that fade into each other for each pixel, in place of bands. */
export function bsp2gltfSecond(gltf: GLTF): Promise<unknown>;
/** Multiplies what a file shows by the exposure that it states. */
export function bsp2gltfExposure(gltf: GLTF): Exposure;

/** Shades fog per pixel, and hides the layers that stand for it elsewhere. */
export function bsp2gltfFog(gltf: GLTF): Fog;
/** Shows a file with the gamma that it states; after exposure and fog. */
export function bsp2gltfGamma(gltf: GLTF): void;
/** Draws the sky around the camera. */
export function bsp2gltfSky(gltf: GLTF): void;
/** Turns sprites to whatever camera draws them. */
export function bsp2gltfSprites(gltf: GLTF): void;
/** Hides (or shows) what the game never draws, and solids for physics. */
export function bsp2gltfHidden(gltf: GLTF, hidden?: boolean): void;
/** Lets the strength of the light be chosen, and light or textures be shown alone; before exposure and fog. */
export function bsp2gltfShow(gltf: GLTF): Show;
/** Draws together what stands still; after all that changes materials. */
export function bsp2gltfMerge(gltf: GLTF): Merged;
/** Finds light styles. */
export function bsp2gltfStyles(gltf: GLTF): Styles;
/** Finds variants; before the parts that change materials. */
export function bsp2gltfVariants(gltf: GLTF): Promise<Variants>;
/** Finds levels of detail; before the parts that change materials. */
export function bsp2gltfLevels(gltf: GLTF): Promise<Levels>;
