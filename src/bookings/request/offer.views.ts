/** What a date is asked for on: the artist, the platform's terms and the artist's own limits, read in one statement. */
import type { Selectable } from "kysely";
import { isPriceConfirmed } from "#artists/rules.ts";
import { chargeable } from "#payments/rules.ts";
import type { DB, Reader } from "#platform/db/index.ts";
import { notFound, Problem } from "#platform/errors.ts";
import { type ArtistSettings, completed, type PlatformSettings } from "#settings/rules.ts";
import { policyOfArtist } from "#settings/policy-names.rules.ts";
import { quoteFor } from "../rules/cancellation.rules.ts";

export type Bookable = Selectable<DB["artists"]>;
export type Offer = Readonly<{ artist: Bookable; platform: PlatformSettings; limits: ArtistSettings }>;

/** The artist behind a slug with the settings as they are now; "Artist not found" for a closed or hidden profile as for a missing one. */
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
  return { artist, platform: completed("platform", platform_settings), limits: completed("artist", artist_settings) };
}

/** The price of the artist by the platform's terms; 0, on request, when no card could pay it. An artist who requires no deposit is paid by the balance alone. Throws a conflict (409) while the rates are in a former currency. */
export function quoteOf({ artist, platform, limits }: Offer) {
  const depositPercent = limits.requireDeposit ? platform.depositPercent : 0;
  const { currency, commissionBps } = platform;
  const policyName = policyOfArtist(platform, limits.policyName);
  if (!isPriceConfirmed(artist, currency))
    throw new Problem(
      "conflict",
      `${artist.name} cannot be booked until the price is confirmed in ${currency.toUpperCase()}. Please try again later.`,
    );
  const fee = chargeable(artist.base_rate, currency);
  return { ...quoteFor(fee, { depositPercent, currency, commissionBps }), policy_name: policyName };
}
