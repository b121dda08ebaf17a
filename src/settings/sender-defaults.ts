import { isDeepStrictEqual } from "node:util";
import { type Config, isLoopback } from "#platform/config.ts";
import { isEmailAddress } from "#platform/email-address.rules.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { platformDefaults } from "./defaults.rules.ts";
import { platformOwner, type SenderAddresses, senderDefaultsName } from "./rules.ts";
import { lockDocument, readDocument, writeEntry } from "./store.ts";

/** Returns the addresses of MAIL_FROM's domain, or else of the public host. Returns the product's defaults if an email address cannot have that host, and null in demo mode and on localhost. */
export function senderDefaultsOf({
  mailFrom,
  publicUrl,
  demo,
}: Pick<Config, "mailFrom" | "publicUrl" | "demo">): SenderAddresses | null {
  const host = new URL(publicUrl).hostname;
  if (!mailFrom && (demo || isLoopback(host))) return null;
  const domain = mailFrom?.split("@")[1] ?? host.replace(/^www\./, "");
  const fromEmail = mailFrom ?? `bookings@${domain}`;
  const help = `help@${domain}`;
  if (isEmailAddress(fromEmail) && isEmailAddress(help)) return { fromEmail, replyToEmail: help, supportEmail: help };
  const { replyToEmail, supportEmail } = platformDefaults;
  return { fromEmail: platformDefaults.fromEmail, replyToEmail, supportEmail };
}

/** Stores the configuration's sender addresses at the start of a server, not of a command, whose environment may lack PUBLIC_URL. What an admin has saved has precedence. */
export async function recordSenderDefaults({ database, config }: Pick<PlatformServices, "database" | "config">) {
  const defaults = senderDefaultsOf(config);
  const { value } = await readDocument(database.db, "platform", platformOwner);
  if (isDeepStrictEqual((value as Record<string, unknown>)[senderDefaultsName] ?? null, defaults)) return;
  await database.transaction(async (tx) => {
    await lockDocument(tx, "platform", platformOwner);
    await writeEntry(tx, "platform", platformOwner, senderDefaultsName, defaults);
  });
}
