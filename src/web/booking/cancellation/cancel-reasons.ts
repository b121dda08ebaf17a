import { type CancelCode, cancelCodesOf, cancelCodeText } from "#bookings/rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import type { BookingResponse } from "../status/progress.ts";

export type Canceler = "promoter" | "artist" | "admin";

export const cancelerOf = ({ viewer }: Pick<BookingResponse, "viewer">): Canceler =>
  viewer === "guest" ? "promoter" : viewer;

export const reasonsOf = (canceler: Canceler): { code: CancelCode; label: string }[] =>
  cancelCodesOf[canceler].map((code) => ({
    code,
    label: code === "cannot_perform" ? "I cannot perform that night" : cancelCodeText[code].replace(/\.$/, ""),
  }));

export const figureLabels: Record<Canceler, readonly [string, string, string]> = {
  promoter: ["Refunded", "Not refunded", "Fee"],
  artist: ["Refund to the payer", "You keep", "Commission"],
  admin: ["Refund to the payer", "Artist keeps", "Commission"],
};

export const noteLabels: Record<Canceler, string> = {
  promoter: "What the artist should know",
  artist: "What the promoter should know",
  admin: "What both should know",
};

/** Another person may have paid, so it promises the promoter no money. */
export function confirmLabel(refund: number, currency: string): string {
  return refund === 0 ? "Cancel Booking" : `Cancel Booking, refund ${formatMoney(refund, currency)}`;
}
