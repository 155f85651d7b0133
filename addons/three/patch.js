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
