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
  /** Show the surroundings that shiny surfaces of Quake III's games reflect. true by default. */
  environment?: boolean;
  /** Show light by its direction, on normal maps and as highlights. true by default. */
  directed?: boolean;
  /** Mix textures that fade into each other for each pixel, in place of bands. true by default. */
  second?: boolean;
  /** Multiply by the exposure that the game begins with, of maps with HDR light. true by default. */
  exposure?: boolean;
  /** Show the gamma of the display that the game ships. true by default. */
  gamma?: boolean;
  /** Draw the sky around the camera, behind all else. true by default. */
  sky?: boolean;
  /** Turn sprites to the camera. true by default. */
  sprites?: boolean;
  /** Hide what the game never draws, and solids for physics. true by default. */
  hidden?: boolean;
  /** Move textures, colours and vertices as the game does. true by default. */
  motion?: boolean;
  /** Needed with modules: without it light is linear, fog and sky are as in the file, and no vertices move. BABYLON.MaterialPluginBase by default. */
  MaterialPluginBase?: PluginClass;
}

/** Makes Babylon's loader show what bsp2gltf's files say. Once, before loading. */
export function bsp2gltf(loader: LoaderClass, options?: Options): void;

/** A movement that the game gives a node: a door that opens. Node and Group are Babylon's TransformNode and AnimationGroup. */
export interface Movement<Node = unknown, Group = unknown> {
  readonly name: string;
  readonly node: Node;
  /** open, close, cycle, path */
  readonly act: string;
  readonly loops: boolean;
  /** It is a part of what moves by itself. */
  readonly starts: boolean;
  readonly seconds: number;
  /** All that the file says of it. */
  readonly extras: Record<string, unknown>;
  readonly group: Group;
}

export interface Movements<Node = unknown, Group = unknown> {
  readonly movements: readonly Movement<Node, Group>[];
  /** The movements of a node, or of the nearest one above it that has some. */
  movementsOf(node: Node | null): Movement<Node, Group>[];
  /** Plays a movement, or of a node the next one, and returns it; null if there is none. */
  play(what: Movement<Node, Group> | string | Node | null): Movement<Node, Group> | null;
  /** Puts all at rest. */
  still(): void;
  /** Starts what moves by itself. */
  start(): void;
}

/** The movements of the files that a scene has loaded. */
export function bsp2gltfMovements<Group>(scene: { animationGroups: Group[] }): Movements<unknown, Group>;

/** What moves in the materials of the files that a scene has loaded. It moves by itself from the first picture on. */
export interface Motion {
  /** Shows it at a time in seconds, and stops it there. */
  update(seconds: number): void;
  /** Puts all at rest. */
  still(): void;
  /** Has it move by itself, from the beginning. */
  start(): void;
}

/** Finds what moves in the materials of the files that a scene has loaded. */
export function bsp2gltfMotion(scene: object): Motion;

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
  update(seconds?: number | null): Promise<void>;
}

/** The light of the game for what you put into a map. Colours are linear; places and directions have the scene's axes. */
export interface Ambient {
  /** The light at a place: from everywhere, by axis what comes more from its positive than from its negative side, and exactly what falls on a surface with a normal of length 1. */
  light(position: Place): { all: number[]; way: [number[], number[], number[]]; on(normal: Place): number[] };
  /** Has a PBRMaterial lit by the light where each of its meshes is, and returns it. Instances have the light of the mesh that they are of. */
  shade<Material extends { getClassName(): string }>(material: Material): Material;
}

/** A Vector3. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Reads the light grid of what a scene has loaded, or the probes of NAME_probes.json; null where there is neither, or the probes are of another map. */
export function bsp2gltfAmbient(scene: object, probes?: unknown): Promise<Ambient | null>;

/** Classes of @babylonjs/core, or of BABYLON. */
export interface StyleClasses {
  EffectRenderer: PluginClass;
  EffectWrapper: PluginClass;
}

/** Finds the light styles of the files that a scene has loaded. classes are needed with modules; those of BABYLON by default. */
export function bsp2gltfStyles(scene: object, classes?: StyleClasses): Styles;
