// The fog of a map, computed per pixel: fog volumes (nodes with bsp2gltf_fog) and range fog. In display space, the opacity of a volume
// is the square root of the depth of view in it, as a fraction of the depth at which nothing is seen (docs/internals/materials.md of
// bsp2gltf has the rule; Quake III Arena, tr_shade_calc.c, RB_CalcFogTexCoords, and tr_image.c, R_FogFactor). Range fog has the
// opacity, in linear light, of the square of the fraction of the way from its start to its end (Source SDK 2013, common_ps_fxc.h,
// BlendPixelFog), or thickens exponentially, in display space (DarkPlaces, gl_rmain.c, R_BuildFogTexture; QuakeSpasm, gl_fog.c).
import { curves, toDisplayed, toLinear } from '../shared/color.js';
import { FOG_EDGE, FOG_SIDE, MAX_VOLUMES, readRangeFog, waterAt } from '../shared/fogdata.js';

const NAME = 'bsp2gltf_fog';
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Registers the extension that shades the fog of files, and hides the layers that stand for it in other viewers. */
export function registerFog(GLTFLoader, MaterialPluginBase, { fog: foggy = true, exposure: exposed = true, gamma: gammaed = true } = {}) {
  GLTFLoader.RegisterExtension(NAME, (loader) => {
    const { nodes = [], scenes = [] } = loader.gltf, { extras } = scenes[loader.gltf.scene ?? 0] ?? {}, factor = Number(extras?.bsp2gltf_exposure), gamma = Number(extras?.bsp2gltf_gamma);
    const volumes = !foggy ? [] : nodes.filter(({ extras: x }) => x?.[NAME] && x.opaque_metres > 0 && Number.isFinite(x.color_r)).slice(0, MAX_VOLUMES);
    const waters = !foggy ? [] : nodes.filter(({ extras: x }) => x?.bsp2gltf_water && Array.isArray(x.boxes) && readRangeFog(x)).map(({ extras: x }) => ({ boxes: x.boxes, values: rowsOf(readRangeFog(x)) }));
    const rangeFogs = [extras, nodes.find(({ extras: x }) => x?.bsp2gltf_skybox_3d)?.extras].map((x) => (foggy ? readRangeFog(x) : null)); // of the scene, and of the 3D skybox
    const ranges = rangeFogs.map(rowsOf), blends = rangeFogs.map((range) => range?.blend);
    const fog = { exposure: exposed && factor > 0 && Number.isFinite(factor) ? factor : 1, gamma: gammaed && gamma > 0 && Number.isFinite(gamma) ? gamma : 1, count: volumes.length, blends, ranges, waters, values: new Float32Array([...IDENTITY, ...ranges.flat(), ...new Array(16 * volumes.length).fill(0)]), root: null };
    const Plugin = fogPlugin(MaterialPluginBase, fog); // one per file, because the base's constructor asks for the uniforms
    return {
      name: NAME,
      enabled: fog.exposure !== 1 || fog.gamma !== 1 || volumes.length > 0 || waters.length > 0 || ranges.flat().some((v) => v !== 0),
      order: 30,
      dispose() {},
      loadMaterialPropertiesAsync(context, material, babylonMaterial) {
        // The loader calls this twice for a material with a lightmap.
        if (!material.extras?.[NAME] && !babylonMaterial.pluginManager?.getPlugin(NAME)) new Plugin(babylonMaterial);
        return null; // the other extensions go on
      },
      onReady() {
        fog.root = loader.rootBabylonMesh;
        const toFile = fog.root?.computeWorldMatrix(true).clone().invert();
        volumes.forEach(({ _babylonTransformNode: node, extras }, i) => {
          const m = node.computeWorldMatrix(true), file = toFile ? m.multiply(toFile).m : m.m;
          fog.values.set(volume(file, extras), 48 + 16 * i);
        });
        for (const mesh of loader.rootBabylonMesh?.getChildMeshes() ?? []) if (mesh.sourceMesh && isInBox(mesh) !== isInBox(mesh.sourceMesh)) replaceInstance(mesh);
        const drawn = (loader.rootBabylonMesh?.getChildMeshes() ?? []).filter((mesh) => mesh.material?.metadata?.gltf?.extras?.[NAME]);
        if (foggy) for (const layer of drawn) layer.isVisible = false;
      },
    };
  });
}

// volume returns a matrix of four rows: a box in the file's space, its colour in display space with 1 / (metres to opacity), and its
// surface: a point p is w - xyz · p deep. The first row's w is 1 if the surface shows fog to a camera inside.
function volume(m, { color_r: r, color_g: g, color_b: b, opaque_metres: opaque, surface_x: x, surface_y: y, surface_z: z, surface_metres: metres, surface_fogged: fogged }) {
  const half = [m[0], m[5], m[10]].map((v) => Math.abs(v) / 2 + FOG_EDGE), middle = [m[12], m[13], m[14]];
  return [...middle.map((v, i) => v - half[i]), Number(fogged === true), ...middle.map((v, i) => v + half[i]), 0, toDisplayed(r), toDisplayed(g), toDisplayed(b), 1 / opaque,
    ...(Number.isFinite(metres) ? [x, y, z, metres] : [0, 0, 0, 0])];
}

// rowsOf returns range fog as a matrix, too.
function rowsOf(range) {
  if (!range) return new Array(16).fill(0);
  const { start, end, density, color, radial, thickness, power, sky } = range;
  return [start, 1 / (end - start), density, radial ? 2 : 1, ...color, 0, thickness, power, end, sky, 0, 0, 0, 0];
}

// blendColors sets the colours of range fogs by the camera's direction. The first matrix of values transforms the scene to the file's
// space.
function blendColors({ blends, values: m }, { activeCamera: camera, useRightHandedSystem: right }) {
  if (!camera || !blends.some(Boolean)) return;
  const view = camera.getViewMatrix().m, [x, y, z] = [view[2], view[6], view[10]], ahead = [0, 1, 2].map((k) => x * m[k] + y * m[4 + k] + z * m[8 + k]);
  blends.forEach((blend, i) => {
    if (!blend || m[16 * i + 19] === 0) return;
    const cosine = ahead.reduce((sum, v, k) => sum + v * blend.direction[k], 0) / Math.hypot(...ahead), part = 0.5 + (right ? -0.5 : 0.5) * cosine;
    blend.ahead.forEach((v, k) => { m[16 * i + 20 + k] = toLinear(blend.behind[k] + (v - blend.behind[k]) * part); });
  });
}

// useWaterFog replaces the scene's fog by that of the water that contains the camera.
function useWaterFog({ waters, ranges, blends, values: m }, { activeCamera: camera }) {
  if (!camera || !waters.length) return;
  const { x, y, z } = camera.globalPosition, eye = [0, 1, 2].map((k) => x * m[k] + y * m[4 + k] + z * m[8 + k] + m[12 + k]);
  const water = waterAt(waters, eye);
  ranges.forEach((own, i) => {
    if (water || !blends[i]) m.set(water?.values ?? own, 16 * (i + 1));
    else m.set(own.slice(0, 4), 16 * (i + 1)), m.set(own.slice(8), 16 * (i + 1) + 8);
  });
}

const above = (mesh) => { const all = []; for (let o = mesh; o; o = o.parent) all.push(o); return all; };
const isInBox = (mesh) => above(mesh).some((o) => o.metadata?.gltf?.extras?.bsp2gltf_skybox_3d);
// replaceInstance replaces an instance, which has the shader of its source, by a mesh.
function replaceInstance(instance) {
  const { _parentContainer: container = null } = instance, scene = instance.getScene(), blocked = scene._blockEntityCollection;
  scene._blockEntityCollection = blocked || container !== null; // what an AssetContainer holds is not in the scene yet
  const own = instance.sourceMesh.clone(instance.name, instance.parent, true);
  scene._blockEntityCollection = blocked;
  if (container) scene.removeGeometry(own.geometry);
  own._parentContainer = container;
  container?.meshes.push(own);
  for (const key of ['position', 'rotationQuaternion', 'scaling']) own[key] = instance[key]?.clone() ?? null;
  own.metadata = instance.metadata;
  for (const child of instance.getChildren()) child.parent = own;
  instance.dispose();
}

const isSky = (mesh) => [mesh, mesh.parent, mesh.material].some((o) => o?.metadata?.gltf?.extras?.bsp2gltf_sky);

function fogPlugin(MaterialPluginBase, fog) {
  return class FogPlugin extends MaterialPluginBase {
    constructor(material) {
      super(material, NAME, 210, { BSP2GLTF_FOG: false, BSP2GLTF_BOX: false, BSP2GLTF_FADES: 0 }); // after the light
      this._enable(true);
    }
    isCompatible(language) { return language === 0; } // GLSL
    prepareDefines(defines, scene, mesh) {
      const { extras } = mesh.material?.metadata?.gltf ?? {};
      defines.BSP2GLTF_FOG = !isSky(mesh) || (fog.count > 0 || fog.waters.length > 0 || fog.ranges[0][11] > 0) && Boolean(mesh.material?.pluginManager?.getPlugin('bsp2gltf_sky'));
      defines.BSP2GLTF_BOX = isInBox(mesh);
      defines.BSP2GLTF_FADES = extras?.blend === 'add' ? 1 : extras?.blend === 'multiply' ? 2 : mesh.material?.needAlphaBlending() ? 3 : 0; // to black, to grey, to transparency
    }
    getUniforms() {
      const count = 3 + fog.count;
      return { ubo: [{ name: 'bakedFog', size: 16, type: 'mat4', arraySize: count }], fragment: `#ifdef BSP2GLTF_FOG\nuniform mat4 bakedFog[${count}];\n#endif\n` };
    }
    bindForSubMesh(buffer, scene) {
      if (fog.root) fog.values.set(fog.root.getWorldMatrix().clone().invert().m);
      blendColors(fog, scene);
      useWaterFog(fog, scene);
      buffer.updateMatrices('bakedFog', fog.values);
    }
    getClassName() { return 'Bsp2gltfFogPlugin'; }
    getCustomCode(stage) { return stage === 'fragment' ? { CUSTOM_FRAGMENT_DEFINITIONS: FUNCTIONS, CUSTOM_FRAGMENT_BEFORE_FOG: shade(fog.count, fog.exposure) + brighten(fog.gamma) } : null; }
  };
}

// Babylon.js' own conversion to linear light and back is a plain power of 2.2.
const FUNCTIONS = `
bool fogHolds(mat4 fog, vec3 p) { return all(greaterThanEqual(p, fog[0].xyz)) && all(lessThanEqual(p, fog[1].xyz)); }
bool fogFaces(mat4 fog, vec3 p, vec3 eye) { // a side of the fog, seen from outside, has none
  return any(lessThan(max(p - fog[0].xyz - ${FOG_SIDE}, eye - fog[0].xyz), vec3(0.0))) || any(greaterThan(min(p - fog[1].xyz + ${FOG_SIDE}, eye - fog[1].xyz), vec3(0.0)));
}
${curves('fog')}`;

// For a material that multiplies the background by twice its colour, 0.5 stays 0.5: it multiplies by one.
const brighten = (gamma) => gamma === 1 ? '' : `
#if BSP2GLTF_FADES == 2
const float whole = 2.0;
#else
const float whole = 1.0;
#endif
finalColor.rgb = toLinearSpace(pow(toGammaSpace(max(finalColor.rgb, vec3(0.0))) * whole, vec3(${(1 / gamma).toFixed(6)})) / whole);
`;

const shade = (count, exposure) => `
${exposure === 1 ? '' : `finalColor.rgb = toLinearSpace(fogEncode(fogDecode(toGammaSpace(max(finalColor.rgb, vec3(0.0)))) * ${exposure.toFixed(6)}));`}
#ifdef BSP2GLTF_FOG
{
  vec3 eye = (bakedFog[0] * vec4(vEyePosition.xyz, 1.0)).xyz, way = (bakedFog[0] * vec4(vPositionW, 1.0)).xyz - eye, shown = toGammaSpace(max(finalColor.rgb, vec3(0.0)));
  float far = length(way), depth = 1.0 / gl_FragCoord.w * far / max(length(vPositionW - vEyePosition.xyz), 1e-6);
#ifdef BSP2GLTF_BOX
  mat4 range = bakedFog[2];
#else
  mat4 range = bakedFog[1];
#endif
#if BSP2GLTF_FADES == 1
  range[1].rgb = vec3(0.0);
#elif BSP2GLTF_FADES == 2
  range[1].rgb = vec3(0.21404114);
#endif
#ifdef BSP2GLTF_SKY
  way *= 1e4, depth *= 1e4;
  shown = mix(shown, fogEncode(range[1].rgb), range[2].w);
#else
  if (range[0].w > 0.0) {
    float d = range[0].w > 1.0 ? far : 1.0 / gl_FragCoord.w, f = min(clamp((d - range[0].x) * range[0].y, 0.0, 1.0), range[0].z);
    if (range[2].x > 0.0) shown = mix(shown, fogEncode(range[1].rgb), range[0].z * (1.0 - exp(-pow(max(min(d, range[2].z) - range[0].x, 0.0) * range[2].x, range[2].y))));
    else shown = fogEncode(mix(fogDecode(shown), range[1].rgb, f * f));
  }
#endif
  for (int i = 3; i < ${3 + count}; i++) {
    bool sided = dot(bakedFog[i][3].xyz, bakedFog[i][3].xyz) > 0.5;
    float inner = sided ? bakedFog[i][3].w - dot(bakedFog[i][3].xyz, eye) : 1.0, deep = sided ? inner - dot(bakedFog[i][3].xyz, way) : 1.0, part = 1.0;
#ifndef BSP2GLTF_SKY
    if (fogHolds(bakedFog[i], eye + way) && !fogFaces(bakedFog[i], eye + way, eye)) {
      if (deep < 0.0) continue;
      if (inner < 0.0) part = deep / (deep - inner);
    } else
#endif
    { // its surface veils what is beyond
#if !defined(BSP2GLTF_SKY) && BSP2GLTF_FADES != 0
      continue;
#endif
      if (bakedFog[i][0].w < 0.5 || inner < 0.0 || deep >= 0.0) continue;
      part = inner / (inner - deep);
      if (!fogHolds(bakedFog[i], eye + way * part)) continue;
    }
    float f = sqrt(clamp(depth * part * bakedFog[i][2].w, 0.0, 1.0));
#if BSP2GLTF_FADES == 1
    shown *= 1.0 - f;
#elif BSP2GLTF_FADES == 2 && defined(BSP2GLTF_SKY)
    shown = mix(shown, vec3(0.5), f);
#elif BSP2GLTF_FADES == 3 && !defined(BSP2GLTF_SKY)
    finalColor.a *= 1.0 - f;
#elif BSP2GLTF_FADES != 2
    shown = mix(min(shown, vec3(1.0)), bakedFog[i][2].rgb, f);
#endif
  }
  finalColor.rgb = toLinearSpace(shown);
}
#endif
`;
