import { Color, ColorRepresentation, MeshBasicMaterial, MeshBasicMaterialParameters, MeshLambertMaterial, Object3D, Texture } from 'three';
import { GLTF, GLTFLoader, GLTFLoaderPlugin, GLTFParser } from 'three/examples/jsm/loaders/GLTFLoader.js';

export interface LightmapOptions {
  /** A factor on all lightmaps. 1 by default. */
  strength?: number;
  /** Keep MeshStandardMaterial, so that lamps and environments add to the baked light. false by default. */
  lit?: boolean;
  /** Show materials without baked light unlit, too. false by default. */
  unlit?: boolean;
  /** Leave the file's punctual lights visible. false by default. */
  lights?: boolean;
  /** Let lamps of the scene add to the baked light, with their shadows. false by default. */
  lamps?: boolean;
  /** Multiply light and texture as the game does, where the file says how. true by default. */
  display?: boolean;
}

/** How light was adapted for linear viewers: docs/internals/light.md of bsp2gltf. */
export interface DisplayLight {
  albedo: number;
  exponent: number;
  gain?: number;
  emission?: [number, number, number];
  /** Linear factor by which the file's texture is brighter than the game's; vertex light is darker by it. */
  texture?: number;
  /** The light is in vertex colours. */
  vertex?: boolean;
  /** A factor on vertex light. */
  strength?: number;
}

export interface BakedMaterialParameters extends MeshBasicMaterialParameters {
  emissive?: ColorRepresentation;
  emissiveIntensity?: number;
  emissiveMap?: Texture | null;
  display?: DisplayLight | null;
}

/** A surface lit only by its lightmap (or, with display.vertex, its vertex colours), plus emission. */
export class BakedMaterial extends MeshBasicMaterial {
  constructor(parameters?: BakedMaterialParameters);
  readonly isBakedMaterial: true;
  emissive: Color;
  emissiveIntensity: number;
  emissiveMap: Texture | null;
  /** Set before the material is first drawn. */
  display: DisplayLight | null;
}

/** A BakedMaterial to which lamps add, with their shadows: for the option lamps. */
export class BakedLambertMaterial extends MeshLambertMaterial {
  constructor(parameters?: BakedMaterialParameters);
  readonly isBakedMaterial: true;
  /** Set before the material is first drawn. */
  display: DisplayLight | null;
}

/** A GLTFLoader plugin: loader.register((parser) => new MOZLightmapPlugin(parser)). */
export class MOZLightmapPlugin implements GLTFLoaderPlugin {
  constructor(parser: GLTFParser, options?: LightmapOptions);
  readonly name: 'MOZ_lightmap';
  readonly parser: GLTFParser;
  readonly options: Required<LightmapOptions>;
  afterRoot(gltf: GLTF): Promise<void>;
  /** Gives the meshes of an object the materials for which the loader doesn't ask plugins. */
  finish(object: Object3D): void;
}

/** Registers only this plugin, and returns the loader. bsp2gltf() registers all parts. */
export function bsp2gltfLightmaps(loader: GLTFLoader, options?: LightmapOptions): GLTFLoader;

/** Hides (or shows again) the punctual lights of a loaded file. */
export function hidePunctualLights(gltf: GLTF, hidden?: boolean): void;
