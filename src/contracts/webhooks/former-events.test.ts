import { readFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { migrationsFolder } from "#platform/db/index.ts";
import { signingWay } from "#test/harness/esign/suite.ts";

test("moves the events of an earlier version to the inbox in migrations 1472 and 1473, and processes the waiting one", async () => {
  const at = await signingWay("docuseal");
  try {
    const { app } = at;
    const sent = await at.sent();
    const ref = await at.refOf(sent.booking.id);
    at.double?.sign(ref, "artist");
    await app.database.exec(`
      create table esign_events (id text primary key, provider text not null, type text not null, ref text, external_id text,
        received_at timestamptz not null, processed_at timestamptz, attempts int not null default 0,
        next_try_at timestamptz not null, dead_at timestamptz, last_error text);
      insert into esign_events (id, provider, type, ref, external_id, received_at, processed_at, attempts, next_try_at, dead_at, last_error)
      values ('done', 'docusign', 'a', null, null, '2026-01-01', '2026-01-02', 1, '2026-01-01', null, 'a note'),
        ('dead', 'docuseal', 'b', '7', 'x', '2026-01-03', null, 8, '2026-01-04', '2026-01-04', 'a failure'),
        ('waiting', 'docuseal', 'c', '${ref}', null, '2026-01-05', null, 2, '2026-01-06', null, 'another failure');`);
    for (const name of ["1472_processed_events_of_signing_services.sql", "1473_inbox_of_webhooks.sql"]) {
      const file = readFileSync(path.join(migrationsFolder, name), "utf8");
      await app.database.exec(`begin; ${file} commit;`);
    }
    const { rows } = await sql`
      select source, id, provider, type, payload->>'objectId' as ref, object_id, payload->>'externalId' as external_id,
        received_at::date::text, processed_at::date::text, attempts, next_try_at::date::text, dead_at::date::text, last_error
      from provider_events where id in ('done', 'dead', 'waiting') order by received_at`.execute(app.database.db);
    const common = { source: "signing", provider: "docuseal", external_id: null, processed_at: null, dead_at: null };
    const of = (row: { ref: string | null; [column: string]: unknown }) => ({ ...common, ...row, object_id: row.ref });
    const day = (received_at: string, next_try_at: string) => ({ received_at, next_try_at });
    expect(rows).toEqual([
      of({
        ...day("2026-01-01", "2026-01-01"),
        id: "done",
        provider: "docusign",
        type: "a",
        ref: null,
        processed_at: "2026-01-02",
        attempts: 1,
        last_error: "a note",
      }),
      of({
        ...day("2026-01-03", "2026-01-04"),
        id: "dead",
        type: "b",
        ref: "7",
        external_id: "x",
        attempts: 8,
        dead_at: "2026-01-04",
        last_error: "a failure",
      }),
      of({
        ...day("2026-01-05", "2026-01-06"),
        id: "waiting",
        type: "c",
        ref,
        attempts: 2,
        last_error: "another failure",
      }),
    ]);
    await at.settle();
    const signed = sql`select side from contract_signers where signed_at is not null`.execute(app.database.db);
    expect((await signed).rows).toEqual([{ side: "artist" }]);
    const waiting = await sql`select id from provider_events where processed_at is null and source = 'signing'`.execute(
      app.database.db,
    );
    expect(waiting.rows).toEqual([{ id: "dead" }]);
  } finally {
    await at.close();
  }
});
