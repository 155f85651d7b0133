// The fog of a map, shaded per pixel: fog volumes (nodes with bsp2gltf_fog) and the fog by distance of Source. As displayed, the
// way through a volume is as opaque as the root of its part of the length at which nothing is seen (Quake III Arena, tr_image.c,
// R_InitFogTable).
const NAME = 'bsp2gltf_fog', MOST = 8;
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Registers what shades the fog of files that have any, and hides the layers that stand for it in other viewers. */
export function registerFog(GLTFLoader, MaterialPluginBase) {
  GLTFLoader.RegisterExtension(NAME, (loader) => {
    const { nodes = [], scenes = [] } = loader.gltf, volumes = nodes.filter(({ extras: x }) => x?.[NAME] && x.opaque_metres > 0 && Number.isFinite(x.color_r)).slice(0, MOST);
    const range = nodes.map((n) => between(n.extras ?? {}, scenes[loader.gltf.scene ?? 0]?.extras?.bsp2gltf_unit)).find(Boolean) ?? new Array(16).fill(0);
    const fog = { count: volumes.length, values: new Float32Array([...IDENTITY, ...range, ...new Array(16 * volumes.length).fill(0)]), root: null };
    const Plugin = fogPlugin(MaterialPluginBase, fog); // one for each file: the base's constructor asks for uniforms
    return {
      name: NAME,
      enabled: volumes.length > 0 || range.some((v) => v !== 0),
      order: 30,
      dispose() {},
      loadMaterialPropertiesAsync(context, material, babylonMaterial) {
        // The loader asks again for a material with a lightmap.
        if (!material.extras?.[NAME] && !babylonMaterial.pluginManager?.getPlugin(NAME)) new Plugin(babylonMaterial);
        return null; // the others go on
      },
      onReady() {
        fog.root = loader.rootBabylonMesh;
        const toFile = fog.root?.computeWorldMatrix(true).clone().invert();
        volumes.forEach(({ _babylonTransformNode: node, extras }, i) => {
          const m = node.computeWorldMatrix(true), file = toFile ? m.multiply(toFile).m : m.m;
          fog.values.set(volume(file, extras), 32 + 16 * i);
        });
        const drawn = (loader.rootBabylonMesh?.getChildMeshes() ?? []).filter((mesh) => mesh.material?.metadata?.gltf?.extras?.[NAME]);
        for (const layer of drawn) layer.isVisible = false;
      },
    };
  });
}

// volume is a box in the file's space, its colour as displayed and its 1 / metres to opacity, as a matrix of four rows.
function volume(m, { color_r: r, color_g: g, color_b: b, opaque_metres: opaque }) {
  const half = [m[0], m[5], m[10]].map((v) => Math.abs(v) / 2), middle = [m[12], m[13], m[14]], encode = (v) => (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055);
  return [...middle.map((v, i) => v - half[i]), 0, ...middle.map((v, i) => v + half[i]), 0, encode(r), encode(g), encode(b), 1 / opaque, 0, 0, 0, 0];
}

// between is the fog of an env_fog_controller, from start to end, as a matrix too.
function between(x, unit) {
  const color = String(x.fogcolor ?? '').trim().split(/\s+/).map(Number), [start, end, most] = [x.fogstart, x.fogend, x.fogmaxdensity].map(Number);
  if (!/^env_fog_controller$/i.test(x.classname) || !Number(x.fogenable) || !(end > start) || color.length < 3 || !color.every(Number.isFinite)) return null;
  return [start * unit, 1 / ((end - start) * unit), most > 0 && most <= 1 ? most : 1, 0, ...color.slice(0, 3).map((v) => v / 255), 0, 0, 0, 0, 0, 0, 0, 0, 0];
}

const isSky = (mesh) => [mesh, mesh.parent, mesh.material].some((o) => o?.metadata?.gltf?.extras?.bsp2gltf_sky);

function fogPlugin(MaterialPluginBase, fog) {
  return class FogPlugin extends MaterialPluginBase {
    constructor(material) {
      super(material, NAME, 210, { BSP2GLTF_FOG: false }); // after the light
      this._enable(true);
    }
    isCompatible(language) { return language === 0; } // GLSL
    prepareDefines(defines, scene, mesh) { defines.BSP2GLTF_FOG = !isSky(mesh); }
    getUniforms() {
      const count = 2 + fog.count;
      return { ubo: [{ name: 'bakedFog', size: 16, type: 'mat4', arraySize: count }], fragment: `#ifdef BSP2GLTF_FOG\nuniform mat4 bakedFog[${count}];\n#endif\n` };
    }
    bindForSubMesh(buffer) {
      if (fog.root) fog.values.set(fog.root.getWorldMatrix().clone().invert().m);
      buffer.updateMatrices('bakedFog', fog.values);
    }
    getClassName() { return 'Bsp2gltfFogPlugin'; }
    getCustomCode(stage) { return stage === 'fragment' ? { CUSTOM_FRAGMENT_BEFORE_FOG: shade(fog.count) } : null; }
  };
}

const shade = (count) => `
#ifdef BSP2GLTF_FOG
{
  vec3 eye = (bakedFog[0] * vec4(vEyePosition.xyz, 1.0)).xyz, way = (bakedFog[0] * vec4(vPositionW, 1.0)).xyz - eye, shown = toGammaSpace(max(finalColor.rgb, vec3(0.0)));
  float far = length(way);
  vec3 range = bakedFog[1][0].xyz;
  if (range.y > 0.0) shown = mix(shown, bakedFog[1][1].rgb, min(clamp((far - range.x) * range.y, 0.0, 1.0), range.z));
  for (int i = 2; i < ${2 + count}; i++) {
    vec3 s = 1.0 / mix(way, vec3(1e-5), vec3(lessThan(abs(way), vec3(1e-5)))), a = (bakedFog[i][0].xyz - eye) * s, b = (bakedFog[i][1].xyz - eye) * s;
    vec3 nearer = min(a, b), farther = max(a, b);
    float from = max(max(nearer.x, nearer.y), max(nearer.z, 0.0)), to = min(min(farther.x, farther.y), min(farther.z, 1.0));
    if (to > from) shown = mix(min(shown, vec3(1.0)), bakedFog[i][2].rgb, sqrt(min((to - from) * far * bakedFog[i][2].w, 1.0)));
  }
  finalColor.rgb = toLinearSpace(shown);
}
#endif
`;
