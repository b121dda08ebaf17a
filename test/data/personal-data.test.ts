/** Deletes an account and searches its remains in database, log, files and export. Enforces the age limits and writes docs/personal-data.md. */

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { exportData } from "#app/admin/export.ts";
import { jobs } from "#app/jobs.ts";
import { personalDataTables } from "#app/personal-data/index.ts";
import { closeDelivery, deliverMessages } from "#delivery/index.ts";
import { isAccountNotice, isErased, isSecret, templateTitle } from "#notifications/index.ts";
import { makeLog } from "#platform/log.ts";
import { isRetained } from "#platform/personal-data/personal-data.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { startMailServer } from "#test/harness/servers/mail-server.ts";
import { testApp, testPassword } from "#test/test-app.ts";
import { impersonalColumns } from "./impersonal-columns.ts";
import { personalDataDocument } from "./personal-data-document.ts";

const app = closeAfterFile(await testApp({ log: makeLog("trace", { write: (line) => void (logged += line) }) }));
let logged = "";

const textColumns = async () => {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.table_name as table, c.column_name as column from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name <> 'migrations'
      and c.data_type in ('text', 'character varying', 'json', 'jsonb', 'ARRAY')
    order by 1, c.ordinal_position`.execute(app.services.database.db);
  return rows;
};

async function columnsWith(texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const { table, column } of await textColumns()) {
    const like = texts.map((text) => sql`${sql.ref(column)}::text ilike ${`%${text}%`}`);
    const { rows } = await sql`select 1 from ${sql.table(table)} where ${sql.join(like, sql` or `)} limit 1`.execute(
      app.services.database.db,
    );
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found;
}

const retainedColumns = new Set(
  personalDataTables.flatMap(({ table, personal }) =>
    Object.entries(personal?.columns ?? {}).flatMap(([column, value]) =>
      isRetained(value) ? [`${table}.${column}`] : [],
    ),
  ),
);

test("leaves a deleted user's name, address and number only in the retained columns", async () => {
  const name = "Zyxamarker Quillfeather";
  const email = "zyxamarker@quill.example";
  const phone = "+15125550777";
  const person = await app.make.user({ name, email, phone });
  const guest = await app.make.booking({ promoterName: name, promoterEmail: email.toUpperCase(), status: "canceled" });
  const own = await app.make.booking({
    promoterName: name,
    promoterEmail: email,
    promoterUserId: person.id,
    status: "completed",
    venue: "Zyxamarker's barn",
  });
  const contact = await app.request("/api/contact", {
    body: { name, email, subject: "About zyxamarker", message: `I am ${name}, please call ${phone}.` },
  });
  expect(contact.status).toBe(201);
  await app.database.transaction(async (tx) => {
    const of = { booking_id: own.id, artist_id: own.artist_id };
    await tx
      .insertInto("past_holds")
      .values({ ...of, event_date: own.event_date, held_by_browser: "b", held_by_email: email, ended_at: new Date() })
      .execute();
    await tx
      .updateTable("bookings")
      .set({ special_requests: `Ask for ${name}`, cancel_note: name, promoter_phone: phone })
      .where("id", "in", [own.id, guest.id])
      .execute();
    await tx
      .updateTable("payments")
      .set({ payer_name: name, payer_email: email })
      .where("booking_id", "=", own.id)
      .execute();
    await tx.updateTable("date_reservations").set({ held_by_email: email }).where("booking_id", "=", own.id).execute();
    await tx
      .insertInto("reviews")
      .values({ ...of, author_name: name, author_user_id: person.id, rating: 5, written_by: "promoter" })
      .execute();
    await tx
      .insertInto("messages")
      .values([
        { channel: "sms", recipient: phone, template: "test", text: "A code" },
        {
          channel: "email",
          recipient: "act@x.test",
          template: "t",
          text: `From ${name}`,
          ref_id: own.id,
          status: "sent",
        },
      ])
      .execute();
    await tx
      .insertInto("profile_claims")
      .values({ artist_id: own.artist_id, user_id: person.id, evidence: `I am ${name}`, decided_at: new Date() })
      .execute();
    await tx
      .insertInto("settings")
      .values({ scope: "promoter", owner_id: person.id, value: JSON.stringify({ note: name }) })
      .execute();
  });
  await app.settle();
  const headers = await app.signIn({ email });
  const planted = await columnsWith(["zyxamarker", "5125550777"]);
  expect(planted.length).toBeGreaterThan(25);

  expect((await app.request("/api/me/delete", { headers, body: { password: testPassword } })).status).toBe(200);
  await app.settle();
  const mail = await startMailServer();
  const config = { ...app.services.config, demo: false, smtpUrl: mail.url };
  const sent = await deliverMessages(
    { ...app.services, config },
    { readAttachment: async () => undefined, isAccountNotice, isErased, isSecret, templateTitle },
  );
  closeDelivery(config);
  await mail.close();
  expect(sent.failed).toBe(0);
  expect(
    mail.received.filter((text) => text.includes(`To: ${email}`)).map((text) => /^Subject: (.*)$/m.exec(text)?.[1]),
  ).toEqual(["Your account was deleted"]);
  const left = await columnsWith(["zyxamarker", "5125550777"]);
  expect(left.filter((column) => !retainedColumns.has(column))).toEqual([]);
  expect(left).toEqual(["contracts.terms", "payments.payer_email", "payments.payer_name"]);

  const marker = /zyxamarker|5125550777/i;
  expect(logged).toContain(person.id);
  expect(logged.split("\n").filter((line) => marker.test(line))).toEqual([]);
  const files = readdirSync(app.dataDir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const holding = files.filter((file) => marker.test(readFileSync(path.join(file.parentPath, file.name), "latin1")));
  expect(holding.map((file) => file.name)).toEqual([]);
  let exported = "";
  await exportData(app.database, async (part) => void (exported += part));
  const kept = exported.split("\n").filter((line) => marker.test(line));
  expect(new Set(kept.map((line) => (JSON.parse(line) as { table: string }).table))).toEqual(
    new Set(["contracts", "payments"]),
  );
});

test("retains other users' rows when an account with an unverified address is deleted", async () => {
  const email = "victim@quill.example";
  const booking = await app.make.booking({ promoterName: "Vic Tim", promoterEmail: email, status: "canceled" });
  const stranger = await app.make.user({ email });
  const headers = await app.signIn({ email });
  await app.database.transaction((tx) =>
    tx.updateTable("users").set({ email_confirmed_at: null }).where("id", "=", stranger.id).execute(),
  );
  expect((await app.request("/api/me/delete", { headers, body: { password: testPassword } })).status).toBe(200);
  const { db } = app.services.database;
  const row = await db
    .selectFrom("bookings")
    .select(["promoter_name", "promoter_email"])
    .where("id", "=", booking.id)
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ promoter_name: "Vic Tim", promoter_email: email });
  expect(await db.selectFrom("messages").select("template").where("recipient", "=", email).execute()).toEqual([]);
});

test("deletes rows older than their limit in batches, and no newer ones, in the nightly job", async () => {
  const { db } = app.services.database;
  const now = app.services.clock.now();
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs);
  await app.database.transaction(async (tx) => {
    await sql`insert into contact_messages (name, email, message, created_at)
      select 'Old', 'old@quill.example', 'x', ${daysAgo(366)}::timestamptz from generate_series(1, 2500)`.execute(tx);
    const row = { channel: "email" as const, recipient: "age@quill.example", template: "t", subject: "s", text: "t" };
    await tx
      .insertInto("messages")
      .values([
        { ...row, status: "sent", dedupe_key: "old", created_at: daysAgo(401) },
        { ...row, status: "waiting", dedupe_key: "waiting", created_at: daysAgo(401) },
        { ...row, status: "sent", dedupe_key: "young", created_at: daysAgo(399) },
        { ...row, template: "account_deleted", status: "sent", dedupe_key: "former", created_at: daysAgo(2) },
      ])
      .execute();
    await tx
      .insertInto("contact_messages")
      .values({ name: "Young", email: "y@quill.example", message: "x", created_at: daysAgo(364) })
      .execute();
  });
  const request = await app.make.booking({ status: "canceled", createdAt: daysAgo(400), eventDate: "2020-01-01" });
  const job = jobs.find(({ name }) => name === "enforce-retention");
  await job?.run(app.services);
  expect(
    await db.selectFrom("contact_messages").select("name").where("name", "in", ["Old", "Young"]).execute(),
  ).toEqual([{ name: "Young" }]);
  const messages = await db
    .selectFrom("messages")
    .select(["dedupe_key", "recipient"])
    .where("dedupe_key", "in", ["old", "waiting", "young", "former"])
    .orderBy("dedupe_key")
    .execute();
  expect(messages).toEqual([
    { dedupe_key: "waiting", recipient: "age@quill.example" },
    { dedupe_key: "young", recipient: "age@quill.example" },
  ]);
  expect(await db.selectFrom("contracts").select("id").where("booking_id", "=", request.id).execute()).toEqual([]);
  expect(
    await db.selectFrom("bookings").select("promoter_name").where("id", "=", request.id).executeTakeFirst(),
  ).toEqual({ promoter_name: "Deleted user" });
});

test("finds every text and json column in the list of personal data or as impersonal", async () => {
  const personal = new Set(
    personalDataTables.flatMap((list) =>
      Object.keys(list.personal?.columns ?? {}).map((column) => `${list.table}.${column}`),
    ),
  );
  const impersonal = new Set(
    Object.entries(impersonalColumns).flatMap(([table, columns]) => columns.split(" ").map((c) => `${table}.${c}`)),
  );
  const columns = (await textColumns()).map(({ table, column }) => `${table}.${column}`);
  expect(columns.filter((column) => !personal.has(column) && !impersonal.has(column))).toEqual([]);
  expect([...impersonal].filter((column) => personal.has(column) || !columns.includes(column))).toEqual([]);
});

test("matches the table in docs/personal-data.md", async () => {
  await expect(personalDataDocument(personalDataTables)).toMatchFileSnapshot("../../docs/personal-data.md");
});
