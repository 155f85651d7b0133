import { REVISION } from 'three';

const PATCHES = Symbol('bsp2gltf'), warned = new Set();

/** The error of a shader that lacks the place for an addition. */
class NoPlaceError extends Error {}

/**
 * Adds to the shader of a material and of its clones, besides what was added before. key begins with the name of the part that adds,
 * and distinguishes materials with different additions; an addition replaces an earlier one with the same key. onBeforeRender is called
 * before the material is drawn, like Material.onBeforeRender; data is for other renderers. If this version of three.js lacks the place
 * for an addition, it is left out, with a warning.
 */
export function patch(material, key, change, onBeforeRender = null, data = null) {
  familyOf(material);
  const { list } = material[PATCHES];
  const addition = { key, change, onBeforeRender, data }, earlier = list.findIndex((a) => a.key === key);
  if (earlier < 0) list.push(addition);
  else list[earlier] = addition;
  if (onBeforeRender) callHooks(material, list);
  material.needsUpdate = true;
}

/** The additions to a material: a list of { key, onBeforeRender, data }. */
export const additionsOf = (material) => material[PATCHES]?.list ?? [];

/** A material and its clones: changes over time apply to all of them. */
export function familyOf(material) {
  if (!material[PATCHES]) install(material, [], new Set());
  return material[PATCHES].family;
}

function install(material, list, family) {
  const { onBeforeCompile, customProgramCacheKey, clone } = material;
  Object.defineProperty(material, PATCHES, { value: { list, family } });
  family.add(material);
  material.addEventListener('dispose', () => family.delete(material));
  material.onBeforeCompile = function (shader, renderer) {
    onBeforeCompile.call(this, shader, renderer);
    for (const { key, change } of list) applyOrWarn(shader, key, change);
  };
  material.customProgramCacheKey = function () {
    return [customProgramCacheKey.call(this), ...list.map(({ key }) => key)].join(' ');
  };
  material.clone = function () {
    const copy = clone.call(this);
    install(copy, [...list], family);
    if (list.some(({ onBeforeRender }) => onBeforeRender)) callHooks(copy, copy[PATCHES].list);
    return copy;
  };
}

function callHooks(material, list) {
  material.onBeforeRender = function (...all) {
    for (const { onBeforeRender } of list) onBeforeRender?.apply(this, all);
  };
}

/**
 * Changes a shader. If the place for the change is missing, the shader stays as it was, the console gets one warning, and the result is
 * false.
 */
export function applyOrWarn(shader, key, change) {
  const { vertexShader, fragmentShader } = shader;
  try {
    change(shader);
    return true;
  } catch (error) {
    if (!(error instanceof NoPlaceError)) throw error;
    Object.assign(shader, { vertexShader, fragmentShader });
    const part = key.split(' ')[0], told = `${part} ${error.message}`;
    if (!warned.has(told)) console.warn(`bsp2gltf: ${part} is left out, for three r${REVISION} has no ${error.message}`);
    warned.add(told);
    return false;
  }
}

/**
 * Replaces the first occurrence of a text in a shader's vertex or fragment stage; $& in by is the text itself. Fails if it is missing.
 */
export function replace(shader, stage, text, by) {
  demand(shader, stage, text);
  shader[`${stage}Shader`] = shader[`${stage}Shader`].replace(text, by);
}

function demand(shader, stage, text) {
  if (!shader[`${stage}Shader`].includes(text)) throw new NoPlaceError(`"${text.trim()}" in its ${stage} shaders`);
}

/** Puts declarations before a shader's vertex or fragment stage. */
export function declare(shader, stage, text) {
  shader[`${stage}Shader`] = `${text}\n${shader[`${stage}Shader`]}`;
}

/** Makes a change fail for another reason. */
export const fail = (what) => { throw new NoPlaceError(what); };
