import { Color, ColorRepresentation, MeshBasicMaterial, MeshBasicMaterialParameters, Texture } from 'three';
import { GLTF, GLTFLoader, GLTFLoaderPlugin, GLTFParser } from 'three/examples/jsm/loaders/GLTFLoader.js';

export interface LightmapOptions {
  /** A factor on every light map. 1 by default. */
  strength?: number;
  /** Keep MeshStandardMaterial, so that lamps and environments add to the baked light. false by default. */
  lit?: boolean;
  /** Leave the file's punctual lights visible. false by default. */
  lights?: boolean;
}

export interface BakedMaterialParameters extends MeshBasicMaterialParameters {
  emissive?: ColorRepresentation;
  emissiveIntensity?: number;
  emissiveMap?: Texture | null;
}

/** A surface lit by its light map alone, plus emission. */
export class BakedMaterial extends MeshBasicMaterial {
  constructor(parameters?: BakedMaterialParameters);
  readonly isBakedMaterial: true;
  emissive: Color;
  emissiveIntensity: number;
  emissiveMap: Texture | null;
}

/** A GLTFLoader plugin: loader.register((parser) => new MOZLightmapPlugin(parser)). */
export class MOZLightmapPlugin implements GLTFLoaderPlugin {
  constructor(parser: GLTFParser, options?: LightmapOptions);
  readonly name: 'MOZ_lightmap';
  readonly parser: GLTFParser;
  readonly options: Required<LightmapOptions>;
}

/** Registers the plugin, and returns the loader. */
export function bsp2gltfLightmaps(loader: GLTFLoader, options?: LightmapOptions): GLTFLoader;

/** Hides (or shows again) the punctual lights of a loaded file. */
export function hidePunctualLights(gltf: GLTF, hidden?: boolean): void;
