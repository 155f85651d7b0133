import { fail } from './patch.js';

/**
 * Places in the shader of a BakedMaterial with display where other parts add: to the lightmap's light, to the texture, and to the
 * result.
 */
export const ON_LIGHT = '/* on light */',
  ON_TEXEL = '/* on texel */',
  ON_SHOWN = '/* on shown */';

/** The place in the shader of any BakedMaterial before texture, light and emission are combined. */
export const BEFORE_SUM = '/* before sum */';

/** Makes a change fail if baked light, to which it would add, is itself left out. */
export function demandLight(shader) {
  if (!shader.fragmentShader.includes(BEFORE_SUM)) fail('place for baked light, to which it adds');
}

/** The lightmap's light in display space, in the shader of a BakedMaterial without vertex light. */
export const LIGHT_AS_DISPLAYED = `
#ifdef USE_LIGHTMAP
  displayLit(displayPage())
#else
  1.0
#endif
`;
