import { type Sort, sortsBy } from "#platform/list.rules.ts";

export type BookingColumn = "event" | "amount" | "artist" | "promoter" | "venue" | "status";
export type BookingSort = Sort<BookingColumn>;
export const bookingSorts = sortsBy<BookingColumn>("event", "amount", "artist", "promoter", "venue", "status");

/** What one's own bookings are ordered by. What was paid is summed for each booking, so the admin's list of all is not ordered by it. */
export type OwnBookingColumn = BookingColumn | "paid";
export type OwnBookingSort = Sort<OwnBookingColumn>;
export const ownBookingSorts: readonly [OwnBookingSort, ...OwnBookingSort[]] = [...bookingSorts, ...sortsBy("paid")];

export const savedFilters = ["upcoming", "needs_me", "unpaid", "past"] as const;
export type SavedFilter = (typeof savedFilters)[number];
