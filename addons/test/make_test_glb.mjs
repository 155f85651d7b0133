// usage: node make_test_glb.mjs OUTDIR
// Writes test.glb: a wall of tiles in front of a camera, where each tile is a case of a lit material. test.json has the expected
// colours at pixels of a 640 × 360 picture from that camera:
//  samples: base colour × lightmap × intensity + emission
//  display: docs/internals/light.md, for light that is multiplied in display space
//  shaded: what only our viewers show, detail textures and a fog volume
//  filtered: between texels
//  turned: light with a direction
//  ranged: distance fog, in range.glb
//  mirrored: environment maps, and materials that multiply what is behind them, in mirror.glb
//  veiled: with the camera in fog whose surface it sees, in inside.glb
//  acted: what moves (docs/internals/motion.md), in movements.glb: at rest, after a second ("start"), and a second after the door opened,
//         too ("open")
import fs from 'node:fs';
import path from 'node:path';
import { png } from './png.mjs';

const WIDTH = 640, HEIGHT = 360;
const DISTANCE = 2, PIXELS_PER_METRE = HEIGHT / (2 * DISTANCE); // the camera's vertical angle is 90 degrees

const toLinear = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
const toSRGB = (v) => Math.round(255 * (v <= 0.0031308 ? v * 12.92 : 1.055 * Math.min(v, 1) ** (1 / 2.4) - 0.055));
const encode = (v) => v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055;
const toLinearRGB = (c) => c.slice(0, 3).map(toLinear);

// The images. Each luxel and texel is a block of 4 × 4 pixels, so filtering changes nothing at its centre. The base's alpha has no
// meaning, because no material that uses it asks for alpha.
const BASE = [[[200, 120, 60, 255], [90, 160, 220, 128]], [[240, 240, 240, 64], [120, 90, 150, 32]]];
const MASK = [[[220, 200, 40, 160], [220, 200, 40, 100]], [[220, 200, 40, 160], [220, 200, 40, 100]]]; // around the cutoff, 127.5
const GLOW = [[[90, 0, 0, 255], [0, 0, 0, 255]], [[0, 0, 0, 255], [0, 60, 90, 255]]];
const LUXELS = [
  [[255, 0, 255, 255], [255, 0, 255, 255], [255, 0, 255, 255], [255, 0, 255, 255]], // belongs to no tile
  [[255, 0, 255, 255], [180, 150, 120, 255], [60, 80, 110, 255], [255, 0, 255, 255]],
  [[255, 0, 255, 255], [20, 20, 20, 255], [140, 140, 140, 255], [255, 0, 255, 255]],
  [[255, 0, 255, 255], [255, 0, 255, 255], [255, 0, 255, 255], [255, 0, 255, 255]],
];
const BLOCK = [0.25, 0.25, 0.5]; // u, v and size of the four luxels in the atlas
const SKY = [40, 90, 140, 255];

const json = {
  asset: { version: '2.0', generator: 'bsp2gltf add-on test' },
  extensionsUsed: ['MOZ_lightmap', 'KHR_materials_unlit', 'KHR_materials_specular', 'KHR_lights_punctual'],
  extensions: { KHR_lights_punctual: { lights: [{ type: 'point', name: 'light', intensity: 500, color: [1, 0.5, 0.2] }] } },
  scene: 0, scenes: [{ name: 'test', nodes: [] }],
  nodes: [], meshes: [], materials: [], textures: [], images: [], accessors: [], bufferViews: [], buffers: [],
  samplers: [{ magFilter: 9729, minFilter: 9729, wrapS: 33071, wrapT: 33071 }],
  cameras: [{ type: 'perspective', perspective: { yfov: Math.PI / 2, aspectRatio: WIDTH / HEIGHT, znear: 0.05, zfar: 100 } }],
};
const parts = [];
let length = 0;

function view(data, extra = {}) {
  const padding = -length & 3;
  parts.push(Buffer.alloc(padding), data);
  length += padding;
  json.bufferViews.push({ buffer: 0, byteOffset: length, byteLength: data.length, ...extra });
  length += data.length;
  return json.bufferViews.length - 1;
}

function texture(name, rows) {
  json.images.push({ name, mimeType: 'image/png', bufferView: view(png(rows, 4)) });
  json.textures.push({ source: json.images.length - 1, sampler: 0 });
  return json.textures.length - 1;
}

function accessor(values, type, bounds = false) {
  const components = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 }[type];
  const a = { bufferView: view(Buffer.from(new Float32Array(values).buffer), { target: 34962 }), componentType: 5126,
    count: values.length / components, type };
  if (bounds) {
    a.min = [0, 1, 2].map((i) => Math.min(...values.filter((_, k) => k % 3 === i)));
    a.max = [0, 1, 2].map((i) => Math.max(...values.filter((_, k) => k % 3 === i)));
  }
  json.accessors.push(a);
  return json.accessors.length - 1;
}

function node(n) {
  json.nodes.push(n);
  json.scenes[0].nodes.push(json.nodes.length - 1);
}

// square adds a mesh of one square around x, y, z that faces the camera. Its corners start at the lower left.
function square(name, x, y, z, half, material, { uv0 = [0, 0, 1], uv1, colour, reflection, bone } = {}) {
  const rect = ([u, v, s]) => [u, v + s, u + s, v + s, u + s, v, u, v];
  const attributes = {
    POSITION: accessor([x - half, y - half, z, x + half, y - half, z, x + half, y + half, z, x - half, y + half, z], 'VEC3', true),
    NORMAL: accessor([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1], 'VEC3'),
    TEXCOORD_0: accessor(rect(uv0), 'VEC2'),
  };
  if (material.normalTexture) attributes.TANGENT = accessor([1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1], 'VEC4');
  if (uv1) attributes.TEXCOORD_1 = accessor(rect(uv1), 'VEC2');
  if (colour) attributes.COLOR_0 = accessor([colour, colour, colour, colour].flat(), 'VEC4');
  if (reflection) attributes._ENVIRONMENT = accessor(reflection.flat(), 'VEC4');
  if (bone) attributes._CHROME = accessor([bone, bone, bone, bone].flat(), 'VEC3');
  const indices = { bufferView: view(Buffer.from(new Uint16Array([0, 1, 2, 0, 2, 3]).buffer), { target: 34963 }),
    componentType: 5123, count: 6, type: 'SCALAR' };
  json.accessors.push(indices);
  json.materials.push({ name, ...material });
  json.meshes.push({ name, primitives: [{ attributes, indices: json.accessors.length - 1, material: json.materials.length - 1 }] });
  return json.meshes.length - 1;
}

const base = texture('base', BASE), mask = texture('mask', MASK), glow = texture('glow', GLOW), atlas = texture('atlas', LUXELS);
const pbr = (p) => ({ pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 1, ...p } });
const lightmap = (more) => ({ extensions: { MOZ_lightmap: { index: atlas, texCoord: 1, ...more } } });
const unlit = { extensions: { KHR_materials_unlit: {} } };

// Each case states the expected colour of its quarters by [column, row] of 2 × 2 from the upper left.
const luxel = (c, r) => toLinearRGB(LUXELS[1 + r][1 + c]);
const times = (...colours) => colours.reduce((a, b) => a.map((v, i) => v * b[i]));
const scale = (c, f) => c.map((v) => v * f);
const plus = (a, b) => a.map((v, i) => v + b[i]);
const texel = (rows, c, r) => toLinearRGB(rows[r][c]);
const FACTOR = [0.5, 0.25, 1], VERTEX = [0.8, 0.4, 0.2], GLOW_FACTOR = [1, 0.5, 0.5];
const cases = [
  { name: 'texture', material: { ...pbr({ baseColorTexture: { index: base } }), ...lightmap({ intensity: 2 }) }, uv1: BLOCK,
    want: (c, r) => scale(times(texel(BASE, c, r), luxel(c, r)), 2) },
  { name: 'factor', material: { ...pbr({ baseColorFactor: [...FACTOR, 1] }), ...lightmap({ intensity: 1.5 }) }, uv1: BLOCK,
    want: (c, r) => scale(times(FACTOR, luxel(c, r)), 1.5) },
  { name: 'texture_factor_no_intensity', material: { ...pbr({ baseColorTexture: { index: base }, baseColorFactor: [...FACTOR, 1] }), ...lightmap() },
    uv1: BLOCK, want: (c, r) => times(texel(BASE, c, r), FACTOR, luxel(c, r)) },
  { name: 'emission', material: { ...pbr({ baseColorTexture: { index: base } }), emissiveTexture: { index: glow }, emissiveFactor: GLOW_FACTOR, ...lightmap({ intensity: 1 }) },
    uv1: BLOCK, want: (c, r) => plus(times(texel(BASE, c, r), luxel(c, r)), times(texel(GLOW, c, r), GLOW_FACTOR)) },
  { name: 'emission_factor', material: { ...pbr({ baseColorTexture: { index: base } }), emissiveFactor: [0.1, 0.1, 0.3], ...lightmap({ intensity: 1 }) },
    uv1: BLOCK, want: (c, r) => plus(times(texel(BASE, c, r), luxel(c, r)), [0.1, 0.1, 0.3]) },
  { name: 'mask', material: { ...pbr({ baseColorTexture: { index: mask } }), alphaMode: 'MASK', ...lightmap({ intensity: 4 }) }, uv1: BLOCK,
    want: (c, r) => c === 1 ? toLinearRGB(SKY) : scale(times(texel(MASK, c, r), luxel(c, r)), 4) },
  { name: 'blend', material: { ...pbr({ baseColorFactor: [1, 1, 1, 0.5] }), alphaMode: 'BLEND', ...lightmap({ intensity: 1 }) }, uv1: BLOCK,
    want: (c, r) => plus(scale(luxel(c, r), 0.5), scale(toLinearRGB(SKY), 0.5)), lenient: 'webgl blends in sRGB' },
  { name: 'unlit', material: { ...pbr({ baseColorTexture: { index: base } }), ...unlit }, want: (c, r) => texel(BASE, c, r), same: true },
  { name: 'vertex_light', material: { ...pbr({ baseColorTexture: { index: base } }), ...unlit }, colour: [...VERTEX, 1],
    want: (c, r) => times(texel(BASE, c, r), VERTEX), same: true },
  { name: 'no_uv1', material: { ...pbr({ baseColorTexture: { index: base } }), ...lightmap({ intensity: 0.5 }) },
    want: (c, r) => texel(BASE, c, r), same: true },
  // A mirror: it would reflect everything, and has no diffuse colour.
  { name: 'mirror', material: { pbrMetallicRoughness: { baseColorTexture: { index: base }, metallicFactor: 0.5, roughnessFactor: 0.25 },
    extensions: { KHR_materials_specular: { specularColorFactor: [25, 25, 25] }, ...lightmap({ intensity: 2 }).extensions } }, uv1: BLOCK,
    want: (c, r) => scale(times(texel(BASE, c, r), luxel(c, r)), 2) },
  // A prop brighter than white: its light is at the vertices, and the lightmap is white with an intensity.
  { name: 'bright_vertices', material: { ...pbr({ baseColorTexture: { index: base } }), ...lightmap({ intensity: 2 }) }, uv1: BLOCK,
    colour: [...VERTEX, 1], want: (c, r) => scale(times(texel(BASE, c, r), VERTEX, luxel(c, r)), 2) },
];

// Light with a display curve (docs/internals/light.md): the result is texture^exponent × light + emission, in display space.
const shown = ({ albedo, exponent, gain = 1, emission = [1, 1, 1] }, intensity, light, texture, glow = [0, 0, 0]) => light.map((v, k) => {
  const l = gain * encode(v * intensity / gain ** 2.2 * toLinear(255 * albedo)) / albedo ** exponent;
  return toLinear(255 * Math.min(encode(texture[k]) ** exponent * l + encode(glow[k]) * emission[k], 1));
});
const QUAKE3 = { albedo: 0.35, exponent: 1 }, GOLDSRC = { albedo: 0.35, exponent: 0.8 }, DOUBLED = { albedo: 0.5, exponent: 1, gain: 2, emission: [0.9, 0.8, 0.7] };
const BRIGHTER = 1.5;
const bent = (intensity, display) => lightmap({ intensity, extras: { display } });
cases.push(
  { name: 'display', material: { ...pbr({ baseColorTexture: { index: base } }), ...bent(2, QUAKE3) }, uv1: BLOCK, display: true,
    want: (c, r) => shown(QUAKE3, 2, luxel(c, r), texel(BASE, c, r)) },
  { name: 'display_exponent', material: { ...pbr({ baseColorTexture: { index: base } }), ...bent(1.5, GOLDSRC) }, uv1: BLOCK, display: true,
    want: (c, r) => shown(GOLDSRC, 1.5, luxel(c, r), texel(BASE, c, r)) },
  { name: 'display_gain_emission', material: { ...pbr({ baseColorTexture: { index: base } }), emissiveTexture: { index: glow }, emissiveFactor: GLOW_FACTOR, ...bent(4.6, DOUBLED) },
    uv1: BLOCK, display: true, want: (c, r) => shown(DOUBLED, 4.6, luxel(c, r), texel(BASE, c, r), times(texel(GLOW, c, r), GLOW_FACTOR)) },
  { name: 'display_mask', material: { ...pbr({ baseColorTexture: { index: mask }, baseColorFactor: [...FACTOR, 1] }), alphaMode: 'MASK', ...bent(4, QUAKE3) }, uv1: BLOCK, display: true,
    want: (c, r) => c === 1 ? toLinearRGB(SKY) : shown(QUAKE3, 4, luxel(c, r), times(texel(MASK, c, r), FACTOR)) },
  // The file's texture is brighter than the game's, and its light darker.
  { name: 'display_vertices', material: { ...pbr({ baseColorTexture: { index: base } }), extensions: { KHR_materials_unlit: { extras: { display: { ...QUAKE3, texture: BRIGHTER } } } } },
    colour: [...VERTEX, 1], display: true, want: (c, r) => shown(QUAKE3, BRIGHTER, VERTEX, scale(texel(BASE, c, r), 1 / BRIGHTER)) },
);

// Moving materials (docs/internals/readers.md): at rest, and "moved" half a second later.
const moving = (motion) => ({ extras: { motion } });
cases.push(
  // The mesh's coordinates are scaled by a half already: half a second moves the texture half its width to the left.
  { name: 'scroll', material: { ...pbr({ baseColorTexture: { index: base } }), ...unlit, ...moving({ rest: [0.5, 0, 0, 0, 0.5, 0], base: [['scale', 0.5, 0.5], ['scroll', 1, 0]] }) },
    uv0: [0, 0, 0.5], want: (c, r) => texel(BASE, Math.floor(c / 2), Math.floor(r / 2)), moved: (c, r) => texel(BASE, 1, 0), same: true },
  { name: 'display_wave', material: { ...pbr({ baseColorTexture: { index: base } }), ...bent(1, QUAKE3), ...moving({ color: ['square', 0.5, 0.25, 0, 1], color_rest: 0.75 }) }, uv1: BLOCK,
    display: true, want: (c, r) => shown(QUAKE3, 1, luxel(c, r), texel(BASE, c, r)), moved: (c, r) => shown(QUAKE3, 1, luxel(c, r), toLinearRGB(BASE[r][c].map((v) => v / 3))) },
);

// Effects in the shaders of our viewers: a detail texture of twice the density, and a fog volume (below).
const DETAIL = [[[255, 128, 64, 255], [128, 128, 128, 255]], [[64, 200, 255, 255], [100, 100, 100, 255]]], detail = texture('detail', DETAIL);
json.textures[detail].sampler = json.samplers.push({ magFilter: 9729, minFilter: 9729 }) - 1; // repeats
const FOG = { low: [2.4, -1.9, 0], high: [3.7, -0.5, 0.3], opaque: 2, rgb: [180, 40, 60] };
cases.push(
  { name: 'details', material: { ...pbr({ baseColorTexture: { index: base } }), ...bent(2, QUAKE3), extras: { details: [{ texture: detail, transform: [2, 0, 0.25, 0, 2, 0.25] }, { texture: detail, transform: [0, 0, 0.25, 0, 0, 0.75] }] } }, uv1: BLOCK, list: 'shaded',
    // At the middle of each quarter the finer texture has the same texel, [0.75, 0.75].
    want: (c, r) => shown(QUAKE3, 2, luxel(c, r), texel(BASE, c, r)).map((v, k) => toLinear(255 * Math.min(encode(v), 1) * 2 * DETAIL[1][1][k] / 255 * 2 * DETAIL[1][0][k] / 255)) },
  { name: 'fog', material: { ...pbr({ baseColorTexture: { index: base } }), ...bent(2, QUAKE3) }, uv1: BLOCK, list: 'shaded',
    want: (c, r) => shown(QUAKE3, 2, luxel(c, r), texel(BASE, c, r)) },
);

// A detail texture over a base, by its mode, instead of the base colour texture. Its texels are those of the other column.
const OVER = [[[200, 90, 40, 255], [60, 160, 220, 100]], [[120, 240, 80, 30], [230, 30, 150, 180]]], overlaid = texture('over', OVER);
json.textures[overlaid].sampler = json.textures[detail].sampler;
const blend = (a, b, t) => a.map((v, k) => v + (b[k] - v) * t);
const MODES = {
  0: (b, d, f) => times(b, blend([1, 1, 1], scale(d, 2), f)), 1: (b, d, f) => plus(b, scale(d, f)), 2: (b, d, f, ba, da) => blend(b, d, f * da), 3: blend,
  4: (b, d, f, ba) => blend(b, d, f * (1 - ba)), 7: (b, d, f, ba, da) => scale(b, 1 + (2 * (d[0] + (da - d[0]) * ba) - 1) * f),
  8: (b, d, f) => blend(b, times(b, d), f), 11: (b, d) => scale(b, (d[0] + d[1] + d[2]) * 2 / 3),
};
Object.entries(MODES).forEach(([mode, mixed], i) => {
  const tint = [0.9, 0.6, 1], srgb = i % 2 === 1, lit = i < 6;
  const want = (c, r) => {
    const [b, d] = [BASE[r][c], OVER[r][1 - c]], over = times(srgb ? toLinearRGB(d) : d.slice(0, 3).map((v) => v / 255), tint);
    return times(mixed(toLinearRGB(b), over, 0.7, b[3] / 255, d[3] / 255), FACTOR, lit ? luxel(c, r) : VERTEX);
  };
  cases.push({ name: `details ${mode}`, material: { ...pbr({ baseColorTexture: { index: glow }, baseColorFactor: [...FACTOR, 1] }), ...(lit ? lightmap() : unlit),
    extras: { details: [{ texture: overlaid, transform: [1, 0, 0.5, 0, 1, 0], base, mode: Number(mode), factor: 0.7, tint, ...(srgb ? { srgb } : {}) }] } },
  ...(lit ? { uv1: BLOCK } : { colour: [...VERTEX, 1] }), at: [i < 1 ? -2.8 : -1.9 + 0.6 * i, 1.78, 0.18], list: 'shaded', want });
});

// A sphere map: from the eye at (0, 0, 2) to the bone f is (-0.77, 0.43, -0.48), so d is (0, -0.74, -0.67) and n·r is -0.57; the first
// texel is at (0.22, 0.17).
cases.push({ name: 'chrome', material: { ...pbr({ baseColorTexture: { index: base } }), extensions: { KHR_materials_unlit: { extras: { display: QUAKE3 } } }, extras: { chrome: [0.5, 0.5] } },
  colour: [...VERTEX, 1], at: [-3.2, 1.8, 0.18], bone: [-3.2, 1.8, 0], list: 'shaded', want: () => shown(QUAKE3, 1, VERTEX, texel(BASE, 0, 0)) });

// Vertex light that exceeds white is the vertices' colour divided by their alpha: here twice the colour.
[['bright', { extras: { display: QUAKE3 } }, -1.65, (light, lit) => shown(QUAKE3, 1, light, lit)], ['bright, linear', {}, -1, times]].forEach(([name, unlitAs, x, mixed]) => cases.push({
  name, material: { ...pbr({ baseColorTexture: { index: base } }), extensions: { KHR_materials_unlit: unlitAs }, extras: { over_alpha: true } },
  colour: [...VERTEX, 0.5], at: [x, 1.8, 0.11], list: 'shaded', want: (c, r) => mixed(scale(VERTEX, 2), texel(BASE, c, r)),
}));

// Two very different texels, between which the game filters in display space.
const STEEP = [30, 230];
json.images.push({ name: 'steep', mimeType: 'image/png', bufferView: view(png([STEEP.map((v) => [v, v, v, 255])], 1)) });
const steep = json.textures.push({ source: json.images.length - 1, sampler: 0 }) - 1, between = (c) => new Array(3).fill(toLinear(STEEP[0] + (c ? 0.55 : 0.45) * (STEEP[1] - STEEP[0])));
cases.push({ name: 'filtered', material: { ...pbr({ baseColorTexture: { index: steep } }), ...bent(2, QUAKE3) }, uv0: [0.45, 0.45, 0.1], uv1: BLOCK, at: [-2, 1.8, 0.18], list: 'filtered', want: (c, r) => shown(QUAKE3, 2, luxel(c, r), between(c)) });

// Light with a direction (docs/internals/light.md) on a normal map: straight, slanted, along the surface, and from behind it.
const AHEAD = [255, 0, 255, 255], AMBIENT = 0.0625;
const TOWARD = [[AHEAD, AHEAD, AHEAD, AHEAD], [AHEAD, [128, 1, 128, 255], [210, 60, 190, 255], AHEAD],
  [AHEAD, [250, 110, 140, 255], [40, 50, 90, 255], AHEAD], [AHEAD, AHEAD, AHEAD, AHEAD]];
const SLOPES = [[[128, 128, 255, 255], [180, 150, 230, 255]], [[200, 128, 220, 255], [220, 200, 180, 255]]];
const SHINES = [[[200, 100, 60, 20], [90, 90, 200, 80]], [[255, 255, 255, 8], [160, 220, 90, 255]]];
const toward = texture('toward', TOWARD), slopes = texture('slopes', SLOPES), shines = texture('shines', SHINES);
const dot = (a, b) => a.reduce((sum, v, k) => sum + v * b[k], 0), unit = (v) => scale(v, 1 / Math.hypot(...v));
const directed = (name, x, y, normal, gloss) => cases.push({
  name, uv1: BLOCK, at: [x, y, 0.18], list: 'directed',
  material: {
    ...pbr({ baseColorTexture: { index: base } }), ...bent(2, QUAKE3), ...(normal ? { normalTexture: { index: slopes } } : {}),
    extras: { directed: { texture: toward, ambient: AMBIENT, ...(gloss ? { gloss: shines } : {}) } },
  },
  want: (c, r) => {
    const [red, green, blue] = TOWARD[1 + r][1 + c].map((v) => v / 127.5 - 1), d = unit([red, blue, -green]);
    const m = normal ? unit(SLOPES[r][c].slice(0, 3).map((v) => v / 255 - 0.5)) : [0, 0, 1], g = SHINES[r][c];
    const h = unit(plus(d, unit([-x - (c - 0.5) * 0.18, -y - (0.5 - r) * 0.18, DISTANCE])));
    const shine = gloss ? Math.max(dot(m, h), 0) ** (1 + 31 * g[3] / 255) : 0;
    return luxel(c, r).map((v, k) => {
      const o = Math.max(encode(v * 2 * toLinear(255 * 0.35)) / 0.35 - AMBIENT, 0) / Math.max(d[2], 0.25);
      return toLinear(255 * Math.min(BASE[r][c][k] / 255 * (AMBIENT + o * Math.max(dot(m, d), 0)) + g[k] / 255 * shine * o, 1));
    });
  },
});
directed('directed', -2.4, 1.8, false, false);
directed('directed slopes', 2.9, 1.8, true, false);
directed('directed gloss', 3.3, 1.8, true, true);

// fogged returns a display value behind fog: metres of depth in the fog, as a fraction of the depth at which fog is opaque.
const fogged = (rgb, metres) => rgb.map((v, k) => v + (FOG.rgb[k] - v) * Math.sqrt(Math.min(metres / FOG.opaque, 1)));

const samples = [], display = [], moved = [], shaded = [], filtered = [], turned = [], lists = { shaded, filtered, directed: turned };
cases.forEach((test, i) => {
  const [x, y, half] = test.at ?? [i % 7 - 3, (1 - Math.floor(i / 7)) * 1.15, 0.45];
  node({ name: test.name, mesh: square(test.name, x, y, 0, half, test.material, test) });
  for (const [c, r] of [[0, 0], [1, 0], [0, 1], [1, 1]]) {
    const px = x + (c - 0.5) * half, py = y + (0.5 - r) * half, list = lists[test.list] ?? (test.display ? display : samples);
    list.push({ name: `${test.name} ${c},${r}`, x: Math.round(WIDTH / 2 + px * PIXELS_PER_METRE),
      y: Math.round(HEIGHT / 2 - py * PIXELS_PER_METRE), rgb: test.want(c, r).map(toSRGB), distance: Math.hypot(px, py, DISTANCE),
      lit: !test.same && !(test.name.endsWith('mask') && c === 1), lenient: test.lenient });
    if (test.moved) moved.push({ ...list.at(-1), rgb: test.moved(c, r).map(toSRGB) });
    if (test.name === 'fog') Object.assign(list.at(-1), { clear: list.at(-1).rgb, rgb: fogged(list.at(-1).rgb, 0.15 * DISTANCE) }); // 0.3 of the 2 metres along z
  }
});
json.extensions.KHR_lights_punctual.lights[0].range = 10;
node({ name: 'light', translation: [0, 0, 0.5], extensions: { KHR_lights_punctual: { light: 0 } } });
node({ name: 'camera', translation: [0, 0, DISTANCE], camera: 0 });
node({ name: 'info_player_start', translation: [1, 0, 1], extras: { classname: 'info_player_start', angles: '0 90 0', spawnflags: 1, enabled: true, OnUse: 'door,Open,,0,-1' } });
node({ name: 'sky', mesh: square('sky', 0, 0, -3, 20, { ...pbr({ baseColorFactor: [...toLinearRGB(SKY), 1] }), ...unlit, extras: { bsp2gltf_sky: true } }), extras: { bsp2gltf_sky: true } });
const [red, green, blue] = toLinearRGB(FOG.rgb);
node({ name: 'fog_0', translation: FOG.low.map((v, i) => (v + FOG.high[i]) / 2), scale: FOG.low.map((v, i) => FOG.high[i] - v),
  extras: { bsp2gltf_fog: true, color_r: red, color_g: green, color_b: blue, opaque_metres: FOG.opaque,
    surface_x: 0, surface_y: 0, surface_z: 1, surface_metres: FOG.high[2], surface_fogged: true } });
// Seen from outside, the far side of a fog volume has no fog on it, whichever side is open: here a side far to the right.
const [faceX, faceY] = [cases.findIndex((c) => c.name === 'details')].flatMap((i) => [i % 7 - 3, (1 - Math.floor(i / 7)) * 1.15]);
node({ name: 'fog_side', translation: [faceX, faceY, -0.5], scale: [0.96, 0.96, 1],
  extras: { bsp2gltf_fog: true, color_r: red, color_g: green, color_b: blue, opaque_metres: FOG.opaque,
    surface_x: 1, surface_y: 0, surface_z: 0, surface_metres: 10, surface_fogged: false } });
// The layer that replaces the fog in viewers that don't shade it; those that do must hide it.
node({ name: 'fog layer', mesh: square('fog layer', 3, -1.15, 0.05, 0.45, { ...pbr({ baseColorFactor: [0, 1, 0, 0.5] }), ...unlit, alphaMode: 'BLEND', extras: { bsp2gltf_fog: true } }) });
samples.push({ name: 'sky', x: 365, y: 180, rgb: SKY.slice(0, 3), lit: false });

// Distance fog, as in Source, in a second file: the sky has none, and the 3D skybox has its own. All tiles are 2 metres from the
// camera's plane. The fog's fraction there is a half, so a quarter of the result is fog, in linear light. Viewers may clip light at
// white before or after fog. Both fogs have a second colour for looking against a direction. The camera looks along -Z: a cosine of
// 0.8, or nine tenths of the first colour, and -0.6.
const mixedFog = ({ first, second, direction, ...fog }) => ({ ...fog, first, second, direction, rgb: first.map((v, k) => second[k] + (v - second[k]) * (0.5 - 0.5 * direction[2])) });
const RANGE = mixedFog({ start: 1, end: 3, density: 0.8, first: [40, 200, 90], second: [140, 0, 250], direction: [0, 0.6, -0.8] });
const BOX = mixedFog({ start: 0, end: 1, density: 0.6, first: [20, 230, 10], second: [220, 30, 110], direction: [-0.8, 0, 0.6] });
const inRange = ({ start, end, density, rgb }, seen) => {
  const part = Math.min(Math.max((DISTANCE - start) / (end - start), 0), density) ** 2;
  return seen.map((v, k) => toSRGB(toLinear(v) + (toLinear(rgb[k]) - toLinear(v)) * part));
};
const ranged = [...[...display, ...samples].filter((d) => d.lit && !d.lenient && Math.max(...d.rgb) < 255).map((d) => ({ ...d, seen: d.rgb, rgb: inRange(RANGE, d.rgb) })), samples.at(-1)];
// A tile of the 3D skybox has the mesh and the material of a tile of the map, at a fifth of its size.
const boxed = { size: 0.2, x: 0, y: 0.575 };
for (const [k, [c, r]] of [[0, 0], [1, 0], [0, 1], [1, 1]].entries()) {
  ranged.push({ name: `box ${c},${r}`, x: Math.round(WIDTH / 2 + (boxed.x + (c - 0.5) * 0.45 * boxed.size) * PIXELS_PER_METRE),
    y: Math.round(HEIGHT / 2 - (boxed.y + (0.5 - r) * 0.45 * boxed.size) * PIXELS_PER_METRE), rgb: inRange(BOX, display[k].rgb), clear: display[k].rgb });
}

// Fog of DarkPlaces and other engines of Quake, in a file of its own: exponential in display space, up to its end at 1.9 metres from
// the camera's plane. It covers a part of the sky.
const HAZE = { start: 0.5, end: 1.9, density: 0.9, thickness: 0.7, power: 2, sky: 0.3, rgb: [90, 60, 200] };
const inHaze = (seen, part) => seen.map((v, k) => v + (HAZE.rgb[k] - v) * part), HAZY = HAZE.density * (1 - Math.exp(-(((HAZE.end - HAZE.start) * HAZE.thickness) ** HAZE.power)));
const hazed = [...ranged.filter((d) => d.seen).map((d) => ({ ...d, rgb: inHaze(d.seen, HAZY) })), { ...samples.at(-1), rgb: inHaze(SKY.slice(0, 3), HAZE.sky) }];

const outdir = process.argv[2];
if (!outdir) {
  console.error('usage: node make_test_glb.mjs OUTDIR');
  process.exit(2);
}
json.buffers.push({ byteLength: length });
fs.mkdirSync(outdir, { recursive: true });
write('test.glb');
const fogOf = ({ rgb, first = rgb, second, direction, ...fog }) => ({ ...fog, color: toLinearRGB(first), ...(second && { second: { color: toLinearRGB(second), direction } }) }), original = cases.findIndex((c) => c.name === 'display');
json.scenes[0].extras = { bsp2gltf_range_fog: fogOf(HAZE) };
write('haze.glb');
json.scenes[0].extras = { bsp2gltf_range_fog: fogOf(RANGE) };
node({ name: 'skybox_3d', scale: [4, 4, 4], extras: { bsp2gltf_skybox_3d: true, scale: 4, bsp2gltf_range_fog: fogOf(BOX) }, children: [json.nodes.length + 1] });
json.nodes.push({ name: 'box', mesh: json.nodes.find((n) => n.name === 'display').mesh, scale: [boxed.size / 4, boxed.size / 4, boxed.size / 4],
  translation: [(boxed.x - boxed.size * (original % 7 - 3)) / 4, (boxed.y - boxed.size * (1 - Math.floor(original / 7)) * 1.15) / 4, 0] });
write('range.glb');
// Fog is not exposed, and the exposed colour may be clipped at white before or after fog.
const EXPOSURE = 1.5, exposedTo = (d) => d.rgb.map((v) => toSRGB(Math.min(EXPOSURE * toLinear(v), 1)));
const exposed = samples.filter((d) => d.lit && !d.lenient && Math.max(...d.rgb) < 200).map((d) => ({ ...d, clear: inRange(RANGE, d.rgb), rgb: inRange(RANGE, exposedTo(d)) }));
json.scenes[0].extras.bsp2gltf_exposure = EXPOSURE;
write('exposure.glb');
// The display's gamma brightens everything, including fog and sky.
const GAMMA = 1.5, brightened = hazed.filter((d) => !/blend/.test(d.name)).map((d) => ({ ...d, rgb: d.rgb.map((v) => 255 * (v / 255) ** (1 / GAMMA)) }));
json.scenes[0].extras = { bsp2gltf_range_fog: fogOf(HAZE), bsp2gltf_gamma: GAMMA };
write('gamma.glb');
// The camera is in water: the water's fog replaces the scene's, and covers all of the sky. Fog of water below the camera must not show.
const DIP = { start: 1, end: 3, density: 0.7, sky: 1, rgb: [10, 90, 120] }, waters = [['below', [-9, -9, -9, 9, 9, DISTANCE - 0.1], { ...DIP, rgb: [255, 0, 0] }], ['around', [-9, -9, DISTANCE - 0.1, 9, 9, 9], DIP]];
json.scenes[0].extras = { bsp2gltf_range_fog: fogOf(HAZE) };
for (const [name, box, fog] of waters) node({ name, extras: { bsp2gltf_water: true, boxes: [[20, 20, 20, 21, 21, 21], box], bsp2gltf_range_fog: fogOf(fog) } });
const dipped = ranged.filter((d) => d.seen).map((d) => ({ ...d, rgb: inRange(DIP, d.seen) })).concat({ ...samples.at(-1), rgb: DIP.rgb });
write('dip.glb');
for (const { name, extras } of json.nodes) if (name === 'below' || name === 'around') extras.boxes = [];
// The camera is in a fog whose open side is halfway to the tiles: it covers them and the sky by the metre of depth before that side.
delete json.scenes[0].extras;
const veil = { ...json.nodes.find((n) => n.name === 'fog_0'), name: 'fog_1', translation: [0, 0, 3], scale: [40, 40, 4] };
veil.extras = { ...veil.extras, opaque_metres: 4, surface_z: -1, surface_metres: -1 };
node(veil);
const veiled = ranged.filter((d) => !/^box|blend|sky/.test(d.name)).concat({ ...samples.at(-1), seen: SKY }).map((d) => ({ ...d, rgb: d.seen.slice(0, 3).map((v, k) => v + (FOG.rgb[k] - v) * 0.5) }));
write('inside.glb');


// Environment maps (docs/internals/readers.md) of one row of texels, in a third file: the two tiles face +Z, toward the camera.
const AROUND = [[[250, 40, 90, 255], [10, 200, 30, 255]]], SHARE = [[[255, 255, 255, 255], [102, 102, 102, 255]], [[0, 0, 0, 255], [255, 255, 255, 255]]];
const around = texture('around', AROUND), share = texture('share', SHARE), own = texture('own', BASE), half = 0.45, mirrored = [];
const ROWS = [0, 3, -1.6, 0, 0, 0.5], TINTS = [[1, 0.5, 0, 1], [0.2, 0.5, 1, 1], [1, 1, 1, 1], [0.6, 0, 0.4, 1]];
// over returns the interpolated value of the lower left, lower right, upper right and upper left corners in the middle of a quarter.
const over = ([p, q, s, t], c, r) => {
  const a = c ? 0.75 : 0.25, b = r ? 0.25 : 0.75;
  return a >= b ? p.map((v, k) => v + a * (q[k] - v) + b * (s[k] - q[k])) : p.map((v, k) => v + a * (s[k] - t[k]) + b * (t[k] - v));
};
const reflected = (x, y, c, r) => {
  const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([u, v]) => {
    const at = [x + half * u, y + half * v], l = Math.hypot(...at, DISTANCE), seen = [0.5 - 0.5 * DISTANCE / l, 0.5 - 0.5 * at[1] / l, 1];
    return [0, 1].map((k) => seen[0] * ROWS[3 * k] + seen[1] * ROWS[3 * k + 1] + ROWS[3 * k + 2]);
  });
  const at = Math.min(Math.max(8 * over(corners, c, r)[0] - 0.5, 0), 7), low = Math.floor(at), of = (k) => AROUND[0][Math.floor(Math.min(k, 7) / 4)];
  return of(low).slice(0, 3).map((v, k) => (v + (at - low) * (of(low + 1)[k] - v)) / 255);
};
const within = (v) => v.map((x) => Math.min(Math.max(x, 0), 1));
const mirror = (name, x, y, material, options, want) => {
  node({ name, mesh: square(name, x, y, 0, half, material, options) });
  for (const [c, r] of [[0, 0], [1, 0], [0, 1], [1, 1]]) {
    mirrored.push({ name: `${name} ${c},${r}`, x: Math.round(WIDTH / 2 + (x + (c - 0.5) * half) * PIXELS_PER_METRE), y: Math.round(HEIGHT / 2 - (y + (0.5 - r) * half) * PIXELS_PER_METRE),
      rgb: want(reflected(x, y, c, r), c, r) });
  }
};
const kept = json.nodes.filter((n) => n.name === 'camera' || n.name === 'sky');
[json.nodes, json.scenes] = [[], [{ name: 'mirrors', nodes: [] }]];
kept.forEach(node);
mirror('lit', -1, 0.5, { ...pbr({ baseColorTexture: { index: base } }), ...bent(1.5, QUAKE3),
  extras: { environment: { texture: around, transform: ROWS, mean: [0.4, 0.4, 0.2], color: [0.5, 1, 0.8], vertex: true, factor: [0.9, 0.9, 0.5], factor_texture: share } } },
{ uv1: BLOCK, reflection: TINTS }, (e, c, r) => {
  const tint = over(TINTS, c, r), more = e.map((v, k) => [0.9, 0.9, 0.5][k] * SHARE[r][c][k] / 255 * (v * [0.5, 1, 0.8][k] * tint[k] - [0.4, 0.4, 0.2][k]));
  return shown(QUAKE3, 1.5, luxel(c, r), within(BASE[r][c].slice(0, 3).map((v, k) => v / 255 + more[k])).map((v) => toLinear(255 * v))).map(toSRGB);
});
mirror('after the light', 0, 0.5, { ...pbr({ baseColorTexture: { index: base } }), ...bent(1.5, QUAKE3), extras: { environment: { texture: around, transform: ROWS, mean: [0.1, 0.1, 0.1], emission: true } } },
  { uv1: BLOCK }, (e, c, r) => within(shown(QUAKE3, 1.5, luxel(c, r), texel(BASE, c, r)).map((v, k) => encode(v) + e[k] - 0.1)).map((v) => Math.round(255 * v)));
// Glass: what it adds to the background may be more than its alpha.
mirror('glass', 1, -0.5, { ...pbr({ baseColorFactor: [...toLinearRGB([128, 128, 64]), 0.4] }), ...unlit, alphaMode: 'BLEND',
  extras: { blend: 'add', environment: { texture: around, transform: ROWS, mean: [0.2, 0.2, 0.1], factor: [2.5, 2.5, 2.5] } } }, {},
(e) => within(e.map((v, k) => SKY[k] / 255 + 0.4 * ([128, 128, 64][k] / 255 + 2.5 * (v - [0.2, 0.2, 0.1][k])))).map((v) => Math.round(255 * v)));
// This surface multiplies the background by 1 + alpha · (2 · its colour - 1).
mirror('multiply', -1, -0.7, { ...pbr({ baseColorFactor: [...toLinearRGB([204, 128, 51]), 0.8] }), ...unlit, alphaMode: 'BLEND', extras: { blend: 'multiply' } }, {},
  () => [204, 128, 51].map((v, k) => Math.round(SKY[k] * (1 + 0.8 * (2 * v / 255 - 1)))));
// The same with light, from an image of its own.
mirror('behind', 1, 0.9, { ...pbr({ baseColorTexture: { index: base }, baseColorFactor: [0, 0, 0, 0.2] }), alphaMode: 'BLEND', ...bent(1.5, QUAKE3),
  extras: { blend: 'multiply', behind: { texture: own, factor: [2, 1.5, 3] } } }, { uv1: BLOCK },
(e, c, r) => luxel(c, r).map((v, k) => {
  const l = encode(v * 1.5 * toLinear(255 * 0.35)) / 0.35;
  return Math.round(Math.min(SKY[k] * Math.min([2, 1.5, 3][k] * BASE[r][c][k] / 255 * l, 2), 255));
}));
// One that multiplies the background and then adds to it.
mirror('apart', 0, -0.7, { ...pbr({ baseColorTexture: { index: base }, baseColorFactor: [1, 1, 1, 0.3] }), ...unlit, alphaMode: 'BLEND', extras: { behind: { texture: own, factor: [0.9, 1.5, 0.8] } } }, {},
  (e, c, r) => BASE[r][c].slice(0, 3).map((v, k) => Math.round(Math.min(SKY[k] * [0.9, 1.5, 0.8][k] * v / 255 + 0.3 * v * BASE[r][c][3] / 255, 255))));
json.buffers[0].byteLength = length;
write('mirror.glb');

// Movements: a platform with a lamp goes up and down by itself; a door goes up when it is opened, and is closed again.
[json.nodes, json.scenes] = [[], [{ name: 'movements', nodes: [] }]];
kept.forEach(node);
const COLORS = { leaf: [160, 60, 120], door: [200, 120, 60], lift: [90, 160, 220], lamp: [240, 220, 40] }, plain = (name) => ({ ...pbr({ baseColorFactor: [...toLinearRGB(COLORS[name]), 1] }), ...unlit });
const tile = (name, x, y, z, classname) => ({ name, translation: [x, y, z], mesh: square(name, 0, 0, 0, 0.3, plain(name)), extras: { classname } });
node(tile('door', -1, 0, 0, 'func_door'));
node(tile('leaf', -2, 0, 0, 'func_door')); // in one team with the door
node(tile('lift', 1, -1, 0, 'func_plat'));
json.nodes.push(tile('lamp', 1, 0, 0, 'light'));
json.nodes.at(-2).children = [json.nodes.length - 1];
const keys = (values, type) => {
  const at = accessor(values, type);
  if (type === 'SCALAR') Object.assign(json.accessors[at], { min: [values[0]], max: [values.at(-1)] });
  delete json.bufferViews[json.accessors[at].bufferView].target;
  return at;
};
const animation = (name, target, times, ways, extras) => ({ name, extras, channels: [{ sampler: 0, target: { node: json.nodes.findIndex((n) => n.name === target), path: 'translation' } }],
  samplers: [{ input: keys(times, 'SCALAR'), output: keys(ways.flat(), 'VEC3') }] });
const up = [[1, -1, 0], [1, 0, 0], [1, -1, 0]], way = [[-1, 0, 0], [-1, 1, 0]], beside = way.map(([, y, z]) => [-2, y, z]), team = { starts: false, loops: false, team: 'door; leaf' };
json.animations = [animation('map start', 'lift', [0, 1, 2], up, { starts: true, loops: true }), animation('door open', 'door', [0, 1], way, { node: 'door', act: 'open', ...team }),
  animation('door close', 'door', [0, 1], [...way].reverse(), { node: 'door', act: 'close', ...team }), animation('lift cycle', 'lift', [0, 1, 2], up, { node: 'lift', act: 'cycle', starts: true, loops: true }),
  animation('leaf open', 'leaf', [0, 1], beside, { node: 'leaf', act: 'open', ...team }), animation('leaf close', 'leaf', [0, 1], [...beside].reverse(), { node: 'leaf', act: 'close', ...team })];
const seenAt = (where) => [[-1, 0], [-1, 1], [-2, 0], [-2, 1], [1, -1], [1, 0], [2, -1], [2, 0]].map(([x, y]) => ({ name: `${x},${y}`, x: Math.round(WIDTH / 2 + x * PIXELS_PER_METRE), y: Math.round(HEIGHT / 2 - y * PIXELS_PER_METRE) - 8,
  rgb: COLORS[Object.keys(where).find((k) => where[k][0] === x && where[k][1] === y)] ?? SKY.slice(0, 3) }));
const acted = { rest: seenAt({ door: [-1, 0], leaf: [-2, 0], lift: [1, -1], lamp: [2, -1] }), start: seenAt({ door: [-1, 0], leaf: [-2, 0], lift: [1, 0], lamp: [2, 0] }), open: seenAt({ door: [-1, 1], leaf: [-2, 1], lift: [1, -1], lamp: [2, -1] }) };
json.buffers[0].byteLength = length;
write('movements.glb');
fs.writeFileSync(path.join(outdir, 'test.json'), JSON.stringify({ width: WIDTH, height: HEIGHT, samples, display, moved, shaded, filtered, turned, ranged, hazed, dipped, brightened, exposed, veiled, mirrored, acted }, null, 1));

function write(name) {
  const pad = (b, fill) => Buffer.concat([b, Buffer.alloc(-b.length & 3, fill)]);
  const text = pad(Buffer.from(JSON.stringify(json)), ' '), binary = pad(Buffer.concat(parts), 0);
  const head = Buffer.alloc(20), next = Buffer.alloc(8);
  head.write('glTF');
  [2, 28 + text.length + binary.length, text.length].forEach((v, k) => head.writeUInt32LE(v, 4 + 4 * k));
  head.write('JSON', 16);
  next.writeUInt32LE(binary.length);
  next.write('BIN\0', 4);
  fs.writeFileSync(path.join(outdir, name), Buffer.concat([head, text, next, binary]));
}
