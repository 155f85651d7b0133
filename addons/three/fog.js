// The fog of a map, computed per pixel: fog volumes (nodes with bsp2gltf_fog) and range fog. In display space, the opacity of a volume
// is the square root of the depth of view in it, as a fraction of the depth at which nothing is seen (docs/internals/materials.md of
// bsp2gltf has the rule; Quake III Arena, tr_shade_calc.c, RB_CalcFogTexCoords, and tr_image.c, R_FogFactor). Range fog has the
// opacity, in linear light, of the square of the fraction of the way from its start to its end (Source SDK 2013, common_ps_fxc.h,
// BlendPixelFog), or thickens exponentially, in display space (DarkPlaces, gl_rmain.c, R_BuildFogTexture; QuakeSpasm, gl_fog.c).
import { AdditiveBlending, Color, CustomBlending, Matrix4, Vector3, Vector4 } from 'three';
import { curves } from '../shared/color.js';
import { FOG_EDGE, FOG_SIDE, MAX_VOLUMES, readRangeFog, waterAt } from '../shared/fogdata.js';
import { declare, patch, replace } from './patch.js';

/**
 * Shades the fog of a loaded file, and hides the layers that stand for it in other viewers. The result has any, which states whether
 * there is fog, and on, which may be set.
 */
export function shadeFog(gltf) {
  const all = [];
  let on = true;
  for (const scene of gltf.scenes) {
    scene.updateWorldMatrix(true, true);
    const toScene = scene.matrixWorld.clone().invert(), volumes = [], meshes = [], layers = [];
    const range = rangeOf(scene.userData), boxes = new Set(), waters = [];
    let boxRange = null;
    scene.traverse((object) => {
      const { userData: x } = object;
      if (x.bsp2gltf_skybox_3d) {
        boxRange = rangeOf(x);
        object.traverse((below) => boxes.add(below));
      }
      if (x.bsp2gltf_water && Array.isArray(x.boxes) && rangeOf(x)) waters.push({ ...rangeOf(x), boxes: x.boxes });
      if (object.isMesh) (object.material.userData.bsp2gltf_fog ? layers : meshes).push(object);
      else if (x.bsp2gltf_fog && x.opaque_metres > 0 && Number.isFinite(x.color_r)) volumes.push(volume(object, toScene));
    });
    if (!volumes.length && !range && !boxRange && !waters.length) continue;
    const findWater = waterFinder(waters);
    for (const layer of layers) layer.visible = false;
    const inWorld = new Set(meshes.filter((mesh) => !boxes.has(mesh)).map((mesh) => mesh.material)), copies = new Map(), seen = new Set();
    for (const mesh of meshes) { // the 3D skybox has its own range fog
      if (!boxes.has(mesh) || !inWorld.has(mesh.material)) continue;
      if (!copies.has(mesh.material)) copies.set(mesh.material, mesh.material.clone());
      mesh.material = copies.get(mesh.material);
    }
    for (const mesh of meshes) {
      const { material } = mesh;
      const sky = Boolean(material.userData.bsp2gltf_sky), count = Math.min(volumes.length, MAX_VOLUMES);
      if (seen.has(material) || (sky ? !count && !range?.law.w && !waters.length : material.depthTest === false)) continue;
      seen.add(material);
      const { uniforms, turn } = uniformsOf(volumes.slice(0, MAX_VOLUMES), boxes.has(mesh) && !sky ? boxRange : range, material, findWater), kind = kindOf(material);
      all.push(uniforms);
      patch(material, `fog ${count} ${kind} ${sky}`, (shader) => compile(shader, uniforms, count, kind, sky), (renderer, drawn, camera) => {
        uniforms.fogSpace.value.copy(scene.matrixWorld).invert();
        turn?.(camera);
      }, { uniforms, count, kind, sky });
    }
  }
  return {
    any: all.length > 0,
    get on() { return on; },
    set on(value) {
      on = value;
      for (const { fogOn } of all) fogOn.value = value;
    },
  };
}

function volume(object, toScene) {
  const m = new Matrix4().multiplyMatrices(toScene, object.matrixWorld).elements;
  const middle = new Vector3(m[12], m[13], m[14]), half = new Vector3(m[0], m[5], m[10]).multiplyScalar(0.5);
  half.set(Math.abs(half.x), Math.abs(half.y), Math.abs(half.z));
  const { color_r: r, color_g: g, color_b: b, opaque_metres: opaque } = object.userData;
  const shown = new Color(r, g, b).convertLinearToSRGB(), { surface_x: x, surface_y: y, surface_z: z, surface_metres: metres, surface_fogged: fogged } = object.userData;
  return {
    low: middle.clone().subScalar(FOG_EDGE).sub(half), high: middle.addScalar(FOG_EDGE).add(half), values: new Vector4(shown.r, shown.g, shown.b, 1 / opaque),
    surface: Number.isFinite(metres) ? new Vector4(x, y, z, metres) : new Vector4(), fogged: Number(fogged === true),
  };
}

// kindOf is how a material reacts to fog. As in the engine, a material that adds to the background fades out in fog, a translucent one
// gets more transparent, and one that multiplies is unchanged.
function kindOf(material) {
  if (material.blending === AdditiveBlending) return 'adds';
  if (material.blending === CustomBlending) return 'multiplies';
  return material.transparent ? 'covers' : 'solid';
}

// rangeOf returns the uniforms of the range fog in extras of the scene, the 3D skybox's node or a water, or null if there is none.
function rangeOf(extras) {
  const fog = readRangeFog(extras);
  if (!fog) return null;
  const { start, end, density, color, radial, thickness, power, sky, blend } = fog;
  return { range: new Vector4(start, 1 / (end - start), density, radial ? 2 : 1), color: new Vector3(...color), law: new Vector4(thickness, power, end, sky), blend };
}

// waterFinder returns a function that finds the water that contains a camera, or null if there is no water.
function waterFinder(waters) {
  if (!waters.length) return null;
  const last = new Vector3(NaN, NaN, NaN), eye = new Vector3();
  let found;
  return (camera, space) => {
    if (!last.equals(eye.setFromMatrixPosition(camera.matrixWorld).applyMatrix4(space))) {
      last.copy(eye);
      found = waterAt(waters, eye.toArray());
    }
    return found;
  };
}

// colorBlender returns a function that sets the colour of a fog by the direction in which a camera looks.
function colorBlender({ color, blend: { ahead: first, behind, direction } }, space) {
  const ahead = new Vector3(), from = new Color(...behind), to = new Color(...first), axis = new Vector3(...direction), mixed = new Color();
  return (camera) => {
    const part = 0.5 + 0.5 * camera.getWorldDirection(ahead).transformDirection(space).dot(axis);
    mixed.copy(from).lerp(to, part).convertSRGBToLinear();
    color.set(mixed.r, mixed.g, mixed.b);
  };
}

// uniformsOf returns the fog's uniforms. A material that adds fades to black; one that multiplies fades to the grey that multiplies by
// one.
function uniformsOf(volumes, range, { blending }, findWater) {
  const grey = 0.21404114, color = blending === AdditiveBlending ? new Vector3() : blending === CustomBlending ? new Vector3(grey, grey, grey) : range?.color;
  const space = new Matrix4(), uniforms = {
    fogSpace: { value: space }, fogOn: { value: true },
    fogRange: { value: range?.range ?? new Vector4(0, 0, 0, 0) }, fogRangeColor: { value: color ?? new Vector3() }, fogLaw: { value: range?.law ?? new Vector4(0, 0, 0, 0) },
    fogLow: { value: volumes.map((v) => v.low) }, fogHigh: { value: volumes.map((v) => v.high) }, fogValues: { value: volumes.map((v) => v.values) },
    fogSurface: { value: volumes.map((v) => v.surface) }, fogVeils: { value: volumes.map((v) => v.fogged) },
  };
  const own = { range: uniforms.fogRange.value, color: uniforms.fogRangeColor.value, law: uniforms.fogLaw.value };
  const turn = range?.blend && color === range.color ? colorBlender(range, space) : null, faded = color !== undefined && color !== range?.color;
  if (!findWater) return { uniforms, turn };
  return {
    uniforms,
    turn(camera) {
      turn?.(camera);
      const water = findWater(camera, space) ?? own;
      uniforms.fogRange.value = water.range;
      uniforms.fogRangeColor.value = faded ? own.color : water.color;
      uniforms.fogLaw.value = water.law;
    },
  };
}

function compile(shader, uniforms, count, kind, sky) {
  Object.assign(shader.uniforms, uniforms);
  declare(shader, 'vertex', 'uniform mat4 fogSpace;\nvarying vec3 fogAt, fogEye, fogView;');
  replace(shader, 'vertex', '#include <project_vertex>', `$&
  vec4 fogPlace = vec4(transformed, 1.0);
  #ifdef USE_INSTANCING
    fogPlace = instanceMatrix * fogPlace;
  #endif
  fogView = mvPosition.xyz;
  fogAt = (fogSpace * modelMatrix * fogPlace).xyz;
  fogEye = (fogSpace * vec4(cameraPosition, 1.0)).xyz;`);
  const solid = 'shown = mix(min(shown, vec3(1.0)), fogValues[i].rgb, f)';
  const over = sky ? { adds: 'shown *= 1.0 - f', covers: solid, multiplies: 'shown = mix(shown, vec3(0.5), f)', solid } : { adds: 'shown *= 1.0 - f', covers: 'thin *= 1.0 - f', multiplies: '', solid };
  const volumes = count && `
    float thin = 1.0, depth = far * -fogView.z / max(length(fogView), 1e-6);
    ${sky ? 'way *= 1e4, depth *= 1e4;' : ''}
    for (int i = 0; i < ${count}; i++) {
      bool sided = dot(fogSurface[i].xyz, fogSurface[i].xyz) > 0.5;
      float eye = sided ? fogSurface[i].w - dot(fogSurface[i].xyz, fogEye) : 1.0, deep = sided ? eye - dot(fogSurface[i].xyz, way) : 1.0, part = 1.0;
      if (${sky ? 'false' : 'fogHolds(i, fogAt) && !fogFaces(i)'}) {
        if (deep < 0.0) continue;
        if (eye < 0.0) part = deep / (deep - eye);
      } else {
        if (${sky || kind === 'solid' ? 'fogVeils[i] < 0.5 || eye < 0.0 || deep >= 0.0' : 'true'}) continue; // its surface veils what is beyond
        part = eye / (eye - deep);
        if (!fogHolds(i, fogEye + way * part)) continue;
      }
      float f = sqrt(clamp(depth * part * fogValues[i].w, 0.0, 1.0));
      ${over[kind]};
    }`;
  declare(shader, 'fragment', `varying vec3 fogAt, fogEye, fogView;
uniform bool fogOn;
uniform vec4 fogRange;
uniform vec3 fogRangeColor;
uniform vec4 fogLaw;
${count ? `uniform vec3 fogLow[${count}], fogHigh[${count}];
uniform vec4 fogValues[${count}], fogSurface[${count}];
uniform float fogVeils[${count}];
bool fogHolds(int i, vec3 p) { return all(greaterThanEqual(p, fogLow[i])) && all(lessThanEqual(p, fogHigh[i])); }
bool fogFaces(int i) { // a side of the fog, seen from outside, has none
  return any(lessThan(max(fogAt - fogLow[i] - ${FOG_SIDE}, fogEye - fogLow[i]), vec3(0.0))) || any(greaterThan(min(fogAt - fogHigh[i] + ${FOG_SIDE}, fogEye - fogHigh[i]), vec3(0.0)));
}` : ''}
${curves('fog')}`);
  replace(shader, 'fragment', '#include <opaque_fragment>', `if (fogOn) {
    vec3 way = fogAt - fogEye, shown = fogEncode(outgoingLight);
    float far = length(way);
    ${sky ? 'shown = mix(shown, fogEncode(fogRangeColor), fogLaw.w);' : `if (fogRange.w > 0.0) {
      float d = fogRange.w > 1.0 ? far : -fogView.z, f = min(clamp((d - fogRange.x) * fogRange.y, 0.0, 1.0), fogRange.z);
      if (fogLaw.x > 0.0) shown = mix(shown, fogEncode(fogRangeColor), fogRange.z * (1.0 - exp(-pow(max(min(d, fogLaw.z) - fogRange.x, 0.0) * fogLaw.x, fogLaw.y))));
      else shown = fogEncode(mix(outgoingLight, fogRangeColor, f * f));
    }`}
    ${volumes || ''}
    outgoingLight = fogDecode(shown);
    ${count ? 'diffuseColor.a *= thin;' : ''}
  }
  $&`);
}
