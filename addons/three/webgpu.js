/**
 * Shows bsp2gltf's files with three.js' WebGPURenderer: baked light in display space, emission, additive and multiplying blending,
 * exposure, gamma, fog, sky, sprites and motion. The other parts change shaders of WebGLRenderer (index.js).
 */
import { AdditiveBlending, AddEquation, CustomBlending, DstColorFactor, OneFactor, ZeroFactor } from 'three';
import { cameraPosition, cameraProjectionMatrix, float, Fn, If, max, min, mix, modelViewMatrix, positionLocal, positionView, positionWorld, pow, select, step, texture, uniform, uv, vec3, vec4, vertexColor } from 'three/tsl';
import { MeshBasicNodeMaterial } from 'three/webgpu';
import { toLinear } from '../shared/color.js';
import { FOG_SIDE } from '../shared/fogdata.js';
import { bsp2gltfAmbient } from './ambient.js';
import { bsp2gltfBlend } from './blend.js';
import { bsp2gltfDispose } from './dispose.js';
import { bsp2gltfExposure } from './exposure.js';
import { shadeFog } from './fog.js';
import { materialsOf, meshesOf, owned, setUp, stored } from './traverse.js';
import { bsp2gltfHidden } from './hidden.js';
import { bsp2gltfLevels } from './levels.js';
import { bsp2gltfLightmaps } from './light.js';
import { bsp2gltfMotion } from './motion.js';
import { additionsOf } from './patch.js';
import { bsp2gltfSky } from './sky.js';
import { bsp2gltfSprites } from './sprites.js';
import { bsp2gltfVariants } from './variants.js';

/**
 * Makes a GLTFLoader show files with WebGPURenderer, and returns it. options are strength, unlit, lights, display, fog, exposure and
 * gamma, as in index.js. A loaded file has gltf.bsp2gltf with what can be moved: { motion, variants, levels, ambient, exposure, fog,
 * update(seconds), dispose() }.
 */
export function bsp2gltf(loader, { strength, unlit, lights, display, fog: foggy = true, exposure: exposed = true, gamma = true } = {}) {
  bsp2gltfLightmaps(loader, { strength, unlit, lights, display });
  return loader.register(() => ({
    name: 'bsp2gltf',
    async afterRoot(gltf) {
      const levels = await bsp2gltfLevels(gltf), variants = await bsp2gltfVariants(gltf);
      await bsp2gltfBlend(gltf);
      const exposure = exposed ? bsp2gltfExposure(gltf) : undefined, fog = foggy ? shadeFog(gltf) : undefined;
      bsp2gltfSky(gltf);
      bsp2gltfSprites(gltf);
      bsp2gltfHidden(gltf);
      const [motion, ambient] = await Promise.all([bsp2gltfMotion(gltf), bsp2gltfAmbient(gltf)]);
      const synced = await useNodes(gltf, gamma ? gammaOf(gltf) : 1);
      let disposed = false;
      gltf.bsp2gltf = {
        motion, variants, levels, ambient, exposure, fog,
        update(seconds) {
          if (disposed) return;
          motion.update(seconds);
          for (const sync of synced) sync();
        },
        dispose() {
          disposed = true;
          bsp2gltfDispose(gltf);
        },
      };
    },
  }));
}

function gammaOf(gltf) {
  const gamma = Number(gltf.scene.userData.bsp2gltf_gamma);
  return gamma > 0 && Number.isFinite(gamma) ? gamma : 1;
}

// useNodes gives meshes node materials in place of materials with changed shaders, and returns functions that keep both in sync.
async function useNodes(gltf, gamma) {
  const made = new Map(), synced = [];
  for (const material of materialsOf(gltf)) {
    if (!material.isBakedMaterial && !material.isMeshBasicMaterial) continue;
    const { behind } = material.userData, picture = material.blending === CustomBlending && Number.isInteger(behind?.texture) ? await stored(gltf.parser, behind.texture) : null;
    const { node, sync } = makeNode(material, gamma, picture);
    owned(gltf.parser, node);
    gltf.parser.associations.set(node, gltf.parser.associations.get(material));
    made.set(material, node);
    synced.push(sync);
  }
  for (const mesh of meshesOf(gltf)) {
    const { material } = mesh, node = made.get(material);
    if (!node) continue;
    mesh.material = node;
    const hooks = additionsOf(material).map(({ onBeforeRender }) => onBeforeRender).filter(Boolean);
    if (hooks.length) setUp(mesh, (m) => callBefore(m, hooks));
  }
  return synced;
}

// WebGPURenderer calls onBeforeRender of meshes, but not of materials.
function callBefore(mesh, hooks) {
  const before = mesh.onBeforeRender;
  mesh.onBeforeRender = function (...all) {
    before.apply(this, all);
    for (const hook of hooks) hook(...all);
  };
}

const encode = (v) => mix(pow(max(v, vec3(1e-8)), vec3(1 / 2.4)).mul(1.055).sub(0.055), v.mul(12.92), step(v, vec3(0.0031308)));
const decode = (v) => mix(pow(max(v, vec3(0.04045)).add(0.055).div(1.055), vec3(2.4)), v.div(12.92), step(v, vec3(0.04045)));

// follow returns a node for a value whose object may be replaced.
const follow = (holder) => uniform(holder.value).onObjectUpdate(() => holder.value);

function makeNode(material, gamma, picture) {
  const node = new MeshBasicNodeMaterial(), textures = [];
  const read = (name, at = null) => {
    const of = material[name], plain = at ? texture(of, at) : texture(of);
    textures.push([plain, name]);
    return plain;
  };
  const { side, transparent, opacity, alphaTest, depthTest, depthWrite, blending, blendSrc, blendDst, blendSrcAlpha, blendDstAlpha, premultipliedAlpha, userData, name, forceSinglePass, visible } = material;
  Object.assign(node, { side, transparent, opacity, alphaTest, depthTest, depthWrite, blending, blendSrc, blendDst, blendSrcAlpha, blendDstAlpha, premultipliedAlpha, userData, name, forceSinglePass, visible, fog: false, isBakedNodeMaterial: true });
  node.color = material.color; // motion.js changes it
  const isStored = material.defines?.BAKED_STORED !== undefined, decoded = (v) => (isStored ? decode(v) : v);
  const texel = material.map ? read('map') : vec4(1), color = uniform(material.color), base = color.mul(decoded(texel.rgb));
  let glow = material.emissive ? uniform(material.emissive).mul(float(material.emissiveIntensity)) : vec3(0);
  if (material.emissiveMap) glow = glow.mul(decoded(read('emissiveMap').rgb));
  const colors = material.vertexColors ? vertexColor() : null, over = Boolean(userData.over_alpha), { display } = material;
  const vertexLight = colors && (over ? colors.rgb.div(max(colors.a, 1e-4)) : colors.rgb);
  const alpha = colors && !over ? texel.a.mul(colors.a) : texel.a;
  const page = material.lightMap ? read('lightMap', uv(material.lightMap.channel)).rgb : null, intensity = material.lightMapIntensity / Math.PI;
  let shown = null, lightShown = vec3(1), seen = alpha;
  if (display && (page || display.vertex)) {
    const { albedo, exponent, gain = 1, emission = [1, 1, 1], strength = 1 } = display, lit = (x) => encode(x.mul((strength / gain ** 2.2) * toLinear(albedo))).mul(gain / albedo ** exponent);
    lightShown = lit(display.vertex ? vertexLight ?? vec3(gain ** 2.2 / strength) : (isStored ? decode(page) : page).mul(intensity));
    shown = decode(pow(encode(base), vec3(exponent)).mul(lightShown).add(encode(glow).mul(vec3(...emission))).clamp(0, 1));
  } else {
    const light = [page && page.mul(intensity), vertexLight].filter(Boolean);
    shown = light.reduce((product, factor) => product.mul(factor), base).add(glow);
  }
  for (const { key, data } of additionsOf(material)) {
    if (key === 'exposure') shown = shown.mul(follow(data.uniform));
    if (!key.startsWith('fog')) continue;
    const fogged = addFog(shown, seen, data);
    [shown, seen] = [fogged.rgb, fogged.a];
  }
  const whole = blending === CustomBlending && blendDst !== OneFactor && !userData.bsp2gltf_sky ? 2 : 1;
  if (gamma !== 1) shown = decode(pow(encode(max(shown, vec3(0))).mul(whole), vec3(1 / gamma)).div(whole));
  if (userData.blend === 'multiply' && blending === CustomBlending) {
    // The background is multiplied by twice the display value. The target holds linear light, where that factor is the decoded product.
    const by = picture ? texture(picture, uv(material.map?.channel ?? 0)).rgb.mul(0.5).mul(vec3(...userData.behind.factor)).mul(lightShown) : mix(vec3(0.5), encode(shown), seen.mul(float(opacity)));
    shown = decode(by.mul(2));
    Object.assign(node, { blendEquation: AddEquation, blendSrc: DstColorFactor, blendDst: ZeroFactor });
    seen = float(1);
  }
  node.colorNode = vec4(shown, seen);
  if (material.blending === AdditiveBlending) node.blending = AdditiveBlending;
  if (userData.bsp2gltf_sky) node.vertexNode = aroundCamera();
  return {
    node,
    // sync copies what motion.js changes in the other material.
    sync() {
      for (const [plain, of] of textures) if (material[of] && plain.value !== material[of]) plain.value = material[of];
    },
  };
}

// aroundCamera is the position of a sky vertex, in the middle of the depth range.
const aroundCamera = () => Fn(() => {
  const at = cameraProjectionMatrix.mul(modelViewMatrix).mul(positionLocal).toVar();
  return vec4(at.xy, at.w.mul(0.5), at.w);
})();

// addFog returns the colour behind fog, and the opacity: fog.js has the rule.
const addFog = (light, alpha, { uniforms: u, count, kind, sky }) => Fn(() => {
  const toFog = follow(u.fogSpace), on = uniform(1).onObjectUpdate(() => Number(u.fogOn.value)).greaterThan(0.5), range = follow(u.fogRange), rangeColor = follow(u.fogRangeColor), law = follow(u.fogLaw);
  const at = toFog.mul(vec4(positionWorld, 1)).xyz.toVar(), eye = toFog.mul(vec4(cameraPosition, 1)).xyz.toVar(), way = at.sub(eye).toVar(), far = way.length().toVar(), away = positionView.z.negate();
  const lit = vec3(light).toVar(), shown = encode(lit).toVar(), thin = float(1).toVar(), depth = far.mul(away).div(max(positionView.length(), 1e-6)).toVar();
  if (sky) {
    way.mulAssign(1e4);
    depth.mulAssign(1e4);
    shown.assign(mix(shown, encode(rangeColor), law.w));
  } else {
    If(range.w.greaterThan(0), () => {
      const d = select(range.w.greaterThan(1), far, away).toVar(), f = min(d.sub(range.x).mul(range.y).clamp(0, 1), range.z);
      If(law.x.greaterThan(0), () => {
        const thick = float(1).sub(pow(max(min(d, law.z).sub(range.x), 0).mul(law.x), law.y).negate().exp());
        shown.assign(mix(shown, encode(rangeColor), range.z.mul(thick)));
      }).Else(() => {
        shown.assign(encode(mix(lit, rangeColor, f.mul(f))));
      });
    });
  }
  for (let i = 0; i < count; i++) {
    const [low, high, values, surface, fogged] = ['fogLow', 'fogHigh', 'fogValues', 'fogSurface', 'fogVeils'].map((name) => uniform(u[name].value[i]));
    const holds = (p) => step(low, p).mul(step(p, high)), all = (v) => v.x.mul(v.y).mul(v.z).greaterThan(0.5);
    const sided = surface.xyz.dot(surface.xyz).greaterThan(0.5), inner = select(sided, surface.w.sub(surface.xyz.dot(eye)), float(1)).toVar(), deep = select(sided, inner.sub(surface.xyz.dot(way)), float(1)).toVar();
    const part = float(0).toVar(), through = inner.div(inner.sub(deep)).toVar();
    const behindSurface = () => {
      if (!sky && kind !== 'solid') return;
      If(fogged.greaterThan(0.5).and(inner.greaterThanEqual(0)).and(deep.lessThan(0)).and(all(holds(eye.add(way.mul(through))))), () => { part.assign(through); });
    };
    if (sky) behindSurface();
    else {
      const side = (from, to) => step(to, vec3(-1e-9)).mul(step(from, vec3(-1e-9))); // both are before a side
      const beyond = side(at.sub(low).sub(FOG_SIDE), eye.sub(low)).add(side(high.sub(at).sub(FOG_SIDE), high.sub(eye)));
      If(all(holds(at)).and(beyond.x.add(beyond.y).add(beyond.z).lessThan(0.5)), () => {
        If(deep.greaterThanEqual(0), () => { part.assign(select(inner.lessThan(0), deep.div(deep.sub(inner)), float(1))); });
      }).Else(behindSurface);
    }
    const f = depth.mul(part).mul(values.w).clamp(0, 1).sqrt().toVar();
    If(f.greaterThan(0), () => {
      if (kind === 'adds') shown.mulAssign(float(1).sub(f));
      else if (kind === 'multiplies') shown.assign(sky ? mix(shown, vec3(0.5), f) : shown);
      else if (kind === 'covers' && !sky) thin.mulAssign(float(1).sub(f));
      else shown.assign(mix(min(shown, vec3(1)), values.rgb, f));
    });
  }
  return vec4(select(on, decode(shown), lit), select(on, float(alpha).mul(thin), alpha));
})();
