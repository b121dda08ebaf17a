/** The orders of the admin's list of nights on hold. Pure: the browser reads it too. */
import { sortsBy } from "#platform/list.rules.ts";

export const holdSorts = sortsBy("artist", "promoter", "night", "state");
export type HoldSort = (typeof holdSorts)[number];
