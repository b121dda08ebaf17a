export { isThorough } from "../../test/tier.ts";

/** The tag of a test that repeats another one for a second reader or size. */
export const daily = "@daily";
