/**
 * Light styles (docs/internals/readers.md of bsp2gltf): pages with the layout of a lightmap, each with the light of one style, by day
 * or night. The styles that are on are added as in the game.
 */
import { LinearFilter, NoColorSpace, SRGBColorSpace } from 'three';
import { toLinear } from '../shared/color.js';
import { materialsOf, owned } from './traverse.js';
import { familyOf } from './patch.js';
import { makeMixer } from './stylemixer.js';
import { listStyles, partsOf, readPages } from '../shared/lightstyles.js';

/**
 * Finds the light styles of a loaded file. The result has list, of { style, name, pattern, on, smooth }, hasNight, night, flickers, and
 * update(renderer, seconds), to be called before a frame is drawn and when something is switched. seconds = null is a still, with each
 * pattern's mean.
 */
export function bsp2gltfStyles(gltf) {
  const { json } = gltf.parser,
    pages = readPages(json),
    sheets = readLightMaps(gltf, pages),
    list = listStyles(json, pages),
    all = {
      list,
      hasNight: [...pages.values()].flat().some((p) => p.night),
      night: false,
      get flickers() {
        return list.some((s) => s.on && s.pattern.length > 1);
      },
      async update(renderer, seconds = null) {
        for (const sheet of sheets) await show(gltf.parser, renderer, sheet, partsOf(sheet.pages, list, all.night, seconds));
      },
    };
  return all;
}

// readLightMaps returns the lightmaps that have pages for other styles, with the materials that show them.
function readLightMaps({ parser, scenes }, pages) {
  const { json } = parser,
    sheets = new Map(),
    scale = Number(json.scenes[json.scene ?? 0].extras?.bsp2gltf_lightmap_intensity) || 1;
  for (const material of materialsOf({ scenes })) {
    const { index } = json.materials?.[parser.associations.get(material)?.materials]?.extensions?.MOZ_lightmap ?? {};
    if (!pages.has(index) || !material.lightMap) continue;
    const light = material.display ? scale * toLinear(material.display.albedo) : 0,
      key = `${index} ${light}`; // a page may also light materials with linear light
    if (!sheets.has(key))
      sheets.set(key, {
        pages: pages.get(index),
        base: material.lightMap,
        materials: [],
        made: new Map(),
        key: '',
        mixer: null,
        light,
      });
    sheets.get(key).materials.push(material);
  }
  return [...sheets.values()];
}

async function show(parser, renderer, sheet, parts) {
  const key = parts.map((p) => `${p.index} ${p.amount}`).join();
  if (key === sheet.key) return;
  sheet.key = key;
  for (const { index } of parts) if (!sheet.made.has(index)) sheet.made.set(index, await page(parser, index, sheet.light));
  if (sheet.key !== key) return; // a newer update has begun
  const { width, height } = sheet.base.image;
  sheet.mixer ??= owned(parser, makeMixer(width, height, sheet.light));
  const texture = sheet.mixer.add(
    renderer,
    parts.map((p) => ({ texture: sheet.made.get(p.index), amount: p.amount })),
  );
  texture.channel = sheet.base.channel;
  for (const material of sheet.materials) for (const copy of familyOf(material)) copy.lightMap = texture;
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
  return owned(parser, texture);
}
