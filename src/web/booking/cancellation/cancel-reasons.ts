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
  promoter: ["You get", "Artist keeps", "Fee"],
  artist: ["Refund to the payer", "You keep", "Commission"],
  admin: ["Refund to the payer", "Artist keeps", "Commission"],
};

export const noteLabels: Record<Canceler, string> = {
  promoter: "What the artist should know",
  artist: "What the promoter should know",
  admin: "What both should know",
};

export function confirmLabel(canceler: Canceler, refund: number, currency: string): string {
  if (refund === 0) return "Cancel Booking";
  return `Cancel Booking, ${canceler === "promoter" ? "get" : "refund"} ${formatMoney(refund, currency)}`;
}
