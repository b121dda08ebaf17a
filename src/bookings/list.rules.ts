/** The orders of a list of bookings besides its own; a minus turns one round. */
export const bookingSorts = ["event", "-event", "amount", "-amount"] as const;
export type BookingSort = (typeof bookingSorts)[number];

/** The saved filters of every list of bookings, in the order of their tabs; without one a list shows all. */
export const savedFilters = ["upcoming", "needs_me", "unpaid", "past"] as const;
export type SavedFilter = (typeof savedFilters)[number];
