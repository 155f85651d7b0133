// Draws the sky around the camera: infinitely far, as in the game, where it has no parallax and covers nothing. In the file it is a box
// around the map (nodes with bsp2gltf_sky; docs/internals/readers.md).
const NAME = 'bsp2gltf_sky', FIRST = 0, FLOAT = 5126; // FIRST: the sky's alphaIndex; FLOAT: the type of unquantized vertices

/** Registers the extension that draws the sky of files around the camera, behind everything else. */
export function registerSky(GLTFLoader, MaterialPluginBase) {
  const Plugin = skyPlugin(MaterialPluginBase);
  GLTFLoader.RegisterExtension(NAME, (loader) => {
    const skies = (loader.gltf.nodes ?? []).filter((n) => n.extras?.[NAME]);
    return {
      name: NAME,
      enabled: skies.length > 0,
      order: 40,
      dispose() {},
      loadMaterialPropertiesAsync(context, material, babylonMaterial) {
        if (material.extras?.[NAME] && !babylonMaterial.pluginManager?.getPlugin(NAME)) new Plugin(babylonMaterial);
        return null; // the other extensions go on
      },
      onReady() {
        for (const mesh of skies.flatMap(meshesOf)) {
          Object.assign(mesh, { alwaysSelectAsActiveMesh: true, isPickable: false, alphaIndex: FIRST });
          if (mesh.material) mesh.material.disableDepthWrite = true;
        }
      },
    };
  });
}

/** The Babylon.js meshes of a file's node and of all nodes below it. */
export function meshesOf({ _babylonTransformNode: node }) {
  return node ? [node, ...node.getChildMeshes()].filter((m) => m.getTotalVertices?.() > 0) : [];
}

function skyPlugin(MaterialPluginBase) {
  return class SkyPlugin extends MaterialPluginBase {
    constructor(material) {
      super(material, NAME, 220, { BSP2GLTF_SKY: true, BSP2GLTF_AROUND: false });
      this._enable(true);
    }
    // A sky that another program has quantized stays where it is: such programs move a node to the centre of its mesh.
    prepareDefines(defines, scene, mesh) { defines.BSP2GLTF_AROUND = mesh.getVertexBuffer('position')?.type === FLOAT; }
    isCompatible(language) { return language === 0; } // GLSL
    getUniforms() { return { ubo: [{ name: 'bakedFar', size: 4, type: 'vec4' }], vertex: 'uniform vec4 bakedFar;\n' }; }
    // bakedFar is the vector from the camera to almost its far plane.
    bindForSubMesh(buffer, { activeCamera: camera }) {
      const { m } = camera.getWorldMatrix(), ahead = camera.getScene().useRightHandedSystem ? -1 : 1, far = ahead * 0.9999 * (camera.maxZ || 1e5);
      buffer.updateFloat4('bakedFar', m[8] * far, m[9] * far, m[10] * far, 0);
    }
    getClassName() { return 'Bsp2gltfSkyPlugin'; }
    getCustomCode(stage) { return stage === 'vertex' ? { CUSTOM_VERTEX_MAIN_END: AROUND } : null; }
  };
}

const AROUND = `
{
  vec4 far = viewProjection * vec4(vEyePosition.xyz + bakedFar.xyz, 1.0);
#ifdef BSP2GLTF_AROUND
  vPositionW = vEyePosition.xyz + mat3(finalWorld) * positionUpdated;
  gl_Position = viewProjection * vec4(vPositionW, 1.0);
#endif
  gl_Position.z = gl_Position.w * min(far.z / far.w, 0.999999); // rounding up would put it beyond the far plane
}
`;
