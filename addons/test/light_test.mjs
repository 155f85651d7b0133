// usage: node light_test.mjs
// Tests the light of docs/internals/light.md in the shaders of Unity and Godot, which can't run here: their formulas are plain
// arithmetic, so they are compiled as GLSL in Chromium and compared with the same formulas in JavaScript.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPage } from './client.mjs';

const addons = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const read = (name) => fs.readFileSync(path.join(addons, name), 'utf8');
const hlsl = `#define float2 vec2\n#define float3 vec3\n#define float4 vec4\n#define lerp mix\n#define saturate(x) clamp(x, 0.0, 1.0)
${read('unity/Runtime/Shaders/Light.hlsl')}`;
const unity = `${hlsl}
vec3 shown(vec3 b, vec3 l, vec3 e, vec4 c, vec3 s) { return Bsp2GltfShown(b, l, e, c, s); }`;
const gdshader = read('godot/godot4/addons/bsp2gltf/baked.gdshader');
const godot = `vec4 curve; vec3 emission_scale;\n${gdshader.slice(gdshader.indexOf('// sRGB to linear'), gdshader.indexOf('// The linear colour of a texel'))}
vec3 shown(vec3 b, vec3 l, vec3 e, vec4 c, vec3 s) { curve = c; emission_scale = s; return show(b, l, e); }`;

const decode = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const encode = (c) => (c <= 0.0031308 ? c * 12.92 : 1.055 * c ** (1 / 2.4) - 0.055);
function expected(b, x, e, [albedo, exponent, display, gain], scale) {
  if (!display) return b * x + e;
  const l = gain * encode(x * decode(albedo)) / albedo ** exponent;
  return decode(Math.min(encode(b) ** exponent * l + encode(e) * scale, 1));
}

const lights = [];
for (const curve of [[0.35, 1, 0, 1], [0.35, 1, 1, 1], [0.3, 0.8, 1, 1], [0.5, 1.5, 1, 2]]) {
  for (const b of [0, 0.002, 0.1, 0.6, 1]) for (const x of [0, 0.01, 0.5, 1, 3]) for (const e of [0, 0.003, 0.3]) lights.push({ b, x, e, curve, scale: 0.7 });
}
// The fractions of directed light are tested with the same inputs: texel, light and emission serve as the channels of a normal map.
const shares = `${hlsl}
vec3 shown(vec3 b, vec3 l, vec3 e, vec4 c, vec3 s) { vec3 w = Bsp2GltfShares(vec3(b.x, l.x, e.x)); return vec3(dot(w, s * vec3(1, 10, 100))); }`;
const square = (x) => Math.max(x, 0) ** 2;
function sharesOf(r, g, b) {
  const u = (2 * r - 1) / Math.sqrt(6), v = (1 - 2 * g) / Math.sqrt(2), up = (2 * b - 1) / Math.sqrt(3);
  const w = [square(up + 2 * u), square(up - u + v), square(up - u - v)], sum = w[0] + w[1] + w[2];
  return sum > 0 ? (w[0] + 10 * w[1] + 100 * w[2]) / sum : 0;
}
const normals = [];
for (const b of [0.1, 0.4, 0.5, 0.8]) for (const x of [0.2, 0.5, 0.9]) for (const e of [0.3, 0.75, 1]) normals.push({ b, x, e, curve: [0, 0, 0, 0], scale: 1 });

// Distance fog (docs/internals/materials.md) and the display's gamma: b is the colour, 10 x the distance, e the fog's colour; it goes
// from 1 to 5 metres, to at most 0.8. The third number is the thickness of exponential fog, with a power of 2.
const fog = `${hlsl}
vec3 shown(vec3 b, vec3 l, vec3 e, vec4 c, vec3 s) { vec2 part = Bsp2GltfRangeFog(10.0 * l.x, vec4(1.0, 0.25, 0.8, 1.0), vec4(c.z, 2.0, 5.0, 0.0), 0.0);
return Bsp2GltfDisplayed(Bsp2GltfFogged(b, e, part), 1.125); }`;
function fogged(b, x, e, thickness) {
  const far = 10 * x, linear = Math.min(Math.max((far - 1) / 4, 0), 0.8) ** 2, part = 0.8 * (1 - Math.exp(-((Math.max(Math.min(far, 5) - 1, 0) * thickness) ** 2)));
  const mixed = thickness ? decode(encode(b) * (1 - part) + encode(e) * part) : b * (1 - linear) + e * linear;
  return decode(encode(mixed) ** (1 / 1.125));
}
const fogs = [];
for (const thickness of [0, 0.3]) for (const b of [0, 0.1, 1]) for (const x of [0, 0.2, 0.45, 0.9]) for (const e of [0, 0.5]) fogs.push({ b, x, e, curve: [0, 0, thickness, 0], scale: 1 });

// Moving vertices (docs/internals/readers.md, "Motion"), in Unity's axes: at (b, x, e) with the normal (0.6, 0, 0.8); s is e, and time
// is scale.
const moves = `${hlsl}\n#define frac fract\n${read('unity/Runtime/Shaders/Motion.hlsl')}
vec3 shown(vec3 b, vec3 l, vec3 e, vec4 c, vec3 s) { vec4 kind[4] = vec4[4](vec4(1, 0, 0.1, 0.5), vec4(2, 3, 0.2, 0.3), vec4(3, 7, 0.25, 1.5), vec4(4, 0.75, 0, 0));
vec3 p = Bsp2GltfDeformed(vec3(b.x, l.x, e.x), vec3(0.6, 0.0, 0.8), e.x, kind[int(c.x)], vec4(0.25, 2.0, c.x < 0.5 ? 0.3 : 0.0, 0.0), vec4(2.0, 3.0, 4.0, 0.0), 0.05, s.x);
return vec3(p.x + 10.0 * p.y + 100.0 * p.z); }`;
const fraction = (v) => v - Math.floor(v), TAU = 2 * Math.PI;
function moved([x, y, z], kind, time) {
  const along = (d) => [0.6 * d, 0, 0.8 * d], file = [-x, y, z]; // glTF's X points the other way
  const way = [() => along(0.1 + 0.5 * Math.sin(TAU * fraction(0.25 + 2 * time + 0.3 * (file[0] + file[1] - file[2])))), () => [2, 3, 4].map((v) => v * (0.2 + 0.3 * fraction(0.25 + 2 * time))),
    () => along(0.25 * Math.sin(7 * z + 1.5 * time)), () => [0, 0.75 * (Math.sin(TAU * (0.625 * time + 0.2 * (file[0] - file[2]))) + 0.8 * Math.sin(TAU * (0.66796875 * time + 0.2 * (5 * file[0] + file[2])))), 0]][kind]();
  return x + way[0] + 10 * (y + way[1]) + 100 * (z + way[2]);
}
const vertices = [];
for (const kind of [0, 1, 2, 3]) for (const b of [-1.5, 0.25, 3]) for (const x of [0, 2]) for (const e of [-0.5, 0.4]) for (const scale of [0, 0.3, 5]) vertices.push({ b, x, e, curve: [kind, 0, 0, 0], scale });

const page = await openPage(64, 64);
let failures = 0;
for (const [name, code, cases, want] of [['Unity', unity, lights, (c) => expected(c.b, c.x, c.e, c.curve, c.scale)],
  ['Godot', godot, lights, (c) => expected(c.b, c.x, c.e, c.curve, c.scale)], ['Unity, fog', fog, fogs, (c) => fogged(c.b, c.x, c.e, c.curve[2])], ['Unity, normal maps', shares, normals, (c) => sharesOf(c.b, c.x, c.e)],
  ['Unity, vertices that move', moves, vertices, (c) => moved([c.b, c.x, c.e], c.curve[0], c.scale)]]) {
  const values = await page.evaluate(({ code, cases }) => {
    const gl = document.createElement('canvas').getContext('webgl2');
    gl.getExtension('EXT_color_buffer_float');
    const shader = (type, text) => {
      const s = gl.createShader(type);
      gl.shaderSource(s, `#version 300 es\nprecision highp float;\n${text}`);
      gl.compileShader(s);
      if (!gl.getShaderParameter(s, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(s));
      return s;
    };
    const program = gl.createProgram();
    gl.attachShader(program, shader(gl.VERTEX_SHADER, 'void main() { gl_Position = vec4(0, 0, 0, 1); gl_PointSize = 1.0; }'));
    gl.attachShader(program, shader(gl.FRAGMENT_SHADER, `${code}\nuniform vec3 b, x, e, s; uniform vec4 c; out vec4 o; void main() { o = vec4(shown(b, x, e, c, s), 1); }`));
    gl.linkProgram(program);
    gl.useProgram(program);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, 1, 1);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, gl.getParameter(gl.TEXTURE_BINDING_2D), 0);
    gl.viewport(0, 0, 1, 1);
    const out = new Float32Array(4), set = (name, v) => gl.uniform3fv(gl.getUniformLocation(program, name), v);
    return cases.map(({ b, x, e, curve, scale }) => {
      for (const [n, v] of Object.entries({ b, x, e, s: scale })) set(n, [v, v, v]);
      gl.uniform4fv(gl.getUniformLocation(program, 'c'), curve);
      gl.drawArrays(gl.POINTS, 0, 1);
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.FLOAT, out);
      return out[0];
    });
  }, { code, cases });
  const wrong = cases.map((c, i) => [c, values[i], want(c)]).filter(([, have, should]) => !(Math.abs(have - should) < 2e-3 * Math.max(1, Math.abs(should))));
  console.log(wrong.length ? `FAIL ${name}: ${JSON.stringify(wrong.slice(0, 5))}` : `ok ${name}'s shader: ${cases.length} values of light`);
  failures += wrong.length;
}
await page.close();
process.exit(failures ? 1 : 0);
