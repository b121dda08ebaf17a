import { isWebAddress, videoAddress, videoAddressMessage } from "#artists/media/video.rules.ts";
import { maxYears } from "#artists/own-profile/rules.ts";
import { isPriceConfirmed } from "#artists/rules.ts";
import { rateOf, rateProblem, rateText } from "../../dashboard/settings/rates.ts";
import type { OwnProfile, Location, ProfileInput } from "../../lib/api/artist/own-profile.ts";

/** Numbers are text until they are sent. `place` is the suggestion that matches `location`. */
export type ProfileDraft = Readonly<{
  name: string;
  genre: OwnProfile["genre"];
  location: string;
  place: Location | null;
  years_experience: string;
  bio: string;
  specialties: readonly string[];
  equipment: readonly string[];
  corporate: boolean;
  private: boolean;
  wedding: boolean;
  base_rate: string;
  top_rate: string;
  photo_url: string;
  video_url: string;
  phone: string;
}>;

export const fieldNames: Readonly<Record<Exclude<keyof ProfileDraft, "place">, string>> = {
  name: "artist name",
  genre: "genre",
  location: "location",
  years_experience: "experience",
  bio: "biography",
  specialties: "specialties",
  equipment: "equipment",
  corporate: "company events",
  private: "private events",
  wedding: "weddings",
  base_rate: "base rate",
  top_rate: "top rate",
  photo_url: "photo URL",
  video_url: "video URL",
  phone: "phone",
};
export type FieldName = keyof typeof fieldNames;

const optional = (value: number | null): string => (value === null ? "" : String(value));

export const hasConfirmedPrice = (profile: OwnProfile): boolean => isPriceConfirmed(profile, profile.currency);

export const draftOf = (profile: OwnProfile): ProfileDraft => ({
  name: profile.name,
  genre: profile.genre,
  location: profile.location,
  place: profile.place,
  years_experience: optional(profile.years_experience),
  bio: profile.bio,
  specialties: profile.specialties,
  equipment: profile.equipment,
  ...profile.event_types,
  // Rates in a former platform currency are not copied. The artist must enter them again.
  base_rate: hasConfirmedPrice(profile) ? rateText(profile.base_rate) : "",
  top_rate: hasConfirmedPrice(profile) && profile.top_rate !== null ? rateText(profile.top_rate) : "",
  photo_url: profile.photo_url ?? "",
  video_url: profile.video_url ?? "",
  phone: profile.phone ?? "",
});

export const changedFields = (stored: ProfileDraft, draft: ProfileDraft): FieldName[] =>
  (Object.keys(fieldNames) as FieldName[]).filter(
    (name) => JSON.stringify(stored[name]) !== JSON.stringify(draft[name]),
  );

export const asInteger = (text: string): number => {
  const number = Number.parseInt(text, 10);
  return Number.isFinite(number) ? number : 0;
};
const asIntegerOrNull = (text: string): number | null => (text.trim() === "" ? null : asInteger(text));
const isYears = (text: string): boolean => /^\d*$/.test(text) && Number(text) <= maxYears;
const textOrNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());

/** Checks before a save. The server validates the rest. No field is required. */
export function draftProblems(profile: OwnProfile, draft: ProfileDraft): Partial<Record<FieldName, string>> {
  const unknownTown = draft.location.trim() !== "" && draft.place === null && draft.location !== profile.location;
  const noPrice = !hasConfirmedPrice(profile) && draft.base_rate.trim() === "";
  const [badBase, badTop] = [rateProblem(draft.base_rate), rateProblem(draft.top_rate)];
  const [photo, video] = [draft.photo_url.trim(), draft.video_url.trim()];
  // The path of an uploaded file is not a web address. The server validates it.
  const isNoPhoto = photo !== "" && photo !== profile.photo_url && !photo.startsWith("/") && !isWebAddress(photo);
  const isNoVideo = video !== "" && videoAddress(video) === undefined;
  return {
    ...(unknownTown ? { location: "Choose a town from the list." } : {}),
    ...(isYears(draft.years_experience.trim())
      ? {}
      : { years_experience: `Enter a whole number from 0 to ${maxYears}, or leave the field empty.` }),
    ...(noPrice ? { base_rate: `Enter your base rate in ${profile.currency.toUpperCase()}. 0 means on request.` } : {}),
    ...(badBase ? { base_rate: badBase } : {}),
    ...(badTop ? { top_rate: badTop } : {}),
    ...(isNoPhoto ? { photo_url: "Enter an address that starts with https://, or upload a photo." } : {}),
    ...(isNoVideo ? { video_url: videoAddressMessage } : {}),
  };
}

export function inputOf(stored: ProfileDraft, draft: ProfileDraft, currency: string): ProfileInput {
  const moved = draft.location !== stored.location || (draft.place !== null && draft.place.id !== stored.place?.id);
  return {
    name: draft.name,
    genre: draft.genre,
    bio: draft.bio,
    base_rate: rateOf(draft.base_rate),
    top_rate: draft.top_rate.trim() === "" ? null : rateOf(draft.top_rate),
    currency,
    photo_url: textOrNull(draft.photo_url),
    video_url: textOrNull(draft.video_url),
    years_experience: asIntegerOrNull(draft.years_experience),
    ...(moved ? { place_id: draft.place?.id ?? null } : {}),
    specialties: [...draft.specialties],
    equipment: [...draft.equipment],
    event_types: { corporate: draft.corporate, private: draft.private, wedding: draft.wedding },
    phone: textOrNull(draft.phone),
  };
}

export const fieldOfServer = (name: string): FieldName | undefined => {
  const [first = ""] = name.split(".");
  if (first === "place_id") return "location";
  return first in fieldNames ? (first as FieldName) : undefined;
};
