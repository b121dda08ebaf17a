import { hasRow, type Reader } from "#platform/db/index.ts";
import type { Actor } from "#platform/http/context.ts";
import { artistDefaults } from "#settings/defaults.rules.ts";
import { artistSettings, platformSettings } from "#settings/index.ts";
import { findPlace, matchPlace, sharedName } from "../gazetteer/index.ts";
import type { PictureImage } from "../media.rules.ts";
import { posterUrl } from "../rules.ts";
import { findArtistOf } from "../views.ts";
import type { OwnProfile } from "./api.ts";

const isNameShared = (reader: Reader, artist: Readonly<{ id: string; name_text: string }>) =>
  hasRow(reader)`
    select 1 from artists where name_text = ${artist.name_text} and id <> ${artist.id} and is_active and is_public limit 1`;

/** Returns the profile of a user, or a blank one with the user's name. */
export async function readOwnProfile(reader: Reader, actor: Pick<Actor, "userId" | "name" | "email">) {
  const { currency, commissionBps } = await platformSettings(reader);
  const artist = await findArtistOf(reader, actor.userId);
  const settings = artist ? await artistSettings(reader, artist.id) : artistDefaults;
  const shared = {
    event_types: {
      corporate: settings.acceptCorporateEvents,
      private: settings.acceptPrivateEvents,
      wedding: settings.acceptWeddingEvents,
    },
    email: actor.email,
    currency,
    commission_bps: commissionBps,
  };
  if (!artist) return { ...blankProfile, ...shared, price_currency: currency, name: actor.name };
  return {
    ...artist,
    ...shared,
    shares_name: await isNameShared(reader, artist),
    photo_image: artist.photo_image as PictureImage | null,
    poster_url: posterUrl(artist),
    place: placeOf(artist),
    phone: artist.contact_phone,
  };
}

const blankProfile = {
  shares_name: false,
  slug: null,
  is_active: true,
  is_public: true,
  genre: "other",
  bio: "",
  base_rate: 0,
  top_rate: null,
  photo_url: null,
  photo_image: null,
  poster_url: null,
  video_url: null,
  years_experience: null,
  place: null,
  location: "",
  time_zone: null,
  specialties: [],
  equipment: [],
  phone: null,
} satisfies Partial<OwnProfile>;

/** Returns the chosen place. Older rows without an id have the place that their text names. */
function placeOf(artist: { place_id: string | null; location: string }): OwnProfile["place"] {
  const place = artist.place_id === null ? matchPlace(artist.location) : findPlace(artist.place_id);
  return place && [place.name, sharedName(place.name)].includes(artist.location)
    ? { id: place.id, name: place.name }
    : null;
}
