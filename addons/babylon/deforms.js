// The part of a material's motion that needs a shader (docs/internals/readers.md): coordinates with turbulence, warp or ripples, moving
// vertices, and squares that each turn to the viewer.
import { corners } from '../shared/billboards.js';
import { deformAt } from '../shared/materialmotion.js';

const NAME = 'bsp2gltf_deform', KINDS = { squareMiddle: 3, squareAxis: 3, squareCorner: 2 };

/** Gives meshes whose materials turn squares the vertex attributes for that. */
export function turnSquares(meshes) {
  const known = new Set();
  for (const mesh of meshes) {
    const way = mesh.material?.metadata?.gltf?.extras?.motion?.facing, from = mesh.sourceMesh ?? mesh;
    if (way !== 'sprite' && way !== 'axis') continue;
    mesh.alwaysSelectAsActiveMesh = true;
    mesh.material.backFaceCulling = false;
    if (known.has(from.geometry)) continue;
    known.add(from.geometry);
    const { middles, axes, places } = corners(from.getVerticesData('position'), from.getVerticesData('normal'), way === 'axis');
    Object.entries({ squareMiddle: middles, squareAxis: axes, squareCorner: places }).forEach(([kind, data]) => from.setVerticesData(kind, data, false, KINDS[kind]));
  }
}

/** Returns the plugin class for such materials: new Plugin(material, motion, unit) has move(seconds); null means rest. */
export function deformPlugin(MaterialPluginBase) {
  return class DeformPlugin extends MaterialPluginBase {
    constructor(material, motion, unit) {
      super(material, NAME, 190, { BSP2GLTF_DEFORM: false, BSP2GLTF_SQUARES: false }); // before the light
      this.motion = motion;
      this.scale = 1 / (1024 * unit);
      this.move(null);
      this._enable(true);
    }
    move(time) { this.now = deformAt(this.motion, time); }
    isCompatible(language) { return language === 0; } // GLSL
    getAttributes(names, scene, mesh) { if (mesh.isVerticesDataPresent('squareMiddle')) names.push(...Object.keys(KINDS)); }
    prepareDefinesBeforeAttributes(defines, scene, mesh) {
      defines.BSP2GLTF_DEFORM = true;
      defines.BSP2GLTF_SQUARES = mesh.isVerticesDataPresent('squareMiddle');
      defines._needNormals = true;
      if (mesh.isVerticesDataPresent('uv')) defines._needUVs = defines.MAINUV1 = true;
    }
    getUniforms() {
      const names = ['bakedTurb', 'bakedWarp', 'bakedWave', 'bakedBulge', 'bakedWay', 'bakedRipple', 'bakedSwell'], text = `#ifdef BSP2GLTF_DEFORM\n${names.map((n) => `uniform vec4 ${n};\n`).join('')}#endif\n`;
      return { ubo: names.map((name) => ({ name, size: 4, type: 'vec4' })), vertex: text, fragment: text };
    }
    bindForSubMesh(buffer, scene) {
      const { turb, warp, ripple, wave, bulge, swell, way } = this.now;
      buffer.updateFloat4('bakedTurb', ...turb);
      buffer.updateFloat4('bakedWarp', ...warp, 0);
      buffer.updateFloat4('bakedRipple', ...ripple, 0);
      buffer.updateFloat4('bakedWave', ...wave);
      buffer.updateFloat4('bakedSwell', ...swell, 0);
      buffer.updateFloat4('bakedBulge', ...bulge, scene.useRightHandedSystem ? 1 : -1); // Babylon.js mirrors what it loads: x is reversed
      buffer.updateFloat4('bakedWay', ...way, this.scale);
    }
    getClassName() { return 'Bsp2gltfDeformPlugin'; }
    getCustomCode(stage) {
      if (stage === 'vertex') return { CUSTOM_VERTEX_DEFINITIONS: ATTRIBUTES, CUSTOM_VERTEX_UPDATE_WORLDPOS: PLACE, CUSTOM_VERTEX_MAIN_END: TURB };
      return stage === 'fragment' ? { CUSTOM_FRAGMENT_MAIN_BEGIN: WARP } : null;
    }
  };
}

const ATTRIBUTES = `
#ifdef BSP2GLTF_SQUARES
attribute vec3 squareMiddle, squareAxis;
attribute vec2 squareCorner;
#endif
`;
const PLACE = `
#ifdef BSP2GLTF_DEFORM
{
  vec3 at = positionUpdated + bakedWay.xyz;
#ifdef BSP2GLTF_SQUARES
  mat4 toMesh = inverse(finalWorld);
  vec3 right = normalize(mat3(toMesh) * vec3(view[0].x, view[1].x, view[2].x)), up = normalize(mat3(toMesh) * vec3(view[0].y, view[1].y, view[2].y));
  if (dot(squareAxis, squareAxis) > 0.0) {
    up = squareAxis;
    right = normalize(cross(up, (toMesh * vec4(vEyePosition.xyz, 1.0)).xyz - squareMiddle));
  }
  at += squareMiddle + right * squareCorner.x + up * squareCorner.y - positionUpdated;
#endif
#ifdef NORMAL
  float far = bakedWave.x + bakedWave.y * sin(6.2831853 * (bakedWave.z + (position.x + position.y - position.z) * bakedWave.w));
#ifdef UV1
  far += bakedBulge.y * sin(uvUpdated.x * bakedBulge.x + bakedBulge.z);
#endif
  at += normalUpdated * far;
#endif
  vec2 swellAt = (finalWorld * vec4(position, 1.0)).xz * vec2(bakedBulge.w, 1.0) * bakedWay.w * 4.0;
  at.y += bakedSwell.x * (sin(6.2831853 * (bakedSwell.y + swellAt.x - swellAt.y)) + 0.8 * sin(6.2831853 * (bakedSwell.z + 5.0 * swellAt.x + swellAt.y)));
  worldPos = finalWorld * vec4(at, 1.0);
  vPositionW = worldPos.xyz;
}
#endif
`;
const TURB = `
#ifdef BSP2GLTF_DEFORM
{
  vec3 at = (finalWorld * vec4(position, 1.0)).xyz * vec3(bakedBulge.w, 1.0, 1.0);
  vec2 place = vec2(at.x + at.y, -at.z) * bakedWay.w;
#if defined(ALBEDO) && ALBEDODIRECTUV == 0
  vAlbedoUV += bakedTurb.x * sin(6.2831853 * (bakedTurb.y + place)) + bakedRipple.x * sin(vAlbedoUV.yx * bakedRipple.y + bakedRipple.z);
#endif
#if defined(EMISSIVE) && EMISSIVEDIRECTUV == 0
  vEmissiveUV += bakedTurb.z * sin(6.2831853 * (bakedTurb.w + place));
#endif
}
#endif
`;
const WARP = `
#if defined(BSP2GLTF_DEFORM) && defined(ALBEDO) && ALBEDODIRECTUV == 0
vec2 warpedUV = vAlbedoUV + bakedWarp.x * sin(vAlbedoUV.yx * bakedWarp.y + bakedWarp.z);
#define vAlbedoUV warpedUV
#endif
`;
