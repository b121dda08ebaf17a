import type { BookingPage } from "../booking.api.ts";
import type { Booking } from "../store.ts";
import { timelineKinds } from "../timeline.api.ts";

export type Line = BookingPage["timeline"][number];

export const line = (
  at: Date | null | undefined,
  kind: Line["kind"],
  text: string,
  { by = null, detail = null }: { by?: string | null; detail?: string | null } = {},
): Line[] => (at ? [{ at, kind, text, by, detail }] : []);

const secondOf = ({ at }: Line) => Math.floor(at.getTime() / 1_000);
const stepOf = ({ kind }: Line) => timelineKinds.indexOf(kind);

/** Orders entries by the second, then by step, because the provider's times are whole seconds. */
export const inOrder = (one: Line, other: Line): number =>
  secondOf(one) - secondOf(other) || stepOf(one) - stepOf(other) || one.at.getTime() - other.at.getTime();

export function nameOf(by: string | null, booking: Booking, artist: { name: string }): string | null {
  if (by === "promoter") return booking.promoter_name;
  if (by === "artist") return artist.name;
  if (by === "both") return "Both";
  return by === "admin" ? "An admin" : null;
}

/** Of entries about a signature that was withdrawn since. */
export const withdrawnLater = "the signature on paper was withdrawn later";

export const joined = (details: readonly (string | false | null | undefined)[]) =>
  details.filter(Boolean).join(", ") || null;
