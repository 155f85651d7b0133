// Attributes of vertices that Babylon's loader leaves out (docs/internals/readers.md): what multiplies a reflection, where a bone begins, and how much of a
// second texture is seen.
const NAME = 'bsp2gltf_attributes';
const KINDS = { _ENVIRONMENT: 'bakedTint', _CHROME: 'bakedBone', _BLEND: 'bakedBlend', _MULTIBLEND: 'bakedWeights' };

/** Registers what loads them. */
export function registerAttributes(GLTFLoader) {
  GLTFLoader.RegisterExtension(NAME, (loader) => ({
    name: NAME,
    enabled: (loader.gltf.meshes ?? []).some((m) => m.primitives.some((p) => Object.keys(KINDS).some((name) => name in p.attributes))),
    dispose() {},
    _loadVertexDataAsync(context, primitive, mesh) {
      const found = Object.entries(KINDS).filter(([name]) => name in primitive.attributes);
      if (!found.length) return null;
      return (async () => {
        const geometry = await loader._loadVertexDataAsync(context, primitive, mesh); // by the loader itself
        for (const [name, kind] of found) {
          const index = primitive.attributes[name];
          geometry.setVerticesBuffer(await loader._loadVertexAccessorAsync(`/accessors/${index}`, loader.gltf.accessors[index], kind));
        }
        return geometry;
      })();
    },
  }));
}
