import { HalfFloatType, NoToneMapping, ShaderMaterial, SRGBColorSpace, WebGLRenderTarget } from 'three';
import { FullScreenQuad, Pass } from 'three/addons/postprocessing/Pass.js';
import { curves } from '../shared/color.js';

/**
 * Replaces RenderPass in an EffectComposer: it draws the scene as on a canvas, where games blend display values, and passes linear
 * light to the following passes.
 */
export class DisplayRenderPass extends Pass {
  /** @param samples per pixel, for smooth edges; 0 means none */
  constructor(scene, camera, { samples = 4 } = {}) {
    super();
    Object.assign(this, { scene, camera, needsSwap: false });
    this.target = new WebGLRenderTarget(1, 1, { type: HalfFloatType, colorSpace: SRGBColorSpace, samples });
    this.target.isXRRenderTarget = true; // three.js draws display values into the target of a headset, but linear light into others
    this.uniforms = { shown: { value: this.target.texture }, decode: { value: true } };
    this.quad = new FullScreenQuad(new ShaderMaterial({ uniforms: this.uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT, depthTest: false, depthWrite: false, toneMapped: false }));
  }

  setSize(width, height) {
    this.target.setSize(width, height);
  }

  render(renderer, writeBuffer, readBuffer) {
    const { autoClear, toneMapping } = renderer;
    Object.assign(renderer, { autoClear: false, toneMapping: NoToneMapping }); // OutputPass maps tones
    renderer.setRenderTarget(this.target);
    renderer.clear();
    renderer.render(this.scene, this.camera);
    Object.assign(renderer, { toneMapping });
    renderer.setRenderTarget(this.renderToScreen ? null : readBuffer);
    this.uniforms.decode.value = !this.renderToScreen;
    this.quad.render(renderer);
    Object.assign(renderer, { autoClear });
  }

  dispose() {
    this.target.dispose();
    this.quad.material.dispose();
    this.quad.dispose();
  }
}

const VERTEX = 'varying vec2 vAt;\nvoid main() { vAt = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }';
const FRAGMENT = `
varying vec2 vAt;
uniform sampler2D shown;
uniform bool decode;
${curves('shown')}
void main() {
  vec4 color = texture2D(shown, vAt);
  gl_FragColor = vec4(decode ? shownDecode(color.rgb) : color.rgb, color.a);
}`;
