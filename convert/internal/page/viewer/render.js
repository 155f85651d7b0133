// Draws the batches: the sky around the eye, what is solid, what is see-through from far to near, then lines and points.
import { add, identity, length, multiply, perspective, point, subtract, toDisplay, toLinear, viewMatrix } from './math.js';
import { deform, frame, level, transform } from './motion.js';

const HALF_SHOWN = 0.21404114; // a half as displayed: multiplies by one
const STAYS = identity();
const STILL = { matrix: [1, 0, 0, 0, 1, 0], turb: [0, 0], warp: [0, 0, 0] };

export class Renderer {
  constructor(gl, scene, programs, textures, styles) {
    Object.assign(this, { gl, scene, programs, textures, styles });
    this.settings = { strength: 1, exposure: scene.exposure, textures: true, light: true, wireframe: false, fog: true };
    this.shown = new Set(['', 'sky', '3D skybox']);
    this.batches = [];
    this.calls = 0;
    this.lines = gl.createBuffer();
    this.fogs = readFogs(scene);
    this.ranges = { '': readRange(scene.extras), '3D skybox': readRange(scene.box) };
  }

  isShown = (batch) => this.shown.has(batch.kind);

  draw(camera, width, height, time, overlay) {
    const { gl, settings } = this;
    this.calls = 0;
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 1);
    gl.depthMask(true);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const fov = 2 * Math.atan(Math.tan(camera.fov * Math.PI / 360) * (width < height ? height / width : 1));
    const view = viewMatrix(camera.eye, camera.yaw, camera.pitch), lens = perspective(fov, width / height, this.near, this.far);
    this.camera = { matrix: multiply(lens, view), eye: camera.eye, right: [view[0], view[4], view[8]], up: [view[1], view[5], view[9]] };
    this.time = time;
    const visible = this.batches.filter((b) => this.isShown(b) && b.indices.length);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    if (settings.wireframe) this.wireframe(visible);
    else this.solid(visible);
    this.overlay(overlay, height);
    gl.bindVertexArray(null);
  }

  solid(visible) {
    const { gl } = this;
    const clear = (b) => b.material.alpha === 'BLEND';
    gl.depthMask(false);
    for (const b of visible) if (b.kind === 'sky') this.use(b, clear(b)), b.draw(gl), this.calls++;
    gl.depthMask(true);
    for (const b of visible) if (b.kind !== 'sky' && !clear(b)) this.use(b, false), b.draw(gl), this.calls++;
    gl.depthMask(false);
    const far = visible.filter((b) => b.kind !== 'sky' && clear(b)).flatMap((b) => b.pieces)
      .map((p) => ({ p, sort: p.batch.material.sort, d: away(p, this.camera.eye) }))
      .sort((a, b) => a.sort - b.sort || b.d - a.d);
    let last = null;
    for (const { p } of far) {
      if (p.batch !== last) this.use(last = p.batch, true);
      p.batch.drawPiece(gl, p);
      this.calls++;
    }
    gl.depthMask(true);
  }

  wireframe(visible) {
    for (const b of visible) {
      if (b.kind === 'sky') continue;
      this.use(b, false);
      const { at } = b.program(this.fogCount);
      this.gl.uniform4f(at.u_highlight, 0.75, 0.85, 0.95, b.kind ? 0.35 : 0.6);
      b.drawLines(this.gl);
      this.calls++;
    }
  }

  get fogCount() { return this.settings.fog ? Math.min(this.fogs.length, 8) : 0; }

  // use sets everything that a batch is drawn with.
  use(batch, blend) {
    const { gl, settings, camera } = this, m = batch.material, { program, at } = batch.program(this.fogCount);
    gl.useProgram(program);
    const [source, behind] = m.multiplies ? [gl.DST_COLOR, gl.SRC_COLOR] : [m.environment ? gl.ONE : gl.SRC_ALPHA, m.adds ? gl.ONE : gl.ONE_MINUS_SRC_ALPHA];
    if (blend) gl.enable(gl.BLEND), gl.blendFuncSeparate(source, behind, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    else gl.disable(gl.BLEND);
    if (m.doubleSided || batch.facing || settings.wireframe) gl.disable(gl.CULL_FACE);
    else gl.enable(gl.CULL_FACE);
    gl.uniformMatrix4fv(at.u_camera, false, camera.matrix);
    gl.uniformMatrix4fv(at.u_move, false, batch.mover?.delta ?? STAYS);
    gl.uniform3fv(at.u_eye, camera.eye);
    gl.uniform3fv(at.u_right, camera.right);
    gl.uniform3fv(at.u_up, camera.up);
    gl.uniform4fv(at.u_factor, m.factor);
    gl.uniform3fv(at.u_emission, m.emission);
    gl.uniform1f(at.u_cutoff, m.cutoff);
    gl.uniform1f(at.u_exposure, settings.exposure);
    gl.uniform2f(at.u_show, Number(settings.textures), Number(settings.light));
    gl.uniform4f(at.u_highlight, 0, 0, 0, 0);
    this.light(at, m);
    this.motion(at, m, batch);
    this.bind(at, m, batch);
    const r = this.ranges[batch.kind === '3D skybox' ? batch.kind : ''];
    gl.uniform4f(at.u_fogRange, r?.start ?? 0, r ? 1 / (r.end - r.start) : 0, r?.density ?? 0, settings.fog && r ? (r.radial ? 2 : 1) : 0);
    gl.uniform3fv(at.u_fogColor, m.adds ? [0, 0, 0] : m.multiplies ? [HALF_SHOWN, HALF_SHOWN, HALF_SHOWN] : r?.color ?? [0, 0, 0]);
    if (at.u_fogs && this.fogCount) {
      const list = this.fogs.slice(0, this.fogCount);
      gl.uniform3fv(at.u_fogMin, list.flatMap((f) => f.low));
      gl.uniform3fv(at.u_fogMax, list.flatMap((f) => f.high));
      gl.uniform4fv(at.u_fogs, list.flatMap((f) => f.values));
    }
  }

  light(at, m) {
    const { gl, settings } = this, d = m.display, s = settings.strength;
    const { gain = 1, albedo = 1, exponent = 1, emission = [1, 1, 1], texture = 1 } = d ?? {};
    const intensity = m.lightmap ? m.lightmap.intensity / gain ** 2.2 : texture;
    const mixed = m.lightmap && this.styles.mixed(m.lightmap.texture);
    gl.uniform4f(at.u_light, (mixed && !d ? m.lightmap.intensity : intensity) * s, toLinear(albedo), gain / albedo ** exponent, exponent);
    gl.uniform3fv(at.u_emissionGain, emission);
    gl.uniform1f(at.u_mixed, mixed && d ? s ** (1 / 2.4) : 0);
  }

  motion(at, m, batch) {
    const { gl, time } = this, { motion } = m, now = time ?? 0, set = (name, mods, uv) => {
      const { matrix, turb, warp } = time !== null && mods ? transform(mods, motion.rest, now) : { ...STILL, matrix: uv ?? STILL.matrix };
      gl.uniform3fv(at[`u_${name}`], matrix);
      gl.uniform2fv(at[name === 'base' ? 'u_turb' : 'u_glowTurb'], turb);
      if (name === 'base') gl.uniform3fv(at.u_warp, warp);
    };
    set('base', motion.base, m.base?.uv);
    set('glow', motion.glow, m.emissive?.uv);
    const tint = time === null ? 1 : level(motion.color, motion.color_rest, now), glow = time === null ? 1 : level(motion.glow_color, motion.glow_color_rest, now);
    gl.uniform3f(at.u_tint, tint, tint, tint);
    gl.uniform3f(at.u_glowTint, glow, glow, glow);
    const { wave, bulge, shift } = deform((time !== null && motion.deform) || [], now);
    gl.uniform4fv(at.u_wave, wave);
    gl.uniform3fv(at.u_bulge, bulge);
    gl.uniform3fv(at.u_shift, batch.kind === 'sky' ? subtract(this.camera.eye, skyMiddle(batch)) : shift);
  }

  bind(at, m, batch) {
    const { gl, textures, time } = this, put = (unit, name, texture) => {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.uniform1i(at[name], unit);
    };
    m.details.forEach((d, i) => put(3 + i, `u_detail${i}`, textures.get(d.texture)));
    if (at.u_details) gl.uniform3fv(at.u_details, m.details.flatMap((d) => d.transform));
    const e = m.environment;
    if (e) {
      put(5, 'u_mirror', textures.get(e.texture));
      if (at.u_mirrorShare) put(6, 'u_mirrorShare', textures.get(e.share));
      gl.uniform3fv(at.u_mirrorRows, e.transform);
      for (const name of ['Mean', 'Color', 'Factor']) gl.uniform3fv(at[`u_mirror${name}`], e[name.toLowerCase()]);
    }
    if (at.u_behind) put(7, 'u_behind', textures.get(m.behind.texture)), gl.uniform3fv(at.u_behindFactor, m.behind.factor);
    const { frames, fps } = m.motion;
    if (m.base) put(0, 'u_texture', frames?.length && time !== null ? textures.get(frames[frame(frames.length, fps, time)]) : textures.get(m.base.texture));
    if (m.emissive) put(1, 'u_emissive', textures.get(m.emissive.texture));
    if (m.lightmap && batch.light) put(2, 'u_lightmap', this.styles.mixed(m.lightmap.texture) ?? textures.get(m.lightmap.texture));
  }

  // overlay draws points (markers) and lines (what is measured, what is chosen) over the map.
  overlay({ points = [], lines = [] }, height) {
    const { gl } = this, { program, at } = this.programs.line();
    gl.useProgram(program);
    gl.disable(gl.CULL_FACE);
    gl.disable(gl.BLEND);
    gl.uniformMatrix4fv(at.u_camera, false, this.camera.matrix);
    gl.uniform4f(at.u_fixed, 0, 0, 0, 0);
    gl.uniform1f(at.u_size, 0.35 * height);
    gl.bindVertexArray(null);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.lines);
    for (const [list, kind, through] of [[points, gl.POINTS, false], [lines, gl.LINES, true]]) {
      if (!list.length) continue;
      gl.uniform1f(at.u_round, kind === gl.POINTS ? 1 : 0);
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(list), gl.STREAM_DRAW);
      gl.enableVertexAttribArray(0);
      gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 24, 0);
      gl.enableVertexAttribArray(this.colorSlot(program));
      gl.vertexAttribPointer(this.colorSlot(program), 3, gl.FLOAT, false, 24, 12);
      if (through) gl.disable(gl.DEPTH_TEST);
      gl.drawArrays(kind, 0, list.length / 6);
      gl.enable(gl.DEPTH_TEST);
      this.calls++;
      gl.disableVertexAttribArray(this.colorSlot(program));
    }
    gl.disableVertexAttribArray(0);
  }

  colorSlot(program) { return this.slot ??= this.gl.getAttribLocation(program, 'a_color'); }

  // fit chooses how near and far is drawn.
  fit(low, high) {
    this.near = 2 * this.scene.unit;
    this.far = Math.max(4 * length(subtract(high, low)), 100);
  }
}

// away is the distance of a piece's box from the eye, as if the eye had moved instead.
function away({ low, high, mover }, eye) {
  const from = mover?.back ? point(mover.back, eye) : eye;
  return length(from.map((v, c) => Math.min(Math.max(v, low[c]), high[c]) - v));
}

// skyMiddle is the middle of a sky's box, to be moved to the eye: the box is drawn without parallax.
function skyMiddle(batch) {
  return batch.skyMiddle ??= (() => {
    const { matrix } = batch.pieces[0];
    return [matrix[12], matrix[13], matrix[14]];
  })();
}

function readFogs(scene) {
  return scene.fogs.filter(({ extras }) => extras.opaque_metres > 0 && Number.isFinite(extras.color_r)).map(({ matrix: m, extras }) => {
    const half = [m[0], m[5], m[10]].map((v) => Math.abs(v) / 2), middle = [m[12], m[13], m[14]];
    return { low: subtract(middle, half), high: add(middle, half), values: [...['r', 'g', 'b'].map((c) => toDisplay(extras[`color_${c}`])), 1 / extras.opaque_metres] };
  });
}

// readRange is the fog of a Source map, between two distances, from the extras of the scene or of the 3D skybox's node.
function readRange(extras) {
  const { start, end, density, color, radial } = extras?.bsp2gltf_range_fog ?? {};
  return Number.isFinite(start) && end > start && density > 0 && Array.isArray(color) && color.length === 3 && color.every(Number.isFinite) ? { start, end, density, color, radial } : null;
}

