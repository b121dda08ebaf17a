import { hasRow, type Reader } from "#platform/db/index.ts";
import type { Keys } from "#platform/security/keys.ts";
import type { KeyedService } from "./choices.rules.ts";
import { platformOwner, type PromoterSettings } from "./rules.ts";
import { findEsignApiKey, readSettings } from "./settings.ts";

const minShownLength = 12;

const shownKey = (key: string | undefined) => ({
  stored: key !== undefined,
  ending: key && key.length >= minShownLength ? key.slice(-4) : "",
});

/** Returns the document with the keys' last characters, the name of who saved it, and the numbers of open bookings and of active artists with a price. */
export async function platformDocumentOf(reader: Reader, keys: Keys) {
  const document = await readSettings(reader, "platform", platformOwner);
  const keyOf = async (service: KeyedService) => shownKey(await findEsignApiKey(reader, keys, service));
  const saved = await reader
    .selectFrom("settings")
    .leftJoin("profiles", "profiles.user_id", "settings.updated_by")
    .select("profiles.name")
    .where("scope", "=", "platform")
    .where("owner_id", "=", platformOwner)
    .executeTakeFirst();
  const { count } = await reader
    .selectFrom("bookings")
    .select((one) => one.fn.countAll<number>().as("count"))
    .where("status", "not in", ["completed", "canceled"])
    .executeTakeFirstOrThrow();
  const { priced } = await reader
    .selectFrom("artists")
    .select((one) => one.fn.countAll<number>().as("priced"))
    .where("is_active", "=", true)
    .where("base_rate", ">", 0)
    .executeTakeFirstOrThrow();
  return {
    ...document,
    esign_keys: { docuseal: await keyOf("docuseal"), docusign: await keyOf("docusign") },
    saved_by: saved?.name ?? null,
    open_bookings: Number(count),
    priced_artists: Number(priced),
  };
}

export const hasContractTemplate = (reader: Reader, id: string): Promise<boolean> =>
  hasRow(reader)`select 1 from contract_templates where id = ${id}`;

/** Returns the signing services with open contracts, their number, and the last fetch. Each needs its own key. */
export async function openContractsAtServices(reader: Reader) {
  const rows = await reader
    .selectFrom("contracts")
    .select((one) => [
      "provider",
      one.fn.countAll<number>().as("count"),
      one.fn.max("provider_polled_at").as("last_polled_at"),
    ])
    .where("signed_status", "=", "sent")
    .where("provider_ref", "is not", null)
    .where("provider_cancel_from", "is", null)
    .groupBy("provider")
    .orderBy("provider")
    .execute();
  return rows.map(({ provider, count, last_polled_at: lastPolledAt }) => ({
    provider,
    count: Number(count),
    lastPolledAt,
  }));
}

type Known = Pick<PromoterSettings, "organizationName" | "contactName" | "phone" | "defaultEventDuration">;

const maxNameLength = 120;

export function bookingDefaultsOf({ organizationName, contactName, phone, defaultEventDuration: hours }: Known) {
  const name = [contactName, organizationName].filter(Boolean).join(", ");
  return {
    clientName: name.slice(0, maxNameLength) || null,
    clientPhone: phone || null,
    duration: `${hours} ${hours === 1 ? "hour" : "hours"}`,
  };
}
