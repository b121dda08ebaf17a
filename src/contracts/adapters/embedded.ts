/** Signing on this server, without external calls. The evidence is written as the parties act (signatures.ts). */

import { randomUUID } from "node:crypto";
import type { Database, Reader } from "#platform/db/index.ts";
import type { Keys } from "#platform/security/keys.ts";
import { esignProviderNames } from "#settings/choices.rules.ts";
import type { EsignAdapter } from "../providers/provider.ts";

export const embeddedSigning = (parts: Readonly<{ database: Database; keys: Keys }>): EsignAdapter => ({
  name: "embedded",
  label: esignProviderNames.embedded,
  outside: false,
  test: () => test(parts.database.db, parts.keys),
});

async function test(reader: Reader, keys: Keys): Promise<{ ok: boolean; message: string }> {
  const text = randomUUID();
  if (keys.decrypt("signing test", keys.encrypt("signing test", text)) !== text)
    return { ok: false, message: "The installation's keys cannot decrypt their own data." };
  const { count } = await reader
    .selectFrom("contracts")
    .select((one) => one.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return {
    ok: true,
    message: `Built-in signing runs on this server and needs no API key: its keys work, and it reads its ${Number(count)} contracts.`,
  };
}
