import { sortsBy } from "#platform/list.rules.ts";

export const holdSorts = sortsBy("artist", "promoter", "night", "state");
export type HoldSort = (typeof holdSorts)[number];
