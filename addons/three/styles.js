/**
 * Light styles (docs/extras.md of bsp2gltf): pages that lie on the same places as a light map, each with the light of one style, by day or
 * night. What is on is added up as the game adds light.
 */
import { LinearFilter, NoColorSpace, SRGBColorSpace } from 'three';
import { materialsOf } from './gather.js';
import { makeMixer } from './mix.js';

/**
 * Finds the light styles of a loaded file. The result has list, of { style, name, pattern, on }, hasNight, night, flickers, and
 * update(renderer, seconds), to be called before a frame is drawn and when something is switched; seconds = null is a still, which shows
 * each pattern's mean.
 */
export function bsp2gltfStyles(gltf) {
  const { json } = gltf.parser,
    sheets = readSheets(gltf),
    styles = new Map();
  for (const { pages } of sheets)
    for (const p of pages)
      if (p.style > 0 && !styles.has(p.style)) styles.set(p.style, { style: p.style, name: p.name, ...describe(json, p.style, p.name) });
  const list = [...styles.values()].sort((a, b) => a.style - b.style),
    all = {
      list,
      hasNight: sheets.some(({ pages }) => pages.some((p) => p.night)),
      night: false,
      get flickers() {
        return list.some((s) => s.on && s.pattern.length > 1);
      },
      async update(renderer, seconds = null) {
        for (const sheet of sheets) {
          const night = (p) => all.night && sheet.pages.some((q) => q.night && q.style === p.style);
          const parts = sheet.pages
            .filter((p) => p.night === night(p))
            .map((p) => ({ index: p.index, amount: amount(list, p.style, seconds) }))
            .filter((p) => p.amount > 0);
          await show(gltf.parser, renderer, sheet, parts);
        }
      },
    };
  return all;
}

// readSheets returns the light maps that have other pages, with the materials that show them.
function readSheets({ parser, scenes }) {
  const { json } = parser,
    { textures = [], images = [], materials = [] } = json,
    sheets = new Map(),
    pages = images.map(pageOf).filter((p) => p.sheet);
  const scale = Number(json.scenes[json.scene ?? 0].extras?.bsp2gltf_lightmap_intensity) || 1;
  for (const material of materialsOf({ scenes })) {
    const { index } = materials[parser.associations.get(material)?.materials]?.extensions?.MOZ_lightmap ?? {},
      texture = textures[index];
    if (!texture || !material.lightMap) continue;
    const name = images[texture.extensions?.EXT_texture_webp?.source ?? texture.source]?.name,
      mine = pages.filter((p) => p.sheet === name);
    if (!mine.some((p) => p.style > 0 || p.night)) continue;
    if (!sheets.has(index))
      sheets.set(index, {
        pages: mine,
        base: material.lightMap,
        materials: [],
        made: new Map(),
        key: '',
        mixer: null,
        light: material.display ? scale * toLinear(material.display.albedo) : 0,
      });
    sheets.get(index).materials.push(material);
  }
  return [...sheets.values()];
}

async function show(parser, renderer, sheet, parts) {
  const key = parts.map((p) => `${p.index} ${p.amount}`).join();
  if (key === sheet.key) return;
  sheet.key = key;
  for (const { index } of parts) if (!sheet.made.has(index)) sheet.made.set(index, await page(parser, index, sheet.light));
  if (sheet.key !== key) return; // another has begun
  const { width, height } = sheet.base.image;
  sheet.mixer ??= makeMixer(width, height, sheet.light);
  const texture = sheet.mixer(
    renderer,
    parts.map((p) => ({ texture: sheet.made.get(p.index), amount: p.amount })),
  );
  texture.channel = sheet.base.channel;
  for (const material of sheet.materials) material.lightMap = texture;
}

async function page(parser, index, light) {
  const texture = (await parser.loadImageSource(index, parser.textureLoader)).clone();
  Object.assign(texture, {
    flipY: false,
    generateMipmaps: false,
    minFilter: LinearFilter,
    colorSpace: light ? NoColorSpace : SRGBColorSpace,
    needsUpdate: true,
  });
  return texture;
}

const toLinear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);

// amount is how much of a style is seen at a time in seconds.
function amount(list, style, seconds) {
  if (style === 0) return 1;
  const s = list.find((l) => l.style === style);
  if (!s?.on) return 0;
  const levels = [...s.pattern].map((c) => Math.max(c.charCodeAt(0) - 97, 0) / 12);
  if (!levels.length) return 1;
  return seconds === null ? levels.reduce((a, b) => a + b) / levels.length : levels[Math.floor(seconds * 10) % levels.length];
}

// pageOf takes a page's name apart: lightmap_0, lightmap_0_night, lightmap_0_style_3.
function pageOf(image, index) {
  const found = /^(lightmap_\d+)(_night)?(?:_style_(\d+))?$/.exec(String(image.name ?? '')),
    element = String(image.extras?.bsp2gltf ?? '');
  if (!found || !element.startsWith('lightmap')) return {};
  return { index, sheet: found[1], night: !!found[2], style: Number(found[3] ?? 0), name: /\(([^)]*)\)\s*$/.exec(element)?.[1] ?? '' };
}

// The styles below 12 flicker like this in every game since Quake: a letter for a tenth of a second, a is dark, m is normal.
const FLICKER = [
  '',
  'mmnmmommommnonmmonqnmmo',
  'abcdefghijklmnopqrstuvwxyzyxwvutsrqponmlkjihgfedcba',
  'mmmmmaaaaammmmmaaaaaabcdefgabcdefg',
  'mamamamamama',
  'jklmnopqrstuvwxyzyxwvutsrqponmlkj',
  'nmonqnmomnmomomno',
  'mmmaaaabcdefgmmmmaaaammmaamm',
  'mmmaaammmaaammmabcdefaaaammmmabcdefmmmaaaa',
  'aaaaaaaazzzzzzzz',
  'mmamammmmammamamaaamammma',
  'abcdefghijklmnopqrrqponmlkjihgfedcba',
  'mmnnmmnnnmmnn',
];

// describe tells how a style flickers and whether its lamps are on at the start.
function describe({ nodes = [] }, style, name) {
  const lamps = nodes
    .map(({ extras }) => extras ?? {})
    .filter((x) => /^light|^_light/i.test(x.classname ?? '') && (Number(x.style) === style || (name && x.targetname === name)));
  const own = lamps.map((x) => x.pattern).find((p) => /^[a-z]+$/.test(p ?? ''));
  return {
    pattern: own ?? (style < 32 ? (FLICKER[style] ?? '') : ''),
    on: !(lamps.length && lamps.every((x) => Number(x.spawnflags) & 1)),
  };
}
