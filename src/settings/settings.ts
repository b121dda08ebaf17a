/** Reads and changes settings. A change names the version it is based on, and an outdated one throws a conflict (409) with the current state. */

import { z } from "zod";
import type { Reader, Tx } from "#platform/db/index.ts";
import { conflict, invalid, invalidField } from "#platform/errors.ts";
import type { Keys } from "#platform/security/keys.ts";
import { type KeyedService, keyedServices } from "./choices.rules.ts";
import { sellerDefaults } from "./defaults.rules.ts";
import {
  type ArtistSettings,
  withDefaults,
  documents,
  formerSellersName,
  formerSellersOf,
  platformOwner,
  type PlatformSettings,
  type PromoterSettings,
  type Scope,
  type SettingsOf,
} from "./rules.ts";
import { lockDocument, readDocument, type StoredDocument, writeDocument } from "./store.ts";

type Versioned<T> = { values: T; version: number; saved_at: Date | null };

/** `at`: documents of earlier postings have the seller data from before the change. */
export type Change<T> = { values: Partial<T>; version: number; by: string | null; at?: Date };

export const platformSettings = async (reader: Reader): Promise<PlatformSettings> =>
  (await readSettings(reader, "platform", platformOwner)).values;

export const artistSettings = async (reader: Reader, artistId: string): Promise<ArtistSettings> =>
  (await readSettings(reader, "artist", artistId)).values;

export const readArtistSettings = (reader: Reader, artistId: string) => readSettings(reader, "artist", artistId);

export const promoterSettings = async (reader: Reader, userId: string): Promise<PromoterSettings> =>
  (await readSettings(reader, "promoter", userId)).values;

export async function readSettings<S extends Scope>(
  reader: Reader,
  scope: S,
  ownerId: string,
): Promise<Versioned<SettingsOf<S>>> {
  const stored = await readDocument(reader, scope, ownerId);
  return { values: withDefaults(scope, stored.value), version: stored.version, saved_at: savedAt(stored) };
}

export const savePlatformSettings = (tx: Tx, change: Change<PlatformSettings>) =>
  save(tx, "platform", platformOwner, change);

export const saveArtistSettings = (tx: Tx, artistId: string, change: Change<ArtistSettings>) =>
  save(tx, "artist", artistId, change);

/** Changes some settings of an artist regardless of the version, for screens that show only those. A function gets the locked settings. */
export async function changeArtistSettings(
  tx: Tx,
  artistId: string,
  change: Partial<ArtistSettings> | ((current: ArtistSettings) => Partial<ArtistSettings>),
  by: string,
): Promise<void> {
  const { version, value } = await lockDocument(tx, "artist", artistId);
  const values = typeof change === "function" ? change(withDefaults("artist", value)) : change;
  await save(tx, "artist", artistId, { values, version, by });
}

export const savePromoterSettings = (tx: Tx, userId: string, change: Change<PromoterSettings>) =>
  save(tx, "promoter", userId, change);

async function save<S extends Scope>(tx: Tx, scope: S, ownerId: string, change: Change<SettingsOf<S>>) {
  const given = checked(scope, change.values);
  const stored = await lockDocument(tx, scope, ownerId);
  const values = withDefaults(scope, stored.value);
  if (stored.version !== change.version) {
    const fresh: Versioned<SettingsOf<S>> = { values, version: stored.version, saved_at: savedAt(stored) };
    throw conflict("These settings have changed. Here are the latest.", { data: fresh });
  }
  // Defaults are not stored: a later default applies to every setting that was never changed.
  const current = Object.entries({ ...(stored.value as object) }).map(([name, value]) => [
    name,
    Object.hasOwn(values, name) ? values[name as keyof typeof values] : value,
  ]);
  requireBookableDays(given, { ...values, ...given });
  const document = { ...Object.fromEntries(current), ...given, ...replacedSeller(stored, values, change) };
  const written = await writeDocument(tx, scope, ownerId, document, change.by);
  return { values: { ...values, ...given }, version: written.version, saved_at: written.updated_at };
}

const sellerNames = [...Object.keys(sellerDefaults), "pricesIncludeTax"];
const mostFormerSellers = 20;

function replacedSeller(stored: StoredDocument, before: object, { values, at }: Change<object>) {
  const former = Object.entries(before).filter(([name]) => sellerNames.includes(name));
  const given: Record<string, unknown> = { ...values };
  if (!at || !former.some(([name, value]) => name in given && given[name] !== value)) return {};
  const replaced = { until: at, ...Object.fromEntries(former) };
  return { [formerSellersName]: [...formerSellersOf(stored.value), replaced].slice(-mostFormerSellers) };
}

const days = (count: number) => `${count} ${count === 1 ? "day" : "days"}`;

/** Throws if a change leaves an artist without a date that can be booked. */
function requireBookableDays(
  given: Partial<ArtistSettings>,
  { minimumNotice, maximumBookingDays }: Partial<ArtistSettings>,
) {
  if (minimumNotice === undefined || maximumBookingDays === undefined || minimumNotice <= maximumBookingDays) return;
  const field = (["minimumNotice", "maximumBookingDays"] as const).find((name) => given[name] !== undefined);
  if (field)
    throw invalidField(
      `values.${field}`,
      `The minimum notice of ${days(minimumNotice)} is longer than the maximum advance booking of ${days(maximumBookingDays)}.`,
    );
}

/** Version 0 is a row that exists only for its lock and was never saved. */
const savedAt = ({ version, updated_at }: StoredDocument): Date | null => (version === 0 ? null : updated_at);

function checked<S extends Scope>(scope: S, given: object): Partial<SettingsOf<S>> {
  const read = (documents[scope].shape as z.ZodObject).partial().safeParse(given);
  if (read.success) return read.data as Partial<SettingsOf<S>>;
  const issue = read.error.issues[0];
  throw invalid([issue?.path.join("."), issue?.message].filter(Boolean).join(" "));
}

/** Removes seller data of an artist's profile, because legal name, address and tax belong to the user who had it. */
export async function removeSellerData(tx: Tx, artistId: string): Promise<void> {
  const stored = await lockDocument(tx, "artist", artistId);
  const current = Object.entries({ ...(stored.value as object) }).filter(
    ([name]) => !(name in sellerDefaults) && name !== formerSellersName,
  );
  await writeDocument(tx, "artist", artistId, Object.fromEntries(current), null);
}

const secretPurpose = "settings esignApiKey";
const encryptedName = (service: KeyedService) => `${service}ApiKeySealed`;

/** Stores a signing service's key encrypted, or deletes it (empty text). The API never returns it. */
export async function saveEsignApiKey(
  tx: Tx,
  keys: Keys,
  key: { service: KeyedService; apiKey: string },
  by: string | null,
): Promise<void> {
  const stored = await lockDocument(tx, "platform", platformOwner);
  const name = encryptedName(key.service);
  const { [name]: _old, ...rest } = { ...(stored.value as Record<string, unknown>) };
  const encrypted = key.apiKey === "" ? {} : { [name]: keys.encrypt(secretPurpose, key.apiKey) };
  await writeDocument(tx, "platform", platformOwner, { ...rest, ...encrypted }, by);
}

export async function reencryptSettings(tx: Tx, keys: Keys): Promise<void> {
  for (const service of keyedServices) {
    const apiKey = await findEsignApiKey(tx, keys, service);
    if (apiKey !== undefined) await saveEsignApiKey(tx, keys, { service, apiKey }, null);
  }
}

export async function findEsignApiKey(reader: Reader, keys: Keys, service: KeyedService): Promise<string | undefined> {
  const stored = await readDocument(reader, "platform", platformOwner);
  const encrypted = z.looseObject({}).safeParse(stored.value).data?.[encryptedName(service)];
  return typeof encrypted === "string" ? keys.decrypt(secretPurpose, encrypted) : undefined;
}

const maxShownLength = 120;
const shown = (value: unknown): unknown => (typeof value === "string" ? value.slice(0, maxShownLength) : value);

/** Returns only the differences, with long texts cut. Secrets are not settings and are never passed here. */
export function changedSettings(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, { before: unknown; after: unknown }> {
  const differing = Object.keys(after).filter((name) => before[name] !== after[name]);
  return Object.fromEntries(
    differing.map((name) => [name, { before: shown(before[name]), after: shown(after[name]) }]),
  );
}
