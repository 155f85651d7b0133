// usage: node make_reader_glb.mjs OUTDIR
// Writes reader.gltf, with what only a viewer with all of bsp2gltf's extras shows, and reader.json: cameras, what is switched for each,
// and the colours at points of the wall z = 0, in metres. Each camera looks along -Z, with a vertical angle of 90 degrees.
import fs from 'node:fs';
import path from 'node:path';
import { png } from './png.mjs';

const RGB = {
  left: [40, 90, 140],
  right: [140, 40, 90],
  tile: [200, 120, 60],
  other: [60, 200, 120],
  night: [30, 60, 200],
  glow: [240, 220, 40],
  fine: [90, 160, 220],
  coarse: [220, 90, 160],
  first: [200, 60, 40],
  second: [40, 160, 220],
};
const toLinear = (v) => ((v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4),
  encode = (v) => (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055);
const parts = [];
let length = 0;
const json = {
  asset: { version: '2.0', generator: 'bsp2gltf add-on test' },
  extensionsUsed: ['KHR_materials_unlit', 'KHR_materials_variants', 'MSFT_lod', 'MOZ_lightmap'],
  extensions: { KHR_materials_variants: { variants: [{ name: 'night' }] } },
  scene: 0,
  scenes: [{ name: 'reader', nodes: [], extras: { bsp2gltf_unit: 1 / 32, bsp2gltf_lightmap_intensity: 2 } }],
  nodes: [],
  meshes: [],
  materials: [],
  textures: [],
  images: [],
  samplers: [{ magFilter: 9729, minFilter: 9729, wrapS: 33071, wrapT: 33071 }],
  accessors: [],
  bufferViews: [],
  buffers: [{}],
};

function view(data) {
  const padding = -length & 3;
  parts.push(Buffer.alloc(padding), data);
  json.bufferViews.push({ buffer: 0, byteOffset: length + padding, byteLength: data.length });
  length += padding + data.length;
  return json.bufferViews.length - 1;
}
function accessor(values, type) {
  const n = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 }[type],
    of = (f) => Array.from({ length: n }, (_, i) => f(...values.filter((_, k) => k % n === i)));
  return (
    json.accessors.push({
      bufferView: view(Buffer.from(new Float32Array(values).buffer)),
      componentType: 5126,
      count: values.length / n,
      type,
      min: of(Math.min),
      max: of(Math.max),
    }) - 1
  );
}
function indices(list) {
  return (
    json.accessors.push({
      bufferView: view(Buffer.from(new Uint16Array(list).buffer)),
      componentType: 5123,
      count: list.length,
      type: 'SCALAR',
    }) - 1
  );
}
const unlit = (rgb, more = {}) =>
  json.materials.push({
    pbrMetallicRoughness: { baseColorFactor: [...rgb.map(toLinear), 1] },
    extensions: { KHR_materials_unlit: {} },
    ...more,
  }) - 1;
// mesh adds squares of four corners, all with one normal.
function mesh(squares, normal, material, more = {}) {
  const corners = squares.flat(),
    uv = squares.flatMap(() => [0, 1, 1, 1, 1, 0, 0, 0]);
  const attributes = {
    POSITION: accessor(corners.flat(), 'VEC3'),
    NORMAL: accessor(
      corners.flatMap(() => normal),
      'VEC3',
    ),
    TEXCOORD_0: accessor(uv, 'VEC2'),
    TEXCOORD_1: accessor(uv, 'VEC2'),
  };
  const primitive = {
    attributes,
    indices: indices(squares.flatMap((_, i) => [0, 1, 2, 0, 2, 3].map((k) => 4 * i + k))),
    material,
    ...more,
  };
  return json.meshes.push({ primitives: [primitive] }) - 1;
}
const flat = (x, y, half, z = 0, high = half) => [
  [x - half, y - high, z],
  [x + half, y - high, z],
  [x + half, y + high, z],
  [x - half, y + high, z],
];
const edgewise = (x, y, half, high = half) => [
  [x, y - high, half],
  [x, y - high, -half],
  [x, y + high, -half],
  [x, y + high, half],
]; // seen along -X
const node = (n) => json.scenes[0].nodes.push(json.nodes.push(n) - 1);

// The sky is nearer than the wall, and its node is not at the camera: two colours that meet ahead of the camera, and behind them green,
// which must never show.
const sky = { bsp2gltf_sky: true },
  side = (x0, x1, z, rgb) =>
    mesh(
      [
        [
          [x0, -9, z],
          [x1, -9, z],
          [x1, 9, z],
          [x0, 9, z],
        ],
      ],
      [0, 0, 1],
      unlit(rgb, { extras: sky }),
    );
json.nodes.push({ mesh: side(-9, 0, -0.5, RGB.left) }, { mesh: side(0, 9, -0.5, RGB.right) });
node({ name: 'sky', translation: [0.3, 0, 1.2], extras: sky, children: [0, 1] });

// A sprite is seen from its own -X. At 64 units, the camera's distance, a glow has 64 / 200 of its size.
const sprite = (half, rgb) =>
  mesh(
    [
      [
        [0, -half, -half],
        [0, -half, half],
        [0, half, half],
        [0, half, -half],
      ],
    ],
    [-1, 0, 0],
    unlit(rgb),
  );
node({ name: 'sprite', translation: [-1.5, 1, 0], mesh: sprite(0.3, RGB.tile), extras: { bsp2gltf_sprite: true, faces_viewer: true } });
node({
  name: 'glow',
  translation: [0, 1, 0],
  mesh: sprite(0.9375, RGB.glow),
  extras: { bsp2gltf_sprite: true, faces_viewer: true, glow: true },
});
// Squares of a material that rotate one by one, about a point and about their long axis; the last also moves.
const facing = (way, more = {}) => ({ extras: { motion: { facing: way, ...more } } });
node({ name: 'squares', mesh: mesh([edgewise(1, 1, 0.2), edgewise(1.8, 1, 0.2)], [1, 0, 0], unlit(RGB.tile, facing('sprite'))) });
node({
  name: 'axis',
  mesh: mesh(
    [edgewise(-1.5, 0, 0.1, 0.4)],
    [1, 0, 0],
    unlit(RGB.other, facing('axis', { deform: [['move', 'sin', 1, 0, 0, 0, 0.5, 0, 0]] })),
  ),
});
// Switched parts: a skin, a level of detail, hidden brushes and solids.
node({
  name: 'skin',
  mesh: mesh([flat(-0.5, 0, 0.2)], [0, 0, 1], unlit(RGB.tile), {
    extensions: { KHR_materials_variants: { mappings: [{ variants: [0], material: unlit(RGB.night) }] } },
  }),
});
json.nodes.push({ name: 'prop lod 1', mesh: mesh([flat(0.5, 0, 0.2)], [0, 0, 1], unlit(RGB.coarse)) });
node({
  name: 'prop',
  mesh: mesh([flat(0.5, 0, 0.2)], [0, 0, 1], unlit(RGB.fine)),
  extensions: { MSFT_lod: { ids: [json.nodes.length - 1] } },
});
node({ name: 'trigger_hidden', mesh: mesh([flat(1.5, 0, 0.2)], [0, 0, 1], unlit(RGB.tile)), extras: { bsp2gltf_hidden: true } });
node({ name: 'solid-convcolonly', mesh: mesh([flat(1.5, 0, 0.2)], [0, 0, 1], unlit(RGB.tile)) });
node({ name: 'curve-colonly', mesh: mesh([flat(1.5, 0, 0.2)], [0, 0, 1], unlit(RGB.tile)) });

// Light of styles: in display space the light of all styles is added, in linear light it is not.
const PAGES = { lightmap_0: [120, 100, 80], lightmap_0_style_33: [60, 90, 120], lightmap_0_night: [20, 30, 90] },
  DISPLAY = { albedo: 0.35, exponent: 1 },
  GREY = [128, 160, 200];
for (const [name, rgb] of Object.entries(PAGES))
  json.images.push({
    name,
    mimeType: 'image/png',
    bufferView: view(png([[[...rgb, 255]]], 4)),
    extras: { bsp2gltf: name.includes('style') ? 'lightmap page of style 33 (lamp)' : 'lightmap' },
  });
json.textures.push({ source: 0, sampler: 0 });
const lit = (more) =>
  json.materials.push({
    pbrMetallicRoughness: { baseColorFactor: [...GREY.map(toLinear), 1] },
    extensions: { MOZ_lightmap: { index: 0, texCoord: 1, intensity: 2, ...more } },
  }) - 1;
node({ name: 'displayed', mesh: mesh([flat(-0.5, -1, 0.2)], [0, 0, 1], lit({ extras: { display: DISPLAY } })) });
const sum = (names) =>
  GREY.map((grey, k) =>
    Math.round(
      255 *
        Math.min(
          ((grey / 255) * names.reduce((l, n) => l + encode(toLinear(PAGES[n][k]) * 2 * toLinear(255 * DISPLAY.albedo)), 0)) /
            DISPLAY.albedo,
          1,
        ),
    ),
  );

// A second texture that fades over the first: by an opacity, by the second of four weights, and by a mask. In front of each is a band
// that shows the same in steps, which must be hidden.
const plain = (rgb) => {
  const source = json.images.push({ mimeType: 'image/png', bufferView: view(png([[[...rgb, 255]]], 4)) }) - 1;
  return json.textures.push({ source, sampler: 0 }) - 1;
};
const first = plain(RGB.first),
  second = plain(RGB.second),
  mask = plain([64, 128, 0]);
const fading = (x, w, attribute, type, mix) => {
  const values = Array.from({ length: 4 }, () => (type === 'VEC4' ? [0.1, w, 0.2, 0] : [w])).flat(),
    own = mesh(
      [flat(x, -1, 0.2)],
      [0, 0, 1],
      json.materials.push({
        pbrMetallicRoughness: { baseColorTexture: { index: first } },
        extensions: { KHR_materials_unlit: {} },
        extras: { mix },
      }) - 1,
    ),
    band = mesh([flat(x, -1, 0.2, 0.01)], [0, 0, 1], unlit(RGB.other, { extras: { band: 0.4 } }));
  json.meshes[own].primitives[0].attributes[attribute] = accessor(values, type);
  json.meshes[own].primitives.push(...json.meshes.splice(band)[0].primitives);
  node({ mesh: own });
};
fading(0.1, 0.3, '_BLEND', 'SCALAR', { texture: second });
fading(0.7, 0.6, '_MULTIBLEND', 'VEC4', { texture: second });
fading(1.3, 0.4, '_BLEND', 'SCALAR', { texture: second, mask, transform: [2, 0, 0, 0, 2, 0] });
const part = (0.4 - 64 / 255) / (128 / 255),
  MIXED = { opacity: 0.3, weights: 0.6, mask: part * part * (3 - 2 * part) };
for (const [name, w] of Object.entries(MIXED))
  RGB[name] = RGB.first.map((v, k) => Math.round(255 * encode(toLinear(v) * (1 - w) + toLinear(RGB.second[k]) * w)));

const still = [
  [-1.9, -1.5, 'left'],
  [1.9, -1.5, 'right'],
  [1.5, 0, 'right'],
  [-1.5, 1, 'tile'],
  [-1.3, 1.2, 'tile'],
  [0, 1, 'glow'],
  [0.25, 1.25, 'glow'],
  [0.4, 1, 'right'],
  [-0.4, 1, 'left'],
  [0.85, 1.15, 'tile', 'squares'],
  [1.8, 1, 'tile', 'squares'],
  [-1.45, -0.3, 'other', 'axis'],
  [-1.58, 0.35, 'other', 'axis'],
  [-1.35, 0, 'left'],
  [-0.5, 0, 'tile'],
  [0.5, 0, 'fine'],
  [0.1, -1, 'opacity'],
  [0.7, -1, 'weights'],
  [1.3, -1, 'mask'],
];
const at = (list, light) => [
  ...list.map(([x, y, name, part]) => ({ name: `${name} at ${x}, ${y}`, at: [x, y], rgb: RGB[name], part })),
  { name: `light ${light}`, at: [-0.5, -1], rgb: sum(light) },
];
const cases = [
  { name: 'at rest', eye: [0, 0, 2], points: at(still, ['lightmap_0']) },
  // From the side, the sky is the same around the camera, and the squares still face the camera.
  {
    name: 'from aside',
    eye: [0.5, 0, 2],
    points: at(
      [
        [0.4, -1.5, 'left'],
        [0.6, -1.5, 'right'],
        [-1.3, 1.2, 'tile'],
        [-0.5, 0, 'tile'],
        [1.95, 1.15, 'tile', 'squares'],
      ],
      ['lightmap_0'],
    ),
  },
  {
    name: 'switched',
    eye: [0, 0, 2],
    variant: 'night',
    level: 1,
    styles: { on: true },
    points: at(
      [
        [-0.5, 0, 'night'],
        [0.5, 0, 'coarse'],
      ],
      ['lightmap_0', 'lightmap_0_style_33'],
    ),
  },
  { name: 'by night', eye: [0, 0, 2], styles: { on: false, night: true }, points: at([[-0.5, 0, 'tile']], ['lightmap_0_night']) },
  {
    name: 'moved',
    eye: [0, 0, 2],
    time: 1,
    points: at(
      [
        [-1.45, 0, 'left'],
        [-1, 0, 'other'],
      ],
      ['lightmap_0'],
    ),
  },
];
const outdir = process.argv[2];
fs.mkdirSync(outdir, { recursive: true });
json.buffers[0] = { byteLength: length, uri: `data:application/octet-stream;base64,${Buffer.concat(parts).toString('base64')}` };
fs.writeFileSync(path.join(outdir, 'reader.gltf'), JSON.stringify(json));
fs.writeFileSync(path.join(outdir, 'reader.json'), JSON.stringify(cases, null, 1));
