/** The orders of the list of all bookings besides newest first; a minus turns one round. */
export const bookingSorts = ["event", "-event", "amount", "-amount"] as const;
