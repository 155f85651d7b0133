import { fail } from './patch.js';

/** Places in the shader of a BakedMaterial with display where others add: to the light map's light, to the texture, and to what it shows. */
export const ON_LIGHT = '/* on light */',
  ON_TEXEL = '/* on texel */',
  ON_SHOWN = '/* on shown */';

/** The place in the shader of any BakedMaterial before texture, light and emission become what is shown. */
export const BEFORE_SUM = '/* before sum */';

/** Has a change fail where baked light, to which it adds, is left out itself. */
export function demandLight(shader) {
  if (!shader.fragmentShader.includes(BEFORE_SUM)) fail('place for baked light, to which it adds');
}

/** The light map's light as displayed, in the shader of a BakedMaterial whose display is not of vertices. */
export const LIGHT_AS_DISPLAYED = `
#ifdef USE_LIGHTMAP
  displayLit(displayPage())
#else
  1.0
#endif
`;
