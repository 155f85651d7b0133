// Files of --preset web use EXT_meshopt_compression. Babylon.js fetches the decoder from its own server; if that fails, its error only
// says that a script could not be loaded.
const NAME = 'bsp2gltf_meshopt', NEEDS = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];

/** Registers the extension that says that the decoder is missing, and where to get it. */
export function registerMeshopt(GLTFLoader) {
  GLTFLoader.RegisterExtension(NAME, (loader) => {
    let told = false;
    return {
      name: NAME,
      enabled: NEEDS.some((name) => loader.isExtensionUsed(name)),
      order: 1, // before Babylon.js' own
      dispose() {},
      loadBufferViewAsync(context, bufferView) {
        if (!NEEDS.some((name) => bufferView.extensions?.[name])) return null;
        return loader.loadBufferViewAsync(context, bufferView).catch((error) => {
          const text = `bsp2gltf: this file needs the decoder meshopt_decoder, which was not found: npm install meshoptimizer, and set BABYLON.MeshoptCompression.Configuration = { decoder: { url: '…/meshopt_decoder.cjs' } } (${error?.message ?? error})`;
          if (!told) console.error(text);
          told = true;
          throw new Error(text);
        });
      },
    };
  });
}
