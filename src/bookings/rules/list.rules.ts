import { type Sort, sortsBy } from "#platform/list.rules.ts";

export type BookingColumn = "event" | "amount" | "artist" | "promoter" | "venue" | "status";
export type BookingSort = Sort<BookingColumn>;
export const bookingSorts = sortsBy<BookingColumn>("event", "amount", "artist", "promoter", "venue", "status");

export const savedFilters = ["upcoming", "needs_me", "unpaid", "past"] as const;
export type SavedFilter = (typeof savedFilters)[number];
