// The shaders. Light is multiplied as docs/light.md says; all else that is shown goes through one function at the end.

const VERTEX = `
in vec3 a_position, a_normal;
in vec2 a_uv, a_uv2;
in vec4 a_color;
#ifdef INSTANCED
in vec4 a_row0, a_row1, a_row2;
#endif
#ifdef SPRITE
in vec3 a_center, a_axis;
in vec2 a_corner;
#endif
uniform mat4 u_camera, u_move; // u_move: what a node's movement adds
uniform vec3 u_eye, u_right, u_up, u_shift;
uniform vec3 u_base[2], u_glow[2];
uniform vec2 u_turb, u_glowTurb;
#ifdef MIRROR
in vec4 a_mirror;
uniform vec3 u_mirrorRows[2];
out vec2 v_mirror;
out vec3 v_mirrorTint;
#endif
#ifdef DETAILS
uniform vec3 u_details[2 * DETAILS];
out vec2 v_details[DETAILS];
#endif
uniform vec4 u_wave;      // base, amplitude, phase, phase per metre: along the normal
uniform vec3 u_bulge;     // width, height, phase
out vec2 v_uv, v_glow, v_light;
out vec4 v_color;
out vec3 v_at, v_normal;
out float v_glare;

vec2 moved(vec3 m[2], vec2 turb, vec3 at) {
  vec2 uv = vec2(dot(m[0], vec3(a_uv, 1.0)), dot(m[1], vec3(a_uv, 1.0)));
  if (turb.x != 0.0) uv += turb.x * sin(6.2831853 * (turb.y + vec2(at.x + at.y, -at.z) * TURB));
  return uv;
}

void main() {
  vec3 at = a_position, normal = a_normal;
#ifdef INSTANCED
  at = vec3(dot(a_row0, vec4(at, 1.0)), dot(a_row1, vec4(at, 1.0)), dot(a_row2, vec4(at, 1.0)));
  normal = vec3(dot(a_row0.xyz, normal), dot(a_row1.xyz, normal), dot(a_row2.xyz, normal));
#endif
  at = (u_move * vec4(at, 1.0)).xyz;
  normal = mat3(u_move) * normal;
  vec2 base = moved(u_base, u_turb, at), glow = moved(u_glow, u_glowTurb, at);
#ifdef SPRITE
  vec3 right = u_right, up = u_up, center = (u_move * vec4(a_center, 1.0)).xyz;
  if (dot(a_axis, a_axis) > 0.0) {
    up = mat3(u_move) * a_axis;
    right = normalize(cross(up, u_eye - center));
  }
  vec2 corner = a_corner;
#ifdef GLARE
  // Half-Life's glows are as large from anywhere as from 200 units, and have 19000 / d² of their light, at least a twentieth; the file
  // has that of 400 units.
  float d = length(u_eye - center) * TURB * 1024.0;
  corner *= d / 200.0;
  v_glare = clamp(19000.0 / (d * d), 0.05, 1.0) / 0.11875;
#endif
  at = center + right * corner.x + up * corner.y;
#endif
  at += normal * (u_wave.x + u_wave.y * sin(6.2831853 * (u_wave.z + (at.x + at.y - at.z) * u_wave.w)) + u_bulge.y * sin(a_uv.x * u_bulge.x + u_bulge.z));
  v_uv = base;
#ifdef MIRROR
  vec3 facing = normalize(normal), way = normalize(u_eye - at), back = 2.0 * dot(facing, way) * facing - way;
  vec3 seen = vec3(0.5 - 0.5 * back.z, 0.5 - 0.5 * back.y, 1.0);
  v_mirror = vec2(dot(u_mirrorRows[0], seen), dot(u_mirrorRows[1], seen));
  v_mirrorTint = a_mirror.rgb;
#endif
#ifdef DETAILS
  for (int i = 0; i < DETAILS; i++) v_details[i] = vec2(dot(u_details[2 * i], vec3(a_uv, 1.0)), dot(u_details[2 * i + 1], vec3(a_uv, 1.0)));
#endif
  v_glow = glow;
  v_light = a_uv2;
  v_color = a_color;
  v_at = at;
  v_normal = normal;
  gl_Position = u_camera * vec4(at + u_shift, 1.0);
#ifdef SKY
  gl_Position.z = gl_Position.w * 0.999999;
#endif
}`;

const CURVES = `
vec3 encode(vec3 v) {
  return mix(1.055 * pow(max(v, vec3(1e-8)), vec3(1.0 / 2.4)) - 0.055, v * 12.92, vec3(lessThanEqual(v, vec3(0.0031308))));
}
vec3 decode(vec3 v) {
  return mix(pow((max(v, vec3(0.04045)) + 0.055) / 1.055, vec3(2.4)), v / 12.92, vec3(lessThanEqual(v, vec3(0.04045))));
}
`;

const FRAGMENT = `
precision highp float;
in vec2 v_uv, v_glow, v_light;
in vec4 v_color;
in vec3 v_at, v_normal;
in float v_glare;
uniform sampler2D u_texture, u_emissive, u_lightmap;
#ifdef MIRROR
in vec2 v_mirror;
in vec3 v_mirrorTint;
uniform sampler2D u_mirror, u_mirrorShare;
uniform vec3 u_mirrorMean, u_mirrorColor, u_mirrorFactor;
#endif
#ifdef BEHIND
uniform sampler2D u_behind;
uniform vec3 u_behindFactor;
#endif
#ifdef DETAILS
in vec2 v_details[DETAILS];
uniform sampler2D u_detail0, u_detail1;
#endif
uniform vec4 u_factor;        // linear
uniform vec3 u_emission;      // linear
uniform vec4 u_light;         // intensity / gain^2.2 · strength, d(a), gain / a^p, p
uniform vec3 u_emissionGain;
uniform vec3 u_tint, u_glowTint; // as displayed: waves of colour
uniform vec3 u_warp;          // amplitude, waves per coordinate, phase: liquids of Quake
uniform vec2 u_show;          // textures, light
uniform float u_cutoff, u_exposure;
uniform float u_mixed;        // of light that was mixed from styles: the strength as displayed; else 0
uniform vec3 u_eye;
uniform vec4 u_highlight;
uniform vec4 u_fogRange;      // start, 1 / (end - start), most, 1 if it is on or 2 if it is radial; metres
uniform vec3 u_fogColor;      // linear
#ifdef FOGS
uniform vec3 u_fogMin[FOGS], u_fogMax[FOGS];
uniform vec4 u_fogs[FOGS];    // colour as displayed, 1 / metres to opacity
#endif
out vec4 color;

${CURVES}
void main() {
  vec4 texel = vec4(1.0), base = u_factor;
#ifdef TEXTURE
  vec2 uv = v_uv;
  if (u_warp.x != 0.0) uv += u_warp.x * sin(uv.yx * u_warp.y + u_warp.z);
  texel = texture(u_texture, uv);
#ifdef DISPLAY
  base.rgb *= decode(texel.rgb);
#else
  base.rgb *= texel.rgb;
#endif
  base.a *= texel.a;
#endif
#ifdef COLORS
  base.a *= v_color.a;
#endif
#ifdef GLARE
  base.a *= v_glare;
#endif
#ifdef MASK
  if (base.a < u_cutoff) discard;
  base.a = 1.0;
#endif
  vec3 glow = u_emission, light = vec3(1.0);
#ifdef GLOW
#ifdef DISPLAY
  glow *= decode(texture(u_emissive, v_glow).rgb);
#else
  glow *= texture(u_emissive, v_glow).rgb;
#endif
#endif
#ifdef LIGHTMAP
  light = texture(u_lightmap, v_light).rgb;
#ifdef DISPLAY
  vec3 sum = light;
  light = decode(light);
#endif
  light *= u_light.x;
#endif
#ifdef COLORS
#if defined(VERTEX_LIGHT) || !defined(LIGHTMAP)
  light = v_color.rgb * u_light.x;
#else
  base.rgb *= v_color.rgb;
#endif
#endif
  vec3 shown, more = vec3(0.0), moreGlow = more, most = vec3(1.0);
#ifdef MIRROR
  more = u_mirrorFactor * (texture(u_mirror, v_mirror).rgb * u_mirrorColor * v_mirrorTint - u_mirrorMean);
#ifdef SHARE
  more *= texture(u_mirrorShare, uv).rgb;
#endif
#ifdef CLEAR
  most /= max(base.a, 1e-3);
#endif
#ifdef MIRROR_GLOW
  moreGlow = more, more = vec3(0.0);
#endif
#endif
#ifdef LIT
  vec3 l = encode(light * u_light.y) * u_light.z;
#ifdef LIGHTMAP
  if (u_mixed > 0.0) l = sum * u_mixed * u_light.z;
#endif
  shown = mix(vec3(1.0), pow(clamp(encode(base.rgb) + more, vec3(0.0), most), vec3(u_light.w)), u_show.x) * u_tint * mix(vec3(1.0), l, u_show.y);
#ifdef DETAILS
  shown = min(shown, vec3(1.0)) * mix(vec3(1.0), 2.0 * texture(u_detail0, v_details[0]).rgb, u_show.x);
#if DETAILS > 1
  shown = min(shown, vec3(1.0)) * mix(vec3(1.0), 2.0 * texture(u_detail1, v_details[1]).rgb, u_show.x);
#endif
#endif
  shown += (encode(glow) * u_emissionGain + moreGlow) * u_glowTint * u_show.x;
#else
#ifdef MIRROR
  base.rgb = decode(clamp(encode(base.rgb) + more, vec3(0.0), most));
#endif
  shown = encode(mix(vec3(1.0), base.rgb, u_show.x) * mix(vec3(1.0), light, u_show.y) + glow * u_show.x) * u_tint;
#endif
  if (u_exposure != 1.0) shown = encode(decode(shown) * u_exposure);
  vec3 way = v_at - u_eye;
#ifndef SKY
  float far = length(way);
  if (u_fogRange.w > 0.0) {
    float f = min(clamp(((u_fogRange.w > 1.0 ? far : 1.0 / gl_FragCoord.w) - u_fogRange.x) * u_fogRange.y, 0.0, 1.0), u_fogRange.z);
    shown = encode(mix(decode(shown), u_fogColor, f * f));
  }
#ifdef FOGS
  for (int i = 0; i < FOGS; i++) {
    vec3 s = 1.0 / mix(way, vec3(1e-5), lessThan(abs(way), vec3(1e-5))), a = (u_fogMin[i] - u_eye) * s, b = (u_fogMax[i] - u_eye) * s;
    vec3 near3 = min(a, b), far3 = max(a, b);
    float from = max(max(near3.x, near3.y), max(near3.z, 0.0)), to = min(min(far3.x, far3.y), min(far3.z, 1.0));
    if (to > from) shown = mix(min(shown, vec3(1.0)), u_fogs[i].rgb, sqrt(min((to - from) * far * u_fogs[i].w, 1.0)));
  }
#endif
#endif
#ifdef CLEAR
  shown *= base.a;
#endif
  color = vec4(mix(clamp(shown, vec3(0.0), vec3(1.0)), u_highlight.rgb, u_highlight.a), base.a);
#ifdef BEHIND
  color.rgb = 0.5 * u_behindFactor * texture(u_behind, uv).rgb;
#if defined(LIT) && defined(LIGHTMAP)
  color.rgb *= mix(vec3(1.0), l, u_show.y);
#endif
#elif defined(MULTIPLIES)
  color.rgb = mix(vec3(0.5), color.rgb, base.a);
#endif
}`;

const LINE_VERTEX = `
in vec3 a_position;
in vec3 a_color;
uniform mat4 u_camera;
uniform float u_size;
out vec3 v_color;
void main() {
  v_color = a_color;
  gl_Position = u_camera * vec4(a_position, 1.0);
  gl_PointSize = clamp(u_size / gl_Position.w, 5.0, 22.0);
}`;

const LINE_FRAGMENT = `
precision mediump float;
in vec3 v_color;
uniform vec4 u_fixed;
uniform float u_round;
out vec4 color;
void main() {
  float r = length(gl_PointCoord - 0.5);
  if (u_round > 0.5 && r > 0.5) discard;
  color = vec4(mix(v_color, u_fixed.rgb, u_fixed.a), 1.0);
  if (u_round > 0.5 && r > 0.36) color.rgb = vec3(0.0);
}`;

// A page of a lightmap with styles, to be added up as the game adds light: as displayed where it does so.
const MIX_VERTEX = `
in vec3 a_position;
out vec2 v_uv;
void main() {
  v_uv = a_position.xy * 0.5 + 0.5;
  gl_Position = vec4(a_position, 1.0);
}`;
const MIX_FRAGMENT = `
precision highp float;
in vec2 v_uv;
uniform sampler2D u_page;
uniform float u_amount;
uniform vec2 u_display;       // intensity · d(a), whether light is added as displayed
out vec4 color;
${CURVES}void main() {
  vec3 light = texture(u_page, v_uv).rgb;
  if (u_display.y > 0.0) light = encode(decode(light) * u_display.x);
  color = vec4(light * u_amount, 1.0);
}`;

export const ATTRIBUTES = ['a_position', 'a_normal', 'a_uv', 'a_uv2', 'a_color', 'a_row0', 'a_row1', 'a_row2', 'a_center', 'a_axis', 'a_corner', 'a_mirror'];

export class Programs {
  constructor(gl, unit) {
    this.gl = gl;
    this.unit = unit;
    this.made = new Map();
  }

  surface(defines) {
    return this.get(defines.join(' '), VERTEX, FRAGMENT, `#define TURB ${(1 / (1024 * this.unit)).toExponential()}\n${defines.map((d) => `#define ${d}\n`).join('')}`);
  }

  line() { return this.get('line', LINE_VERTEX, LINE_FRAGMENT, ''); }
  mix() { return this.get('mix', MIX_VERTEX, MIX_FRAGMENT, ''); }

  get(key, vertex, fragment, head) {
    if (!this.made.has(key)) this.made.set(key, build(this.gl, `#version 300 es\n${head}`, vertex, fragment));
    return this.made.get(key);
  }
}

function build(gl, head, ...sources) {
  const program = gl.createProgram();
  for (const [i, source] of sources.entries()) {
    const shader = gl.createShader(i ? gl.FRAGMENT_SHADER : gl.VERTEX_SHADER);
    gl.shaderSource(shader, head + source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  ATTRIBUTES.forEach((name, i) => gl.bindAttribLocation(program, i, name));
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    if (gl.isContextLost()) return { program, at: {} };
    throw new Error(`a shader does not compile: ${gl.getAttachedShaders(program).map((s) => gl.getShaderInfoLog(s)).join(' ')} ${gl.getProgramInfoLog(program)}`);
  }
  const at = {};
  for (let i = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) - 1; i >= 0; i--) {
    const { name } = gl.getActiveUniform(program, i);
    at[name.replace(/\[0\]$/, '')] = gl.getUniformLocation(program, name);
  }
  return { program, at };
}
