// Fog by distance, as data (docs/internals/readers.md of bsp2gltf, bsp2gltf_range_fog and bsp2gltf_water).
import { isNumbers, toDisplayed } from './color.js';

/**
 * FOG_EDGE is by how many metres fog volumes are enlarged, so that their bounding surfaces count as inside; within FOG_SIDE a surface
 * counts as a side of the volume.
 */
export const FOG_EDGE = 0.04, FOG_SIDE = FOG_EDGE + 0.01;

/** The most fog volumes that are shaded. */
export const MAX_VOLUMES = 8;

/**
 * The range fog in extras of the scene, of the 3D skybox's node or of a water: { start, end, density, color, radial, thickness, power,
 * sky, blend }, or null if there is none. blend is set for fog whose colour depends on the view direction: { ahead, behind, direction
 * }, colours in display space.
 */
export function readRangeFog(extras) {
  const { start, end, density, color, radial = false, thickness = 0, power = 1, sky = 0, second } = extras?.bsp2gltf_range_fog ?? {};
  if (![start, end, density, thickness, power, sky].every(Number.isFinite) || end <= start || density <= 0 || !isNumbers(color, 3)) return null;
  const isBlend = isNumbers(second?.color, 3) && isNumbers(second.direction, 3);
  const blend = isBlend ? { ahead: color.map(toDisplayed), behind: second.color.map(toDisplayed), direction: second.direction } : null;
  return { start, end, density, color, radial: Boolean(radial), thickness, power, sky, blend };
}

/** The water whose boxes ([least corner, greatest corner] in six numbers) contain a point, or undefined. */
export const waterAt = (waters, point) => waters.find(({ boxes }) => boxes.some((box) => point.every((v, k) => v > box[k] && v < box[3 + k])));
