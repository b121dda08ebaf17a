/** The site's mark as paths in a box of 32 × 40: the wall, the open door, and its light on the floor. */
export const markPaths = { wall: "M2 2h19v36H2z", door: "M21 2v36L7 32V8z", light: "M21 38l10 2v-1L21 20z" } as const;
