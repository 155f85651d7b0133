/**
 * Light styles of a file, as data (docs/internals/readers.md of bsp2gltf, "Light styles").
 */

/**
 * The lightmaps of a file that have pages for several styles: by texture index a list of { index (of the image), style, night, name }.
 */
export function readPages({ textures = [], images = [], materials = [] }) {
  const pages = images.map(pageOf).filter((p) => p.sheet), sheets = new Map();
  for (const { extensions } of materials) {
    const { index } = extensions?.MOZ_lightmap ?? {}, texture = textures[index];
    if (!texture || sheets.has(index)) continue;
    const name = images[texture.extensions?.EXT_texture_webp?.source ?? texture.source]?.name, mine = pages.filter((p) => p.sheet === name);
    if (mine.some((p) => p.style > 0 || p.night)) sheets.set(index, mine);
  }
  return sheets;
}

/** The styles of these pages, in their order: { style, name, pattern, on, smooth }. */
export function listStyles(json, sheets) {
  const styles = new Map(), smooth = !!json.scenes?.[json.scene ?? 0]?.extras?.bsp2gltf_smooth_styles;
  for (const { style, name } of [...sheets.values()].flat()) if (style > 0 && !styles.has(style)) styles.set(style, { style, name, smooth, ...describe(json, style, name) });
  return [...styles.values()].sort((a, b) => a.style - b.style);
}

/**
 * The pages of a lightmap to add at a time in seconds, as [{ index, amount }]. A time of null means a still, with the mean of each
 * pattern.
 */
export function partsOf(pages, list, isNight, seconds) {
  const night = (p) => isNight && pages.some((q) => q.night && q.style === p.style);
  return pages.filter((p) => p.night === night(p)).map(({ index, style }) => ({ index, amount: amount(list, style, seconds) })).filter((p) => p.amount > 0);
}

// amount is the brightness of a style at a time in seconds.
function amount(list, style, seconds) {
  if (style === 0) return 1;
  const s = list.find((l) => l.style === style);
  if (!s?.on) return 0;
  const levels = [...s.pattern].map((c) => Math.max(c.charCodeAt(0) - 97, 0) / 12);
  if (!levels.length) return 1;
  if (seconds === null) return levels.reduce((a, b) => a + b) / levels.length;
  const letter = Math.floor(seconds * 10), level = (k) => levels[k % levels.length], share = s.smooth ? seconds * 10 - letter : 0;
  return level(letter) * (1 - share) + level(letter + 1) * share;
}

// pageOf parses a page's name: lightmap_0, lightmap_0_night, lightmap_0_style_3.
function pageOf(image, index) {
  const found = /^(lightmap_\d+)(_night)?(?:_style_(\d+))?$/.exec(String(image.name ?? '')), element = String(image.extras?.bsp2gltf ?? '');
  if (!found || !element.startsWith('lightmap')) return {};
  return { index, sheet: found[1], night: !!found[2], style: Number(found[3] ?? 0), name: /\(([^)]*)\)\s*$/.exec(element)?.[1] ?? '' };
}

// Styles 1 to 12 flicker like this in every game since Quake: a letter per tenth of a second, where a is dark and m is normal.
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

// describe returns how a style flickers, and whether its lamps are on at the start. Styles from 32 on belong to lamps that entities
// switch; of several lamps the last one decides. defaultstyle is Source's key.
function describe({ nodes = [] }, style, name) {
  if (style < 32) return { pattern: FLICKER[style] ?? '', on: true };
  const lamp = nodes
    .map(({ extras }) => extras ?? {})
    .filter((x) => /^light|^_light/i.test(x.classname ?? '') && (Number(x.style) === style || (name && x.targetname === name)))
    .at(-1);
  const pattern = String(lamp?.pattern ?? '').slice(0, 64).toLowerCase() || (FLICKER[lamp?.defaultstyle] ?? '');
  return { pattern, on: !(Number(lamp?.spawnflags) & 1) };
}
