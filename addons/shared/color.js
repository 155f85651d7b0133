// Conversion between linear light and display values (sRGB), and checks of a file's data.

/** The linear value of a display value. */
export const toLinear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);

/** The display value of a linear value. */
export const toDisplayed = (v) => (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055);

/** The GLSL functions NAMEEncode and NAMEDecode, from linear light to display values and back. */
export const curves = (name) => `
vec3 ${name}Encode(vec3 v) {
  return mix(1.055 * pow(max(v, vec3(1e-8)), vec3(1.0 / 2.4)) - 0.055, v * 12.92, vec3(lessThanEqual(v, vec3(0.0031308))));
}
vec3 ${name}Decode(vec3 v) {
  return mix(pow((max(v, vec3(0.04045)) + 0.055) / 1.055, vec3(2.4)), v / 12.92, vec3(lessThanEqual(v, vec3(0.04045))));
}
`;

/** Reports whether a value is a list of count finite numbers. */
export const isNumbers = (list, count) => Array.isArray(list) && list.length === count && list.every(Number.isFinite);
