export const bookingSorts = ["event", "-event", "amount", "-amount"] as const;
export type BookingSort = (typeof bookingSorts)[number];

export const savedFilters = ["upcoming", "needs_me", "unpaid", "past"] as const;
export type SavedFilter = (typeof savedFilters)[number];
