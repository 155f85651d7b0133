// The fog of a map, shaded per pixel: fog volumes (nodes with bsp2gltf_fog) and the fog by distance of Source. As displayed, the
// way through a volume is as opaque as the root of its part of the length at which nothing is seen (Quake III Arena, tr_image.c,
// R_InitFogTable).
import { Color, Matrix4, Vector3, Vector4 } from 'three';
import { curves, declare, patch, replace } from './patch.js';

const MOST = 8;

/** Shades the fog of a loaded file, and hides the layers that stand for it in other viewers. */
export function shadeFog(gltf) {
  for (const scene of gltf.scenes) {
    scene.updateWorldMatrix(true, true);
    const toScene = scene.matrixWorld.clone().invert(), volumes = [], meshes = [], layers = [];
    let range = null;
    scene.traverse((object) => {
      const { userData: x } = object;
      if (object.isMesh) (object.material.userData.bsp2gltf_fog ? layers : meshes).push(object);
      else if (x.bsp2gltf_fog && x.opaque_metres > 0 && Number.isFinite(x.color_r)) volumes.push(volume(object, toScene));
      else range ??= between(x, scene.userData.bsp2gltf_unit);
    });
    if (!volumes.length && !range) continue;
    for (const layer of layers) layer.visible = false;
    const uniforms = uniformsOf(volumes.slice(0, MOST), range), seen = new Set();
    for (const { material } of meshes) {
      if (seen.has(material) || material.depthTest === false || material.userData.bsp2gltf_sky) continue;
      seen.add(material);
      patch(material, `fog ${Math.min(volumes.length, MOST)}`, (shader) => compile(shader, uniforms, Math.min(volumes.length, MOST)));
      const before = material.onBeforeRender;
      material.onBeforeRender = function (...all) {
        before.apply(this, all);
        uniforms.fogSpace.value.copy(scene.matrixWorld).invert();
      };
    }
  }
}

function volume(object, toScene) {
  const m = new Matrix4().multiplyMatrices(toScene, object.matrixWorld).elements;
  const middle = new Vector3(m[12], m[13], m[14]), half = new Vector3(m[0], m[5], m[10]).multiplyScalar(0.5);
  half.set(Math.abs(half.x), Math.abs(half.y), Math.abs(half.z));
  const { color_r: r, color_g: g, color_b: b, opaque_metres: opaque } = object.userData;
  const shown = new Color(r, g, b).convertLinearToSRGB();
  return { low: middle.clone().sub(half), high: middle.add(half), values: new Vector4(shown.r, shown.g, shown.b, 1 / opaque) };
}

// between is the fog of an env_fog_controller, from start to end.
function between(x, unit) {
  const color = String(x.fogcolor ?? '').trim().split(/\s+/).map(Number), [start, end, most] = [x.fogstart, x.fogend, x.fogmaxdensity].map(Number);
  if (!/^env_fog_controller$/i.test(x.classname) || !Number(x.fogenable) || !(end > start) || color.length < 3 || !color.every(Number.isFinite)) return null;
  return { range: new Vector3(start * unit, 1 / ((end - start) * unit), most > 0 && most <= 1 ? most : 1), color: new Vector3(...color).divideScalar(255) };
}

function uniformsOf(volumes, range) {
  return {
    fogSpace: { value: new Matrix4() },
    fogRange: { value: range?.range ?? new Vector3() }, fogRangeColor: { value: range?.color ?? new Vector3() },
    fogLow: { value: volumes.map((v) => v.low) }, fogHigh: { value: volumes.map((v) => v.high) }, fogValues: { value: volumes.map((v) => v.values) },
  };
}

function compile(shader, uniforms, count) {
  Object.assign(shader.uniforms, uniforms);
  declare(shader, 'vertex', 'uniform mat4 fogSpace;\nvarying vec3 fogAt, fogEye;');
  replace(shader, 'vertex', '#include <project_vertex>', `$&
  vec4 fogPlace = vec4(transformed, 1.0);
  #ifdef USE_INSTANCING
    fogPlace = instanceMatrix * fogPlace;
  #endif
  fogAt = (fogSpace * modelMatrix * fogPlace).xyz;
  fogEye = (fogSpace * vec4(cameraPosition, 1.0)).xyz;`);
  const volumes = count && `
    for (int i = 0; i < ${count}; i++) {
      vec3 s = 1.0 / mix(way, vec3(1e-5), vec3(lessThan(abs(way), vec3(1e-5)))), a = (fogLow[i] - fogEye) * s, b = (fogHigh[i] - fogEye) * s;
      vec3 nearer = min(a, b), farther = max(a, b);
      float from = max(max(nearer.x, nearer.y), max(nearer.z, 0.0)), to = min(min(farther.x, farther.y), min(farther.z, 1.0));
      if (to > from) shown = mix(min(shown, vec3(1.0)), fogValues[i].rgb, sqrt(min((to - from) * far * fogValues[i].w, 1.0)));
    }`;
  declare(shader, 'fragment', `varying vec3 fogAt, fogEye;
uniform vec3 fogRange, fogRangeColor;
${count ? `uniform vec3 fogLow[${count}], fogHigh[${count}];\nuniform vec4 fogValues[${count}];` : ''}
${curves('fog')}`);
  replace(shader, 'fragment', '#include <opaque_fragment>', `{
    vec3 way = fogAt - fogEye, shown = fogEncode(outgoingLight);
    float far = length(way);
    if (fogRange.y > 0.0) shown = mix(shown, fogRangeColor, min(clamp((far - fogRange.x) * fogRange.y, 0.0, 1.0), fogRange.z));
    ${volumes || ''}
    outgoingLight = fogDecode(shown);
  }
  $&`);
}
