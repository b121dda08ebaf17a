import { readFile } from "node:fs/promises";
import path from "node:path";
import { isContractProcedure } from "@orpc/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import { api } from "#app/routing/api.ts";
import { migrationsFolder } from "#platform/db/index.ts";
import { type TestApp, testApp } from "#test/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

type Input = Readonly<{ field: string; shape: z.core.$ZodType }>;

function inputsOf(part: unknown): Input[] {
  if (isContractProcedure(part)) {
    const { inputSchema, route } = part["~orpc"];
    return inputSchema ? fieldsOf(route.operationId ?? "", inputSchema as unknown as z.core.$ZodType) : [];
  }
  return part && typeof part === "object" ? Object.values(part).flatMap(inputsOf) : [];
}

function fieldsOf(field: string, shape: z.core.$ZodType): Input[] {
  const { def } = (shape as z.core.$ZodTypes)._zod;
  if (def.type === "object")
    return Object.entries(def.shape).flatMap(([name, inner]) => fieldsOf(`${field}.${name}`, inner));
  if (def.type === "array") return fieldsOf(field, def.element);
  if (def.type === "record") return fieldsOf(field, def.valueType);
  if (def.type === "optional" || def.type === "nullable" || def.type === "default")
    return fieldsOf(field, def.innerType);
  return [{ field, shape }];
}

const unseen = "\u202e";

/** Returns true if the field accepts a text of some length with a character that changes its direction, and passes that on. */
const retainsUnseen = ({ shape }: Input): boolean =>
  [4, 30, 100].some((length) => {
    const text = `${"Seven bells ring. ".repeat(6).slice(0, length)}${unseen}`;
    const { success, data } = (shape as z.ZodType).safeParse(text);
    return success && JSON.stringify(data).includes(unseen);
  });

/** Never shown to another user: they find something, are compared with a stored text, or are secrets. The act's name has its own rule. */
const unshown =
  /\.(search|q|town|cursor|slug|artistId|artists|place_id|id|sessionId|number|link|key|token|url|photo_url|video_url|server_url|username|password|code|version|currency|advance|balanceConsent|website|clientEmail)$|^saveArtistProfile\.name$/;

test("every input of a text removes characters that change its direction", () => {
  const inputs = inputsOf(api);
  expect(inputs.map(({ field }) => field)).toContain("writeReview.body");
  const names = inputs.filter((input) => retainsUnseen(input)).map(({ field }) => field);
  expect(names.filter((name) => !unshown.test(name))).toEqual([]);
});

test("texts that an earlier version stored lose these characters, and retain their lines, joiners and words", async () => {
  const { db } = app.database;
  const { id } = await app.make.artist();
  const set = (bio: string) => db.updateTable("artists").set({ bio }).where("id", "=", id).execute();
  const migration = await readFile(path.join(migrationsFolder, "1350_texts_without_invisible_characters.sql"), "utf8");
  const migrated = async (bio: string) => {
    await set(bio);
    await sql.raw(migration).execute(db);
    return (await db.selectFrom("artists").select("bio").where("id", "=", id).executeTakeFirstOrThrow()).bio;
  };
  expect(await migrated("Brass,\u202e and\n\tmore\u200b brass.\ufeff 👩\u200d🎤❤\ufe0f می\u200cخواهم")).toBe(
    "Brass, and\n\tmore brass. 👩\u200d🎤❤\ufe0f می\u200cخواهم",
  );
});
