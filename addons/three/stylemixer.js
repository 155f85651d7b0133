import {
  AddEquation,
  Color,
  CustomBlending,
  HalfFloatType,
  Mesh,
  NoBlending,
  OneFactor,
  OrthographicCamera,
  PlaneGeometry,
  ShaderMaterial,
  WebGLRenderTarget,
} from 'three';
import { curves } from '../shared/color.js';

const VERTEX = 'varying vec2 vAt;\nvoid main() { vAt = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }';
const FRAGMENT = `
varying vec2 vAt;
uniform sampler2D page;
uniform float amount, light;
${curves('mix')}
void main() {
  vec3 v = texture2D(page, vAt).rgb;
#ifdef SUM
  gl_FragColor = vec4(mixEncode(mixDecode(v) / light), 1.0);
#else
  if (light > 0.0) v = mixEncode(mixDecode(v) * light);
  gl_FragColor = vec4(v * amount, 1.0);
#endif
}`;

/**
 * Returns a mixer of lightmap pages. Its add(renderer, [{ texture, amount }]) returns a texture of their sum. With light, the factor
 * from a stored value (made linear) to the game's light, they are added in display space and the result is in the stored form;
 * otherwise everything is linear.
 */
export function makeMixer(width, height, light) {
  const options = { type: HalfFloatType, depthBuffer: false },
    sum = new WebGLRenderTarget(width, height, options),
    out = light ? new WebGLRenderTarget(width, height, options) : sum;
  const uniforms = { page: { value: null }, amount: { value: 1 }, light: { value: light } },
    common = { uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT, depthTest: false, depthWrite: false, toneMapped: false };
  const add = new ShaderMaterial({
    ...common,
    blending: CustomBlending,
    blendEquation: AddEquation,
    blendSrc: OneFactor,
    blendDst: OneFactor,
  });
  const end = new ShaderMaterial({ ...common, blending: NoBlending, defines: { SUM: '' } });
  const quad = new Mesh(new PlaneGeometry(2, 2), add),
    camera = new OrthographicCamera();
  quad.frustumCulled = false;
  const draw = (renderer, target, material, texture) => {
    uniforms.page.value = texture;
    quad.material = material;
    renderer.setRenderTarget(target);
    renderer.render(quad, camera);
  };
  const sumOf = (renderer, parts) => {
    const target = renderer.getRenderTarget(),
      { autoClear } = renderer,
      { enabled } = renderer.xr;
    renderer.xr.enabled = renderer.autoClear = false;
    renderer.setRenderTarget(sum);
    clear(renderer);
    for (const { texture, amount } of parts) {
      uniforms.amount.value = amount;
      draw(renderer, sum, add, texture);
    }
    if (light) draw(renderer, out, end, sum.texture);
    renderer.setRenderTarget(target);
    Object.assign(renderer, { autoClear });
    renderer.xr.enabled = enabled;
    return out.texture;
  };
  return {
    add: sumOf,
    dispose() {
      for (const made of [sum, out, add, end, quad.geometry]) made.dispose();
    },
  };
}

function clear(renderer) {
  const color = renderer.getClearColor(new Color()),
    alpha = renderer.getClearAlpha();
  renderer.setClearColor(0, 0);
  renderer.clear(true, false, false);
  renderer.setClearColor(color, alpha);
}
