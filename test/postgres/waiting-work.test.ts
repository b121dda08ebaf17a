/** Work that an earlier version left is done by the present one: its events, the provider's events, and all later deadlines of its bookings. */

import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { verify } from "#app/admin/verify.ts";
import { openDatabase } from "#platform/db/index.ts";
import { movableClock } from "#platform/time/clock.ts";
import { issueDocuments } from "#test/harness/documents.ts";
import { waitingWork } from "#test/harness/histories/histories.ts";
import { begin } from "#test/harness/histories/history-actions.ts";
import { createDatabase, dropDatabase } from "#test/served-databases.ts";
import { testApp } from "#test/test-app.ts";
import { temporaryFolder } from "../../scripts/temporary-folder.mjs";

const dump = path.join(import.meta.dirname, "../fixtures/waiting-work-eec3b219.sql.br");
/** The key of that market. It is fictional, so the key protects nothing. */
const key = "pQeIfzEzDlEZikWBRXmGxQz2QY8RBSCTUHC7IaCEl6E=";

test("handles the events of an earlier version, and completes or ends its bookings", async () => {
  const server = process.env["DATABASE_URL_TEST"] ?? "";
  const name = `waiting_${randomBytes(6).toString("hex")}`;
  const dataDir = mkdtempSync(path.join(temporaryFolder, "stagedoor-waiting-"));
  const database = await openDatabase({ url: await createDatabase(server, name), statementMs: 60_000 });
  try {
    await database.exec(brotliDecompressSync(readFileSync(dump)).toString("utf8"));
    writeFileSync(path.join(dataDir, "secrets.key"), key, { mode: 0o600 });
    const clock = movableClock();
    clock.now = () => begin;
    await using app = await testApp({ env: { SANDBOX_CURRENCIES: "usd" }, beside: { database, dataDir, clock } });
    const readContracts = async () =>
      (await sql`select contract_id, kind, sha256(bytes) as hash from contract_documents`.execute(database.db)).rows;
    const contracts = await readContracts();
    expect(contracts.length).toBeGreaterThan(4);
    expect((await waitingWork(app)).map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        "event booking.force_majeure",
        expect.stringContaining("provider event charge.refunded"),
      ]),
    );

    await app.services.sandbox?.settle();
    await app.settle();
    expect(await waitingWork(app)).toEqual([]);

    expect((await app.request("/api/dev/clock", { body: { advance: "P90D" } })).status).toBe(200);
    await issueDocuments(app.services);
    expect(await waitingWork(app)).toEqual([]);
    const statuses = await database.db.selectFrom("bookings").select("status").distinct().orderBy("status").execute();
    expect(statuses).toEqual([{ status: "canceled" }, { status: "completed" }]);
    expect((await verify(database.db)).filter(({ count }) => count > 0)).toEqual([]);
    expect(await readContracts()).toEqual(expect.arrayContaining(contracts));
  } finally {
    await database.close();
    await dropDatabase(server, name);
    rmSync(dataDir, { recursive: true, force: true });
  }
});
