import { publicShowOf } from "#artists/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { conflict } from "#platform/errors.ts";
import { isOnlyArtist } from "../policy.ts";
import type { Relation } from "../rules/permissions.rules.ts";
import { type Booking, changeBooking } from "../store.ts";

const listableShow = (booking: Booking, now: Date) =>
  booking.status === "contract_signed" && booking.starts_at > now ? publicShowOf(booking) : null;

const stateOf = ({ listing }: Booking): "off" | "listed" | "taken_off" =>
  listing === "listed" || listing === "taken_off" ? listing : "off";

/** Returns the listing for the artist, and while it is listed for the others. */
export function listingOf(booking: Booking, relation: Relation, now: Date) {
  const show = listableShow(booking, now);
  const state = stateOf(booking);
  return show && (isOnlyArtist(relation) || state === "listed") ? { state, show } : null;
}

/** Throws a conflict (409) if the show cannot be listed, or the promoter took it off the profile. */
export async function setListing(tx: Tx, booking: Booking, { listed, now }: { listed: boolean; now: Date }) {
  if (booking.listing === "taken_off")
    throw conflict("The promoter took this show off your profile. It cannot be listed again.");
  if (listed && !listableShow(booking, now))
    throw conflict(
      "Only a festival, concert, club night or charity event with a signed contract, in the future and in a known town, can be listed.",
    );
  if (stateOf(booking) !== (listed ? "listed" : "off"))
    await changeBooking(tx, booking, { listing: listed ? "listed" : null }, now);
  return { id: booking.id, state: stateOf(booking) };
}

export async function takeOffProfile(tx: Tx, booking: Booking, now: Date) {
  if (booking.listing !== "taken_off") await changeBooking(tx, booking, { listing: "taken_off" }, now);
  return { id: booking.id, state: stateOf(booking) };
}
