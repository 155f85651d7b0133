// Images as textures, and lightmaps as the sum of their styles.
import { FileError } from './glb.js';

const WRAP = { 33071: 'CLAMP_TO_EDGE', 33648: 'MIRRORED_REPEAT', 10497: 'REPEAT' };

export class Textures {
  constructor(gl, scene) {
    this.gl = gl;
    this.scene = scene;
    this.made = new Map();   // by texture index
    this.images = new Map(); // by image index: a promise of an ImageBitmap
    this.sizes = new Map();  // by texture index
    this.failed = [];
    this.white = this.solid([255, 255, 255, 255]);
    this.grey = this.solid([160, 160, 160, 255]);
    this.anisotropy = gl.getExtension('EXT_texture_filter_anisotropic');
  }

  solid(rgba) {
    const { gl } = this, texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(rgba));
    return texture;
  }

  sourceOf(index) {
    const t = this.scene.file.item('textures', index);
    return t.extensions?.EXT_texture_webp?.source ?? t.source;
  }

  // bitmap decodes an image of the file.
  bitmap(index) {
    if (!this.images.has(index)) {
      this.images.set(index, (async () => {
        const image = this.scene.file.item('images', index);
        if (image.bufferView === undefined) throw new FileError(`image ${index} is not in the file.`);
        const blob = new Blob([this.scene.file.bytes(image.bufferView)], { type: image.mimeType });
        return createImageBitmap(blob, { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
      })());
    }
    return this.images.get(index);
  }

  // load decodes all textures that materials use; progress is told how many of them are done.
  async load(progress) {
    const wanted = new Map();
    for (const m of this.scene.materials) {
      for (const slot of [m.base, m.emissive]) if (slot) wanted.set(slot.texture, false);
      for (const frame of m.motion.frames ?? []) wanted.set(frame, false);
      for (const t of [...m.details.map((d) => d.texture), m.environment?.texture, m.environment?.share, m.behind?.texture]) if (Number.isInteger(t)) wanted.set(t, false);
    }
    for (const m of this.scene.materials) if (m.lightmap) wanted.set(m.lightmap.texture, true);
    let done = 0;
    const todo = [...wanted];
    const worker = async () => {
      for (let next = todo.pop(); next; next = todo.pop()) {
        await this.upload(...next);
        progress(++done, wanted.size);
      }
    };
    await Promise.all(Array.from({ length: 4 }, worker));
  }

  async upload(index, isLight) {
    try {
      const { sampler } = this.scene.file.item('textures', index);
      const options = sampler === undefined ? {} : this.scene.file.item('samplers', sampler);
      const source = this.sourceOf(index);
      const bitmap = await this.bitmap(source);
      this.sizes.set(index, { width: bitmap.width, height: bitmap.height });
      this.made.set(index, this.make(bitmap, options, isLight));
      if (!isLight) this.images.delete(source);
    } catch (error) {
      this.failed.push(`texture ${index}: ${error.message}`);
      this.made.set(index, isLight ? this.white : this.grey);
    }
  }

  // Where the game multiplies as displayed it also filters so, and images stay as they are; else they are decoded.
  make(bitmap, { wrapS = 10497, wrapT = 10497, magFilter = 9729, minFilter = 9987 }, isLight) {
    const { gl } = this, texture = gl.createTexture(), mips = minFilter >= 9984 && !isLight;
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, this.scene.display ? gl.RGBA8 : gl.SRGB8_ALPHA8, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl[WRAP[wrapS] ?? 'REPEAT']);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl[WRAP[wrapT] ?? 'REPEAT']);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, magFilter === 9728 ? gl.NEAREST : gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, mips ? gl.LINEAR_MIPMAP_LINEAR : gl.LINEAR);
    if (mips) {
      gl.generateMipmap(gl.TEXTURE_2D);
      if (this.anisotropy) gl.texParameteri(gl.TEXTURE_2D, this.anisotropy.TEXTURE_MAX_ANISOTROPY_EXT, 4);
    }
    return texture;
  }

  get(index) { return this.made.get(index) ?? this.grey; }
}

// Light styles: pages that lie on the same places as a sheet, each with the light of one style, by day or night.
export class Styles {
  constructor(gl, scene, textures, programs) {
    Object.assign(this, { gl, scene, textures, programs, sheets: new Map(), night: false, hasNight: false });
    const images = scene.file.json.images ?? [], pages = images.map(pageOf).filter((p) => p.sheet), styles = new Map();
    for (const { lightmap } of scene.materials) {
      if (!lightmap || this.sheets.has(lightmap.texture)) continue;
      const name = String(images[textures.sourceOf(lightmap.texture)]?.name ?? ''), mine = pages.filter((p) => p.sheet === name);
      if (!mine.some((p) => p.style > 0 || p.night)) continue;
      this.sheets.set(lightmap.texture, { pages: mine, key: '', target: null, frame: null });
      for (const p of mine) {
        this.hasNight ||= p.night;
        if (p.style > 0 && !styles.has(p.style)) styles.set(p.style, { style: p.style, name: p.name, ...describeStyle(scene, p.style, p.name) });
      }
    }
    this.list = [...styles.values()].sort((a, b) => a.style - b.style);
    // Without half floats light ends at white.
    this.half = gl.getExtension('EXT_color_buffer_float') || gl.getExtension('EXT_color_buffer_half_float');
  }

  get flickers() { return this.list.some((s) => s.on && s.pattern.length > 1); }

  // amount is how much of a style is seen at a time in seconds; null is a still, which shows the pattern's mean.
  amount(style, time) {
    if (style === 0) return 1;
    const s = this.list.find((l) => l.style === style);
    if (!s?.on) return 0;
    const levels = [...s.pattern].map((c) => Math.max(c.charCodeAt(0) - 97, 0) / 12);
    if (!levels.length) return 1;
    return time === null ? levels.reduce((a, b) => a + b) / levels.length : levels[Math.floor(time * 10) % levels.length];
  }

  // update mixes the sheets whose parts have changed.
  async update(time) {
    for (const [texture, sheet] of this.sheets) {
      const night = (p) => this.night && sheet.pages.some((q) => q.night && q.style === p.style);
      const parts = sheet.pages.filter((p) => p.night === night(p)).map((p) => [p.index, this.amount(p.style, time)]).filter(([, a]) => a > 0);
      const key = JSON.stringify(parts);
      if (key === sheet.key) continue;
      sheet.key = key;
      for (const [index] of parts) await this.page(index);
      this.mix(texture, sheet, parts);
    }
  }

  async page(index) {
    const key = `page ${index}`, { made } = this.textures;
    if (!made.has(key)) made.set(key, this.textures.make(await this.textures.bitmap(index), { wrapS: 33071, wrapT: 33071 }, true));
  }

  mix(texture, sheet, parts) {
    const { gl } = this, { program, at } = this.programs.mix(), { width, height } = sheet.size ??= this.sizeOf(texture);
    if (!sheet.frame) {
      sheet.target = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, sheet.target);
      gl.texStorage2D(gl.TEXTURE_2D, 1, this.half ? gl.RGBA16F : gl.RGBA8, width, height);
      for (const [k, v] of [['WRAP_S', 'CLAMP_TO_EDGE'], ['WRAP_T', 'CLAMP_TO_EDGE'], ['MAG_FILTER', 'LINEAR'], ['MIN_FILTER', 'LINEAR']]) {
        gl.texParameteri(gl.TEXTURE_2D, gl[`TEXTURE_${k}`], gl[v]);
      }
      sheet.frame = gl.createFramebuffer();
      gl.bindFramebuffer(gl.FRAMEBUFFER, sheet.frame);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, sheet.target, 0);
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, sheet.frame);
    gl.viewport(0, 0, width, height);
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.CULL_FACE);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.useProgram(program);
    this.screen ??= fullScreen(gl);
    gl.bindVertexArray(this.screen);
    gl.activeTexture(gl.TEXTURE0);
    gl.uniform1i(at.u_page, 0);
    const display = this.scene.display, scale = Number(this.scene.extras.bsp2gltf_lightmap_intensity) || 1;
    gl.uniform2f(at.u_display, display ? scale * display.linear : 1, display ? 1 : 0);
    for (const [index, amount] of parts) {
      gl.bindTexture(gl.TEXTURE_2D, this.textures.made.get(`page ${index}`));
      gl.uniform1f(at.u_amount, amount);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  sizeOf(texture) { return this.textures.sizes.get(texture) ?? { width: 1, height: 1 }; }

  // mixed is the texture of a lightmap that has styles, or undefined.
  mixed(texture) { return this.sheets.get(texture)?.target; }
}

function fullScreen(gl) {
  const vao = gl.createVertexArray();
  gl.bindVertexArray(vao);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
  return vao;
}

// pageOf takes a page's name apart: lightmap_0, lightmap_0_night, lightmap_0_style_3.
function pageOf(image, index) {
  const found = /^(lightmap_\d+)(_night)?(?:_style_(\d+))?$/.exec(String(image.name ?? '')), element = String(image.extras?.bsp2gltf ?? '');
  if (!found || !element.startsWith('lightmap')) return {};
  return { index, sheet: found[1], night: !!found[2], style: Number(found[3] ?? 0), name: /\(([^)]*)\)\s*$/.exec(element)?.[1] ?? '' };
}

// The styles below 12 flicker like this in every game since Quake: a letter for a tenth of a second, a is dark, m is normal.
const FLICKER = ['', 'mmnmmommommnonmmonqnmmo', 'abcdefghijklmnopqrstuvwxyzyxwvutsrqponmlkjihgfedcba', 'mmmmmaaaaammmmmaaaaaabcdefgabcdefg',
  'mamamamamama', 'jklmnopqrstuvwxyzyxwvutsrqponmlkj', 'nmonqnmomnmomomno', 'mmmaaaabcdefgmmmmaaaammmaamm',
  'mmmaaammmaaammmabcdefaaaammmmabcdefmmmaaaa', 'aaaaaaaazzzzzzzz', 'mmamammmmammamamaaamammma', 'abcdefghijklmnopqrrqponmlkjihgfedcba', 'mmnnmmnnnmmnn'];

// describeStyle tells how a style flickers and whether its lamps are on at the start.
function describeStyle(scene, style, name) {
  const lamps = scene.entities.filter(({ classname, extras }) => /^light|^_light/i.test(classname) && (Number(extras.style) === style || name && extras.targetname === name));
  const own = lamps.map(({ extras }) => extras.pattern).find((p) => /^[a-z]+$/.test(p ?? ''));
  const off = lamps.length > 0 && lamps.every(({ extras }) => Number(extras.spawnflags) & 1);
  return { pattern: own ?? (style < 32 ? FLICKER[style] ?? '' : ''), on: !off };
}
