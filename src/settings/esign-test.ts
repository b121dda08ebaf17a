/** The test of the built-in signing: it has no service to call, so it tries what it stands on. */
import { randomUUID } from "node:crypto";
import type { Reader } from "#platform/db/index.ts";
import type { Keys } from "#platform/keys.ts";

/** Encrypts and reads back a text with the installation's keys, and reads the contracts. Nothing is changed. */
export async function testEmbeddedSigning(reader: Reader, keys: Keys): Promise<{ ok: boolean; message: string }> {
  const text = randomUUID();
  if (keys.decrypt("signing test", keys.encrypt("signing test", text)) !== text)
    return { ok: false, message: "The installation's keys do not read what they have written." };
  const { count } = await reader
    .selectFrom("contracts")
    .select((one) => one.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return {
    ok: true,
    message: `Built-in signing runs on this server and needs no API key: its keys work, and it reads its ${Number(count)} contracts.`,
  };
}
