/** The files of uploaded logos. They are stored before they are saved in the settings, and removed when replaced or never saved. */

import { randomBytes } from "node:crypto";
import type { Tx } from "#platform/db/index.ts";
import { invalid } from "#platform/errors.ts";
import { publish } from "#platform/event-outbox.ts";
import { useStorage } from "#platform/files/open-files.ts";
import { encodeLogo } from "#platform/files/pictures.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { systemClock } from "#platform/time/clock.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { platformSettings } from "../settings.ts";
import { brandBucket, logoFileOf, pathOfLogo } from "./logo.rules.ts";

type Storage = Pick<PlatformServices, "files" | "log">;

export type LogoReplaced = { file: string };

const stored = (file: string): string => `${brandBucket}/${file}`;

/** Re-encodes and stores a logo. The address is absolute if the site has one, for emails. Throws unless JPEG, PNG, WebP or AVIF. */
export async function storeLogo(
  services: Storage & Pick<PlatformServices, "config">,
  bytes: Buffer,
  declaredType: string | undefined,
): Promise<{ url: string; width: number; height: number }> {
  const { png, width, height } = await encodeLogo(bytes, declaredType);
  const file = `logo_${systemClock.now().getTime()}_${randomBytes(4).toString("hex")}.png`;
  await useStorage(services, file, () => services.files.put(stored(file), png));
  const { publicUrl } = services.config;
  return { url: `${publicUrl.startsWith("https://") ? publicUrl : ""}${pathOfLogo(file)}`, width, height };
}

export const readLogo = (services: Storage, file: string) =>
  useStorage(services, file, () => services.files.read(stored(file)));

/** Throws if an uploaded logo no longer exists. Do not call it inside a transaction, because the storage may be remote. */
export async function requireLogo(services: Storage, address: string): Promise<void> {
  const file = logoFileOf(address);
  if (file === undefined || (await useStorage(services, file, () => services.files.has(stored(file))))) return;
  const message = "This logo no longer exists. Upload it again.";
  throw invalid(message, { data: { fields: [{ field: "values.logoUrl", message }] } });
}

export async function releaseLogo(tx: Tx, before: string, after: string): Promise<void> {
  const file = logoFileOf(before);
  if (file !== undefined && file !== logoFileOf(after))
    await publish(tx, "settings.logo_replaced", { file } satisfies LogoReplaced);
}

/** Removes a logo's file unless the settings use it again. Call it outside a transaction. It can be repeated, and the sweep removes what failed. */
export async function removeLogo(
  { database, files }: Pick<PlatformServices, "database" | "files">,
  { file }: LogoReplaced,
): Promise<void> {
  if (logoFileOf((await platformSettings(database.db)).logoUrl) !== file) await files.remove(stored(file));
}

const youngestMs = dayMs;

export async function sweepLogos({ database, files }: Pick<PlatformServices, "database" | "files">): Promise<void> {
  const current = logoFileOf((await platformSettings(database.db)).logoUrl);
  // The age of a file is real time, which the demo clock does not change.
  const before = new Date(systemClock.now().getTime() - youngestMs);
  for (const { name, changedAt } of await files.list(brandBucket))
    if (changedAt < before && name !== (current && stored(current))) await files.remove(name);
}
