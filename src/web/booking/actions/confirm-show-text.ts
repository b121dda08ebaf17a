/** Returns the consequences of confirming a show, before the confirmation. */
export const confirmShowText = (artist: string): string =>
  `Confirm that ${artist} performed. The held payment is released to the artist, typically within 2-7 business days. You can no longer cancel the booking.`;
