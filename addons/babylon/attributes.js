// Vertex attributes that Babylon.js' loader skips (docs/internals/readers.md): the factor on a reflection, the position of a bone, and
// the weight of a second texture.
const NAME = 'bsp2gltf_attributes';
const KINDS = { _ENVIRONMENT: 'bakedTint', _CHROME: 'bakedBone', _BLEND: 'bakedBlend', _MULTIBLEND: 'bakedWeights' };

/** Registers the extension that loads them. */
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
