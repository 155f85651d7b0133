/** The drawing order of what has no `sort`: that of opaque surfaces. */
const OPAQUE = 3;

/** The place of a material in the game's drawing order, from its extras: below 0 before opaque surfaces, above 0 after them. */
export const orderOf = (extras) => (Number.isFinite(extras?.sort) ? extras.sort : OPAQUE) - OPAQUE;
