/** What the admin's list of nights on hold can be ordered by. Pure; the browser reads it too. */
import { sortsBy } from "#platform/list.rules.ts";

export const holdSorts = sortsBy("artist", "promoter", "night", "state");
export type HoldSort = (typeof holdSorts)[number];
