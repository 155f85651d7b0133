import { REVISION } from 'three';

/** Adds to the shader of a material, beside what was added before. key tells materials with different additions apart. */
export function patch(material, key, change) {
  const { onBeforeCompile, customProgramCacheKey } = material;
  material.onBeforeCompile = function (shader, renderer) {
    onBeforeCompile.call(this, shader, renderer);
    change(shader);
  };
  material.customProgramCacheKey = function () {
    return `${customProgramCacheKey.call(this)} ${key}`;
  };
  material.needsUpdate = true;
}

/** Replaces the first place of a text in a shader's vertex or fragment stage; $& in by is the text itself. Throws if it is not there. */
export function replace(shader, stage, text, by) {
  const name = `${stage}Shader`, code = shader[name];
  if (!code.includes(text)) throw unknown(`"${text}" in the ${stage} shader ${shader.shaderName ?? ''}`);
  shader[name] = code.replace(text, by);
}

/** Returns an error that says which of its texts this version of three lacks. */
export const unknown = (what) => new Error(`bsp2gltf: three r${REVISION} is not supported: there is no ${what.trim()}`);

/** Puts declarations before a shader's vertex or fragment stage. */
export function declare(shader, stage, text) {
  shader[`${stage}Shader`] = `${text}\n${shader[`${stage}Shader`]}`;
}
