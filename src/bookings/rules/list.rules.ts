import { type Sort, sortsBy } from "#platform/list.rules.ts";

export type BookingColumn = "event" | "amount" | "artist" | "promoter" | "venue" | "status";
export type BookingSort = Sort<BookingColumn>;
export const bookingSorts = sortsBy<BookingColumn>("event", "amount", "artist", "promoter", "venue", "status");

/** The sort columns of a user's own bookings. The admin's list has no sort by paid amount, because it is summed per booking. */
export type OwnBookingColumn = BookingColumn | "paid";
export type OwnBookingSort = Sort<OwnBookingColumn>;
export const ownBookingSorts: readonly [OwnBookingSort, ...OwnBookingSort[]] = [...bookingSorts, ...sortsBy("paid")];

export const savedFilters = ["upcoming", "needs_you", "unpaid", "past"] as const;
export type SavedFilter = (typeof savedFilters)[number];
