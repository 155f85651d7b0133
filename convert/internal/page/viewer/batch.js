// Puts pieces together into batches: one draw call per material and kind. See-through surfaces keep their pieces, to be drawn
// from far to near; what stands at very many places is drawn by instances; what turns to the viewer has corners; what moves is a batch
// for each node that moves it.
import { determinant, normalMatrix, point, unit } from './math.js';
import { cross, dot, length, subtract, add, times } from './math.js';

const MANY = 24, LARGE = 300; // places and vertices from which on instances are less memory than copies

export function makeBatches(gl, scene, { variant, level }, programs) {
  const groups = new Map(), counts = new Map(), pieces = scene.pieces.filter((p) => p.level === Math.min(level, p.levels - 1));
  for (const piece of pieces) counts.set(piece.key, (counts.get(piece.key) ?? 0) + 1);
  for (const piece of pieces) {
    const material = scene.materials[piece.variants.get(variant) ?? piece.material] ?? scene.materials.at(-1);
    const { POSITION, COLOR_0, TEXCOORD_1 } = piece.primitive.attributes;
    const vertices = scene.file.item('accessors', POSITION).count;
    const instanced = counts.get(piece.key) >= MANY && vertices >= LARGE && material.alpha !== 'BLEND' && !facing(piece, material);
    const key = [material.index, piece.kind, COLOR_0 !== undefined, TEXCOORD_1 !== undefined, facing(piece, material), instanced ? piece.key : '', piece.mover?.index ?? ''].join('|');
    if (!groups.has(key)) groups.set(key, { material, kind: piece.kind, colors: COLOR_0 !== undefined, light: TEXCOORD_1 !== undefined, facing: facing(piece, material), instanced, mover: piece.mover, pieces: [] });
    groups.get(key).pieces.push(piece);
  }
  return [...groups.values()].map((group) => new Batch(gl, scene, group, programs)).sort((a, b) => a.order - b.order);
}

// facing is how a piece turns to the viewer: '', 'node', 'glow', which keeps its size on the screen, 'sprite' or 'axis'.
function facing(piece, material) {
  if (piece.extras.bsp2gltf_sprite && piece.extras.faces_viewer) return piece.extras.glow ? 'glow' : 'node';
  return material.motion.facing === 'axis' || material.motion.facing === 'sprite' ? material.motion.facing : '';
}

class Batch {
  constructor(gl, scene, group, programs) {
    Object.assign(this, group);
    this.order = (this.kind === 'sky' ? -1e6 : 0) + (this.material.alpha === 'BLEND' ? 1e3 : 0) + this.material.sort;
    this.read(scene);
    this.upload(gl);
    this.lines = null;
    this.program = (fogs) => {
      const m = this.material, d = [];
      if (m.base) d.push('TEXTURE');
      if (m.emissive) d.push('GLOW');
      if (m.alpha === 'MASK') d.push('MASK');
      if (scene.display) d.push('DISPLAY');
      if (this.colors) d.push('COLORS');
      if (m.vertexLight) d.push('VERTEX_LIGHT');
      if (m.lightmap && this.light) d.push('LIGHTMAP');
      if (m.display) d.push('LIT');
      if (m.details.length) d.push(`DETAILS ${m.details.length}`);
      if (m.environment) {
        d.push('MIRROR');
        if (m.base && m.environment.share !== null) d.push('SHARE');
        if (m.environment.emission) d.push('MIRROR_GLOW');
        if (m.alpha === 'BLEND') d.push('CLEAR');
      }
      if (m.multiplies) d.push(m.behind && m.base ? 'BEHIND' : 'MULTIPLIES');
      if (this.facing) d.push('SPRITE');
      if (this.facing === 'glow') d.push('GLARE');
      if (this.instanced) d.push('INSTANCED');
      if (this.kind === 'sky') d.push('SKY');
      else if (fogs) d.push(`FOGS ${fogs}`);
      return programs.surface(d);
    };
  }

  // read fills the arrays that picking and the graphics card share.
  read(scene) {
    const { file } = scene, once = this.instanced ? this.pieces.slice(0, 1) : this.pieces;
    let vertices = 0, indices = 0;
    for (const p of once) {
      p.first = vertices;
      p.start = indices;
      p.vertices = file.item('accessors', p.primitive.attributes.POSITION).count;
      p.count = p.primitive.indices === undefined ? p.vertices : file.item('accessors', p.primitive.indices).count;
      p.count -= p.count % 3;
      vertices += p.vertices;
      indices += p.count;
    }
    this.positions = new Float32Array(3 * vertices);
    this.normals = new Int8Array(4 * vertices);
    this.uv = new Float32Array(2 * vertices);
    this.uv2 = this.light ? new Float32Array(2 * vertices) : null;
    this.color = this.colors ? new Uint16Array(4 * vertices) : null;
    this.mirror = this.material.environment ? new Uint16Array(4 * vertices).fill(65535) : null;
    this.indices = new Uint32Array(indices);
    for (const p of once) this.copy(file, p);
    if (this.instanced) for (const p of this.pieces) Object.assign(p, { first: 0, start: 0, vertices: once[0].vertices, count: once[0].count });
    for (const p of this.pieces) this.measure(p);
    if (this.facing) this.corners();
  }

  copy(file, p) {
    const { attributes, indices } = p.primitive, m = this.instanced ? null : p.matrix;
    const position = file.accessor(attributes.POSITION), normal = attributes.NORMAL === undefined ? null : file.accessor(attributes.NORMAL);
    const turn = m && normalMatrix(m);
    for (let i = 0; i < p.vertices; i++) {
      let at = element(position, i, 3), n = normal ? element(normal, i, 3) : [0, 1, 0];
      if (m) {
        at = point(m, at);
        n = unit(add(add(times(turn[0], n[0]), times(turn[1], n[1])), times(turn[2], n[2])));
      }
      const k = p.first + i;
      this.positions.set(at, 3 * k);
      for (let c = 0; c < 3; c++) this.normals[4 * k + c] = Math.round(127 * n[c]);
    }
    fill(this.uv, 2, p, attributes.TEXCOORD_0, file, 1);
    if (this.uv2) fill(this.uv2, 2, p, attributes.TEXCOORD_1, file, 1);
    if (this.color) fill(this.color, 4, p, attributes.COLOR_0, file, 65535);
    if (this.material.environment?.vertex) fill(this.mirror, 4, p, attributes._ENVIRONMENT, file, 65535);
    const list = indices === undefined ? null : file.accessor(indices).array, mirrored = m && determinant(m) < 0;
    for (let i = 0; i < p.count; i++) {
      const from = mirrored ? i - (i % 3) + 2 - (i % 3) : i, v = list ? list[from] : from;
      if (v >= p.vertices) throw new RangeError(`a primitive of mesh ${p.key} names vertex ${v} of ${p.vertices}.`);
      this.indices[p.start + i] = p.first + v;
    }
  }

  // measure finds the box around a piece.
  measure(p) {
    p.low = [Infinity, Infinity, Infinity];
    p.high = [-Infinity, -Infinity, -Infinity];
    for (let i = p.first; i < p.first + p.vertices; i++) {
      let at = [this.positions[3 * i], this.positions[3 * i + 1], this.positions[3 * i + 2]];
      if (this.instanced) at = point(p.matrix, at);
      for (let c = 0; c < 3; c++) {
        if (at[c] < p.low[c]) p.low[c] = at[c];
        if (at[c] > p.high[c]) p.high[c] = at[c];
      }
    }
    p.middle = times(add(p.low, p.high), 0.5);
    p.batch = this;
  }

  // corners gives each vertex of a piece that faces the viewer its middle, and its place right and up of it. A sprite's
  // node is its middle; of a material that faces the viewer each four vertices are one.
  corners() {
    const n = this.positions.length / 3;
    this.center = new Float32Array(3 * n);
    this.axis = new Float32Array(3 * n);
    this.corner = new Float32Array(2 * n);
    const at = (i) => [this.positions[3 * i], this.positions[3 * i + 1], this.positions[3 * i + 2]];
    for (const p of this.pieces) {
      const whole = this.facing === 'node' || this.facing === 'glow', step = whole ? p.vertices : 4;
      for (let i = p.first; i < p.first + p.vertices; i += step) {
        const quad = Array.from({ length: Math.min(step, p.first + p.vertices - i) }, (_, k) => at(i + k));
        const middle = whole ? [p.matrix[12], p.matrix[13], p.matrix[14]] : times(quad.reduce(add), 1 / quad.length);
        const normal = [this.normals[4 * i], this.normals[4 * i + 1], this.normals[4 * i + 2]].map((v) => v / 127);
        let up = Math.abs(normal[1]) < 0.9 ? [0, 1, 0] : [0, 0, -1], axis = [0, 0, 0];
        if (this.facing === 'axis' && quad.length === 4) up = axis = longAxis(quad);
        up = unit(subtract(up, times(normal, dot(up, normal))));
        const right = unit(cross(up, normal));
        for (const [k, v] of quad.entries()) {
          const d = subtract(v, middle);
          this.center.set(middle, 3 * (i + k));
          this.axis.set(axis, 3 * (i + k));
          this.corner.set([dot(d, right), dot(d, up)], 2 * (i + k));
        }
      }
    }
  }

  upload(gl) {
    this.vao = gl.createVertexArray();
    this.buffers = [];
    gl.bindVertexArray(this.vao);
    const put = (slot, data, size, type, normalized) => {
      if (!data) return;
      const buffer = gl.createBuffer();
      this.buffers.push(buffer);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(slot);
      gl.vertexAttribPointer(slot, size, type, normalized, 0, 0);
    };
    put(0, this.positions, 3, gl.FLOAT, false);
    put(1, this.normals, 4, gl.BYTE, true);
    put(2, this.uv, 2, gl.FLOAT, false);
    put(3, this.uv2, 2, gl.FLOAT, false);
    put(4, this.color, 4, gl.UNSIGNED_SHORT, true);
    put(8, this.center, 3, gl.FLOAT, false);
    put(9, this.axis, 3, gl.FLOAT, false);
    put(10, this.corner, 2, gl.FLOAT, false);
    put(11, this.mirror, 4, gl.UNSIGNED_SHORT, true);
    if (this.instanced) {
      const rows = [0, 1, 2].map((r) => new Float32Array(this.pieces.flatMap(({ matrix: m }) => [m[r], m[4 + r], m[8 + r], m[12 + r]])));
      for (const [r, data] of rows.entries()) {
        put(5 + r, data, 4, gl.FLOAT, false);
        gl.vertexAttribDivisor(5 + r, 1);
      }
    }
    const elements = gl.createBuffer();
    this.buffers.push(elements);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, elements);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, this.indices, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    this.elements = elements;
  }

  draw(gl) {
    gl.bindVertexArray(this.vao);
    if (this.instanced) gl.drawElementsInstanced(gl.TRIANGLES, this.indices.length, gl.UNSIGNED_INT, 0, this.pieces.length);
    else gl.drawElements(gl.TRIANGLES, this.indices.length, gl.UNSIGNED_INT, 0);
  }

  drawPiece(gl, p) {
    gl.bindVertexArray(this.vao);
    gl.drawElements(gl.TRIANGLES, p.count, gl.UNSIGNED_INT, 4 * p.start);
  }

  // drawLines draws every edge once.
  drawLines(gl) {
    gl.bindVertexArray(this.vao);
    if (!this.lines) {
      const seen = new Set(), list = [], n = this.positions.length / 3;
      for (let i = 0; i < this.indices.length; i++) {
        const a = this.indices[i], b = this.indices[i % 3 === 2 ? i - 2 : i + 1], key = Math.min(a, b) * n + Math.max(a, b);
        if (!seen.has(key)) list.push(a, b);
        seen.add(key);
      }
      this.lines = gl.createBuffer();
      this.buffers.push(this.lines);
      this.lineCount = list.length;
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.lines);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(list), gl.STATIC_DRAW);
    }
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.lines);
    if (this.instanced) gl.drawElementsInstanced(gl.LINES, this.lineCount, gl.UNSIGNED_INT, 0, this.pieces.length);
    else gl.drawElements(gl.LINES, this.lineCount, gl.UNSIGNED_INT, 0);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.elements);
  }

  free(gl) {
    for (const b of this.buffers) gl.deleteBuffer(b);
    gl.deleteVertexArray(this.vao);
  }
}

const element = ({ array, size, whole }, i, n) => Array.from({ length: n }, (_, c) => (array[i * size + c] ?? 0) / whole);

function fill(to, size, p, index, file, scale) {
  if (index === undefined) return;
  const from = file.accessor(index);
  for (let i = 0; i < p.vertices; i++) {
    for (let c = 0; c < size; c++) to[(p.first + i) * size + c] = c < from.size ? from.array[i * from.size + c] / from.whole * scale : scale;
  }
}

// longAxis is the direction in which a square of four vertices is longer.
function longAxis(quad) {
  const edges = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]].map(([a, b]) => subtract(quad[b], quad[a])).sort((a, b) => length(a) - length(b));
  return unit(edges[2]); // two short ones, two long ones, two diagonals
}
