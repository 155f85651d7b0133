/** The GLTFLoader of @babylonjs/loaders/glTF/2.0, or BABYLON.GLTF2.GLTFLoader. */
export interface LoaderClass {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  RegisterExtension(name: string, factory: (loader: any) => any): void;
}

/** MaterialPluginBase of @babylonjs/core, or of BABYLON. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type PluginClass = new (...parameters: any[]) => any;

export interface Options {
  /** A factor on all light. 1 by default. */
  strength?: number;
  /** Multiply light and texture as the game does, where the file says how. true by default. */
  display?: boolean;
  /** Shade the map's fog per pixel, and hide the layers that stand for it elsewhere. true by default. */
  fog?: boolean;
  /** Show what shiny surfaces of Quake III's games reflect. true by default. */
  environment?: boolean;
  /** Use the directions of light, for normal maps and highlights. true by default. */
  directed?: boolean;
  /** Blend the textures of terrain per pixel, in place of bands. true by default. */
  second?: boolean;
  /** Multiply by the game's initial exposure, in maps with HDR light. true by default. */
  exposure?: boolean;
  /** Apply the display gamma that the game ships with. true by default. */
  gamma?: boolean;
  /** Draw the sky around the camera, behind everything else. true by default. */
  sky?: boolean;
  /** Turn sprites to the camera. true by default. */
  sprites?: boolean;
  /** Hide what the game never draws, and collision solids. true by default. */
  hidden?: boolean;
  /** Move textures, colours and vertices as the game does. true by default. */
  motion?: boolean;
  /** Let the scene's lamps and their shadows add to the baked light, for baked surfaces that don't add or multiply. false by default. */
  lamps?: boolean;
  /**
   * Required with modules: without it light is linear, fog and sky are as in the file, and vertices don't move.
   * BABYLON.MaterialPluginBase by default.
   */
  MaterialPluginBase?: PluginClass;
}

/** Makes Babylon.js' loader show everything in bsp2gltf's files. Call it once, before loading. */
export function bsp2gltf(loader: LoaderClass, options?: Options): void;

/** A movement that the game triggers: a door opens. Node and Group are Babylon.js' TransformNode and AnimationGroup. */
export interface Movement<Node = unknown, Group = unknown> {
  readonly name: string;
  readonly node: Node;
  /** open, close, cycle, path */
  readonly act: string;
  readonly loops: boolean;
  /** It is also part of what moves by itself. */
  readonly starts: boolean;
  readonly seconds: number;
  /** All that the file states about it. */
  readonly extras: Record<string, unknown>;
  readonly group: Group;
}

export interface Movements<Node = unknown, Group = unknown> {
  readonly movements: readonly Movement<Node, Group>[];
  /** The movements of a node, or of the nearest node above it that has any. */
  movementsOf(node: Node | null): Movement<Node, Group>[];
  /** Plays a movement, or the next movement of a node, and returns it, or null if there is none. */
  play(what: Movement<Node, Group> | string | Node | null): Movement<Node, Group> | null;
  /** Puts everything at rest. */
  still(): void;
  /** Starts what moves by itself. */
  start(): void;
}

/** The movements of the files that a scene has loaded. */
export function bsp2gltfMovements<Group>(scene: { animationGroups: Group[] }): Movements<unknown, Group>;

/** What moves in the materials of the files that a scene has loaded. It starts moving with the first frame. */
export interface Motion {
  /** Shows it at a time in seconds, and stops it there. */
  update(seconds: number): void;
  /** Puts everything at rest. */
  still(): void;
  /** Lets it move again, from the beginning. */
  start(): void;
}

/** Finds what moves in the materials of the files that a scene has loaded. */
export function bsp2gltfMotion(scene: object): Motion;

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
  update(seconds?: number | null): Promise<void>;
}

/** The game's light for objects that you add to a map. Colours are linear; positions and directions are in the scene's axes. */
export interface Ambient {
  /** Where the light comes from: the light grid, light probes, or the lightmaps of the floors. */
  readonly source: 'grid' | 'probes' | 'floors';
  /**
   * The light at a place: all is light from all sides; way is, by axis, how much more comes from its positive than its negative side;
   * on gives the exact light on a surface with a unit normal.
   */
  light(position: Place): { all: number[]; way: [number[], number[], number[]]; on(normal: Place): number[] };
  /** Lights a PBRMaterial by the light at each of its meshes, and returns it. Instances get the light at their source mesh. */
  shade<Material extends { getClassName(): string }>(material: Material): Material;
}

/** A Vector3. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/**
 * Reads the light grid of what a scene has loaded, the probes in NAME_probes.json, or else the lightmaps of the floors. The result is null
 * if there are none. Probes of another map are left out, with a warning.
 */
export function bsp2gltfAmbient(scene: object, probes?: unknown): Promise<Ambient | null>;

/** Classes of @babylonjs/core, or of BABYLON. */
export interface StyleClasses {
  EffectRenderer: PluginClass;
  EffectWrapper: PluginClass;
}

/**
 * Finds the light styles of the files that a scene has loaded. classes are required with modules; by default they are those of BABYLON.
 */
export function bsp2gltfStyles(scene: object, classes?: StyleClasses): Styles;
