/**
 * Shows the baked light (MOZ_lightmap) of glTF files in Babylon.js.
 * bsp2gltfLightmaps(BABYLON.GLTF2.GLTFLoader), or the GLTFLoader of @babylonjs/loaders, once, before loading.
 */
const EXTENSION = 'MOZ_lightmap';

export function bsp2gltfLightmaps(GLTFLoader, { strength = 1 } = {}) {
  GLTFLoader.RegisterExtension(EXTENSION, (loader) => ({
    name: EXTENSION,
    enabled: loader.isExtensionUsed(EXTENSION),
    order: 500, // after the extensions that set the base colour
    dispose() {},
    loadMaterialPropertiesAsync(context, material, babylonMaterial) {
      return GLTFLoader.LoadExtensionAsync(context, material, EXTENSION, async (extensionContext, lightmap) => {
        await loader.loadMaterialPropertiesAsync(context, material, babylonMaterial);
        const { KHR_materials_unlit: unlit, KHR_materials_transmission: clear } = material.extensions;
        if (unlit || clear) return; // what lets light through shows what is behind it
        await loader.loadTextureInfoAsync(extensionContext, lightmap, (texture) => {
          texture.level = (lightmap.intensity ?? 1) * strength;
          texture.gammaSpace = true;
          babylonMaterial.lightmapTexture = texture;
          babylonMaterial.useLightmapAsShadowmap = true; // multiply, not add
          babylonMaterial.unlit = true; // no lamp adds to it
        });
      });
    },
  }));
}
