import type { Selectable } from "kysely";
import { isPriceConfirmed } from "#artists/rules.ts";
import { expiredHoldsBefore } from "#calendar/checkout-hold.rules.ts";
import { chargeable } from "#payments/rules.ts";
import type { DB, Reader, Tx } from "#platform/db/index.ts";
import { notFound, conflict } from "#platform/errors.ts";
import { policyOfArtist } from "#settings/policy-names.rules.ts";
import { type ArtistSettings, withDefaults, type PlatformSettings } from "#settings/rules.ts";
import { quoteFor } from "../rules/cancellation/cancellation.rules.ts";

export type Bookable = Selectable<DB["artists"]>;
export type Offer = Readonly<{ artist: Bookable; platform: PlatformSettings; limits: ArtistSettings }>;

/** Returns the artist of a slug with the current settings. Throws not found (404) for an inactive or hidden profile, as for a missing one. */
export async function requireOffer(reader: Reader, slug: string): Promise<Offer> {
  const found = await reader
    .selectFrom("artists")
    .leftJoin("settings as platform", (on) => on.on("platform.scope", "=", "platform"))
    .leftJoin("settings as own", (on) => on.on("own.scope", "=", "artist").onRef("own.owner_id", "=", "artists.id"))
    .selectAll("artists")
    .select(["platform.value as platform_settings", "own.value as artist_settings"])
    .where("artists.slug", "=", slug)
    .where("artists.is_active", "=", true)
    .where("artists.is_public", "=", true)
    .executeTakeFirst();
  if (!found) throw notFound("Artist not found");
  const { platform_settings, artist_settings, ...artist } = found;
  return {
    artist,
    platform: withDefaults("platform", platform_settings),
    limits: withDefaults("artist", artist_settings),
  };
}

/** Locks an offered artist against the deletion of its account. Throws not found (404) if it was retired or made inactive since. */
export async function lockOffered(tx: Tx, { id, is_active }: Bookable): Promise<void> {
  const locked = await tx
    .selectFrom("artists")
    .select("id")
    .where("id", "=", id)
    .where("is_active", "=", is_active)
    .forKeyShare()
    .executeTakeFirst();
  if (!locked) throw notFound("Artist not found");
}

/** Returns the artist's price, or 0 (on request) if no card can pay it. Throws a conflict (409) while the price is unconfirmed in the platform's currency. */
export function quoteOf({ artist, platform, limits }: Offer) {
  const depositPercent = limits.requireDeposit ? platform.depositPercent : 0;
  const { currency, commissionBps } = platform;
  const policyName = policyOfArtist(platform, limits.policyName);
  if (!isPriceConfirmed(artist, currency))
    throw conflict(
      `${artist.name} cannot be booked until the price is confirmed in ${currency.toUpperCase()}. Please try again later.`,
    );
  const fee = chargeable(artist.base_rate, currency);
  return { ...quoteFor(fee, { depositPercent, currency, commissionBps }), policy_name: policyName };
}

export const openCheckoutsOf = (reader: Reader, browser: string, now: Date) =>
  reader
    .selectFrom("date_reservations as hold")
    .innerJoin("bookings", "bookings.id", "hold.booking_id")
    .innerJoin("artists", "artists.id", "hold.artist_id")
    .select(["artists.slug", "artists.name", "bookings.event_date"])
    .where("hold.kind", "=", "hold")
    .where("hold.held_by_browser", "=", browser)
    .where("hold.expires_at", ">", expiredHoldsBefore(now))
    .orderBy("bookings.event_date")
    .execute();
