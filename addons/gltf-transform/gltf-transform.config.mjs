// Keeps the baked light (MOZ_lightmap) in what the gltf-transform command writes; see README.md.
import { Extension, ExtensionProperty, PropertyType, TextureChannel, TextureInfo } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';

const NAME = 'MOZ_lightmap';
const { R, G, B } = TextureChannel;

/** A material's light map: a colour texture, its UV set, and the intensity its texels are multiplied by. */
export class Lightmap extends ExtensionProperty {
  static EXTENSION_NAME = NAME;

  init() {
    this.extensionName = NAME;
    this.propertyType = 'Lightmap';
    this.parentTypes = [PropertyType.MATERIAL];
  }

  getDefaults() {
    const info = new TextureInfo(this.graph, 'lightmapTextureInfo');
    return Object.assign(super.getDefaults(), { intensity: 1, lightmapTexture: null, lightmapTextureInfo: info });
  }

  getIntensity() { return this.get('intensity'); }
  setIntensity(intensity) { return this.set('intensity', intensity); }
  getLightmapTexture() { return this.getRef('lightmapTexture'); }
  setLightmapTexture(texture) { return this.setRef('lightmapTexture', texture, { channels: R | G | B, isColor: true }); }
  getLightmapTextureInfo() { return this.getRef('lightmapTexture') ? this.getRef('lightmapTextureInfo') : null; }
}

export class MOZLightmap extends Extension {
  static EXTENSION_NAME = NAME;
  extensionName = NAME;

  createLightmap() {
    return new Lightmap(this.document.getGraph());
  }

  read(context) {
    const { materials = [], textures = [] } = context.jsonDoc.json;
    materials.forEach((material, i) => {
      const def = material.extensions?.[NAME];
      if (!def) return;
      const { source, extensions } = textures[def.index];
      const image = extensions?.KHR_texture_basisu?.source ?? extensions?.EXT_texture_webp?.source ?? extensions?.EXT_texture_avif?.source ?? source;
      const lightmap = this.createLightmap().setIntensity(def.intensity ?? 1).setLightmapTexture(context.textures[image]);
      context.setTextureInfo(lightmap.getLightmapTextureInfo(), def);
      context.materials[i].setExtension(NAME, lightmap);
    });
    return this;
  }

  write(context) {
    for (const material of this.document.getRoot().listMaterials()) {
      const lightmap = material.getExtension(NAME);
      if (!lightmap?.getLightmapTexture()) continue;
      const def = context.jsonDoc.json.materials[context.materialIndexMap.get(material)];
      const info = context.createTextureInfoDef(lightmap.getLightmapTexture(), lightmap.getLightmapTextureInfo());
      (def.extensions ??= {})[NAME] = { ...info, intensity: lightmap.getIntensity() };
    }
    return this;
  }
}

export default { extensions: [...ALL_EXTENSIONS, MOZLightmap], onProgramReady: () => {} };
