/**
 * Light styles (docs/internals/readers.md): pages with the layout of a lightmap, each with the light of one style, by day or night. The
 * styles that are on are added as in the game.
 */
import { curves, toLinear } from '../shared/color.js';
import { listStyles, partsOf, readPages } from '../shared/lightstyles.js';

const NAME = 'bsp2gltf_styles', HALF_FLOAT = 2, BILINEAR = 2, CLAMP = 0;
const files = new WeakMap(); // by scene: the light styles of the files that it has loaded
const mixers = new WeakMap(); // by engine: what adds pages
let count = 0; // of textures, whose names must differ

/** Registers the extension that finds the light styles of files. */
export function registerStyles(GLTFLoader) {
  GLTFLoader.RegisterExtension(NAME, (loader) => {
    const { gltf } = loader, pages = readPages(gltf), sheets = new Map(), scale = Number(gltf.scenes?.[gltf.scene ?? 0]?.extras?.bsp2gltf_lightmap_intensity) || 1;
    return {
      name: NAME,
      enabled: pages.size > 0,
      order: 20,
      dispose() {},
      loadMaterialPropertiesAsync(context, { extensions }, babylonMaterial) {
        const { index, extras } = extensions?.MOZ_lightmap ?? {}, albedo = extras?.display?.albedo;
        if (pages.has(index)) {
          if (!sheets.has(index)) sheets.set(index, { pages: pages.get(index), light: albedo > 0 ? scale * toLinear(albedo) : 0, materials: new Set(), made: new Map(), key: '', target: null });
          sheets.get(index).materials.add(babylonMaterial);
        }
        return null; // the other extensions go on
      },
      onReady() {
        // Everything is read now, because the loader can't be used once it has finished.
        const data = new Map([...sheets.values()].flatMap((s) => s.pages).map(({ index }) => [index, { mimeType: gltf.images[index].mimeType, bytes: loader.loadImageAsync(`/images/${index}`, gltf.images[index]) }]));
        const scene = loader.babylonScene, file = { list: listStyles(gltf, pages), sheets: [...sheets.values()], data };
        if (!files.has(scene)) files.set(scene, new Set());
        files.get(scene).add(file);
        loader.rootBabylonMesh?.onDisposeObservable.add(() => {
          files.get(scene).delete(file);
          file.sheets.forEach(dispose);
        });
      },
    };
  });
}

/**
 * The light styles of the files that a scene has loaded. The result has list, of { style, name, pattern, on }, hasNight, night,
 * flickers, and update(seconds), to be called before a frame is drawn and when something is switched; null is a still, with each
 * pattern's mean. With modules it requires the classes EffectRenderer and EffectWrapper of @babylonjs/core.
 */
export function bsp2gltfStyles(scene, { EffectRenderer, EffectWrapper } = globalThis.BABYLON) {
  const all = [...(files.get(scene) ?? [])], list = all.flatMap((f) => f.list);
  return {
    list,
    hasNight: all.some((f) => f.sheets.some((s) => s.pages.some((p) => p.night))),
    night: false,
    get flickers() {
      return list.some((s) => s.on && s.pattern.length > 1);
    },
    async update(seconds = null) {
      const engine = scene.getEngine();
      if (!mixers.has(engine)) mixers.set(engine, makeMixer(engine, EffectRenderer, EffectWrapper));
      const mixer = mixers.get(engine);
      for (const file of all) for (const sheet of file.sheets) await show(scene, await mixer, sheet, file.data, partsOf(sheet.pages, file.list, this.night, seconds));
    },
  };
}

// dispose frees what was made for a lightmap. Pages that are still loading are freed when they are loaded.
function dispose(sheet) {
  sheet.disposed = true;
  for (const page of sheet.made.values()) page.then((texture) => texture.dispose(), () => {});
  sheet.base?.dispose();
  for (const made of [sheet.target?.texture, sheet.target?.shown, sheet.target?.other]) made?.dispose();
}

async function show(scene, mix, sheet, data, parts) {
  const key = parts.map((p) => `${p.index} ${p.amount}`).join(), [first] = sheet.materials;
  if (key === sheet.key || sheet.disposed || !first.lightmapTexture) return;
  sheet.key = key;
  sheet.base ??= first.lightmapTexture;
  const pages = await Promise.all(parts.map(async ({ index, amount }) => {
    if (!sheet.made.has(index)) sheet.made.set(index, load(scene, sheet.base, data.get(index)));
    return { texture: await sheet.made.get(index), amount };
  }));
  if (sheet.key !== key || sheet.disposed) return; // a newer update has begun
  sheet.target ??= makeTarget(scene, sheet.base);
  mix(sheet.target, sheet.base, pages, sheet.light);
  for (const material of sheet.materials) material.lightmapTexture = sheet.target.texture;
}

// load returns the texture of a page, with its pixels as stored.
async function load(scene, { constructor: Texture }, { mimeType, bytes }) {
  const buffer = await bytes;
  return new Promise((done, fail) => {
    const onLoad = () => done(texture), onError = (message) => fail(new Error(message));
    const texture = new Texture(`data:bsp2gltf-page-${count++}`, scene, { buffer, mimeType, noMipmap: true, invertY: false, samplingMode: BILINEAR, onLoad, onError });
  });
}

// makeTarget returns two render targets of a lightmap's size, and a texture that shows the first.
function makeTarget(scene, base) {
  const Texture = base.constructor, engine = scene.getEngine(), size = base.getSize();
  const [shown, other] = [0, 1].map(() => engine.createRenderTargetTexture(size, { type: HALF_FLOAT, samplingMode: BILINEAR, generateMipMaps: false, generateDepthBuffer: false }));
  const texture = new Texture(null, scene, { noMipmap: true, invertY: false });
  Object.assign(texture, { _texture: shown.texture, level: base.level, coordinatesIndex: base.coordinatesIndex, gammaSpace: true, wrapU: CLAMP, wrapV: CLAMP });
  return { shown, other, texture };
}

/**
 * Returns a function of a target, a lightmap, pages, and the factor from a stored value (made linear) to the game's light. With the
 * factor, pages are added in display space, otherwise in linear light. The result is in the stored form, and may exceed 1.
 */
async function makeMixer(engine, EffectRenderer, EffectWrapper) {
  const renderer = new EffectRenderer(engine), wrapper = new EffectWrapper({ engine, name: NAME, fragmentShader: FRAGMENT, uniformNames: ['amount', 'light', 'begins', 'ends'], samplerNames: ['page', 'sum'] });
  let now = null;
  await new Promise((done) => { wrapper.effect.executeWhenCompiled(done); });
  wrapper.onApplyObservable.add(() => {
    const { effect } = wrapper;
    effect.setTexture('page', now.page);
    effect._bindTexture('sum', now.sum);
    for (const key of ['amount', 'light', 'begins', 'ends']) effect.setFloat(key, now[key]);
  });
  return ({ shown, other }, base, pages, light) => {
    const draws = [...pages.map(({ texture, amount }) => ({ page: texture, amount, ends: 0 })), { page: base, amount: 0, ends: 1 }];
    draws.forEach((draw, i) => { // the last one is drawn into the first target
      const [to, from] = (draws.length - i) % 2 ? [shown, other] : [other, shown];
      now = { ...draw, sum: from.texture, light, begins: i ? 0 : 1 };
      renderer.render(wrapper, to);
    });
  };
}


const FRAGMENT = `
precision highp float;
varying vec2 vUV;
uniform sampler2D page, sum;
uniform float amount, light, begins, ends;
${curves('style')}void main() {
  vec3 before = begins > 0.0 ? vec3(0.0) : texture2D(sum, vUV).rgb, v = styleDecode(texture2D(page, vUV).rgb);
  if (ends > 0.0) gl_FragColor = vec4(styleEncode(light > 0.0 ? styleDecode(before) / light : before), 1.0);
  else gl_FragColor = vec4(before + amount * (light > 0.0 ? styleEncode(v * light) : v), 1.0);
}`;
