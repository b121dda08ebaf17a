import { recordActivity } from "#activity/index.ts";
import { lockQueues } from "#calendar/holds/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { conflict, invalidField } from "#platform/errors.ts";
import type { Actor } from "#platform/http/context.ts";
import { broadcastChange } from "#realtime/index.ts";
import { changeArtistSettings, platformSettings } from "#settings/index.ts";
import { listClaimableArtists } from "#users/index.ts";
import { findPlace } from "../gazetteer/index.ts";
import { photoColumns, videoColumn } from "../media/save.ts";
import { releaseFiles } from "../media/store.ts";
import { moveCalendar } from "../move-calendar.ts";
import { cleanName } from "../slug.ts";
import { artistRow, changeArtist, insertArtist, lockArtistOf } from "../store.ts";
import { findArtistOf } from "../views.ts";
import type { ProfileInput } from "./api.ts";

/** Stores a user's profile. The slug is made from the first name and does not change. A name of an artist without an owner must be claimed. */
export async function saveOwnProfile(tx: Tx, actor: Actor, input: ProfileInput, now: Date): Promise<void> {
  const known = input.place_id ? await findArtistOf(tx, actor.userId) : undefined;
  if (known) await lockQueues(tx, known.id);
  const artist = await lockArtistOf(tx, actor.userId);
  const name = cleanName(input.name) || cleanName(actor.name);
  if (name !== artist?.name) await requireUnclaimedName(tx, name);
  const columns = {
    ...profileColumns({ ...input, name }, artist, await currencyOfRates(tx, input)),
    ...(await photoColumns(tx, actor.userId, input.photo_url, artist)),
    video_url: videoColumn(input.video_url),
  };
  const artistId = artist?.id ?? (await createArtist(tx, actor, name));
  await changeArtist(tx, artistId, columns);
  if (artist) await moveCalendar(tx, artist, columns.time_zone ?? artist.time_zone, now);
  if (input.event_types) await saveEventTypes(tx, artistId, input.event_types, actor.userId);
  await releaseFiles(tx, actor.userId, [artist?.photo_url ?? null]);
  await broadcastChange(tx, "artists", { userIds: [actor.userId], admins: true });
}

/** Throws a conflict (409) if the form showed another currency than the platform's. */
async function currencyOfRates(tx: Tx, { currency: shown }: ProfileInput): Promise<string> {
  const { currency } = await platformSettings(tx);
  if (shown === undefined || shown === currency) return currency;
  throw conflict(
    `The platform's currency is now ${currency.toUpperCase()}. Reload the page and enter your rates in it.`,
  );
}

async function requireUnclaimedName(tx: Tx, name: string): Promise<void> {
  if ((await listClaimableArtists(tx, name)).length === 0) return;
  const message =
    "An artist with this name is already listed and has no owner. If it is you, claim it on your Overview page. Otherwise change the name.";
  throw conflict(message, { code: "claim_needed", data: { fields: [{ field: "name", message }] } });
}

async function createArtist(tx: Tx, actor: Actor, name: string): Promise<string> {
  const artist = await insertArtist(tx, { name, userId: actor.userId });
  await recordActivity(tx, {
    type: "system",
    refId: artist.id,
    actorId: actor.userId,
    message: `${artist.name} can now be booked: the profile was saved for the first time`,
  });
  return artist.id;
}

type Stored = { top_rate: number | null; price_currency: string };

function profileColumns(input: ProfileInput, before: Stored | undefined, currency: string) {
  const stored = before?.price_currency === currency ? before.top_rate : null;
  const topRate = input.top_rate === undefined ? stored : input.top_rate;
  if (topRate !== null && topRate < input.base_rate)
    throw invalidField("top_rate", "The top rate is lower than the base rate.");
  const checked = artistRow({ name: input.name, baseRate: input.base_rate, topRate });
  return {
    name: checked.name,
    genre: input.genre,
    bio: input.bio.trim(),
    base_rate: checked.base_rate,
    top_rate: checked.top_rate,
    price_currency: currency,
    ...(input.years_experience === undefined ? {} : { years_experience: input.years_experience }),
    ...(input.specialties ? { specialties: withoutRepeats(input.specialties) } : {}),
    ...(input.equipment ? { equipment: withoutRepeats(input.equipment) } : {}),
    ...(input.phone === undefined ? {} : { contact_phone: input.phone === "" ? null : input.phone }),
    ...placeColumns(input.place_id),
  };
}

const withoutRepeats = (lines: readonly string[]): string[] => [...new Set(lines)];

function placeColumns(placeId: string | null | undefined) {
  if (placeId === undefined) return {};
  // The time zone stays, because shows and deadlines depend on it.
  if (placeId === null) return { place_id: null, location: "", lat: null, lon: null };
  const place = findPlace(placeId);
  if (!place) throw invalidField("place_id", "Choose a town from the list.");
  return { place_id: place.id, location: place.name, lat: place.lat, lon: place.lon, time_zone: place.timeZone };
}

const saveEventTypes = (tx: Tx, artistId: string, types: NonNullable<ProfileInput["event_types"]>, by: string) =>
  changeArtistSettings(
    tx,
    artistId,
    { acceptCorporateEvents: types.corporate, acceptPrivateEvents: types.private, acceptWeddingEvents: types.wedding },
    by,
  );
