// Fog by distance, as data (docs/internals/readers.md of bsp2gltf, bsp2gltf_range_fog and bsp2gltf_water).
import { isNumbers, toDisplayed } from './color.js';

/** The metres by which what bounds a fog volume counts as in it, and those from there within which it is a side of the volume. */
export const FOG_EDGE = 0.04, FOG_SIDE = FOG_EDGE + 0.01;

/** The most fog volumes that are shaded. */
export const MAX_VOLUMES = 8;

/**
 * The fog by distance in extras of the scene, of the 3D skybox's node or of a water: { start, end, density, color, radial, thickness, power,
 * sky, blend }; null if there is none. blend is of a fog that has another colour for who looks against its direction: { ahead, behind,
 * direction }, with colours as displayed.
 */
export function readRangeFog(extras) {
  const { start, end, density, color, radial = false, thickness = 0, power = 1, sky = 0, second } = extras?.bsp2gltf_range_fog ?? {};
  if (![start, end, density, thickness, power, sky].every(Number.isFinite) || end <= start || density <= 0 || !isNumbers(color, 3)) return null;
  const isBlend = isNumbers(second?.color, 3) && isNumbers(second.direction, 3);
  const blend = isBlend ? { ahead: color.map(toDisplayed), behind: second.color.map(toDisplayed), direction: second.direction } : null;
  return { start, end, density, color, radial: Boolean(radial), thickness, power, sky, blend };
}

/** The water whose boxes, each of a lower and an upper corner, hold a point; undefined if there is none. */
export const waterAt = (waters, point) => waters.find(({ boxes }) => boxes.some((box) => point.every((v, k) => v > box[k] && v < box[3 + k])));
