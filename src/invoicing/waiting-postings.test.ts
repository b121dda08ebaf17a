import { afterAll, expect, test } from "vitest";
import { hourMs, dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { documentOffences, documentsIn, expectDocumented, issueDocuments } from "#test/harness/documents.ts";
import { testApp } from "#test/test-app.ts";
import { issueBatch } from "./issue.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));
afterAll(async () => {
  await issueDocuments(app.services);
  await expectDocumented(app.database.db);
});

const inTx = <T>(work: Parameters<typeof app.database.transaction<T>>[0]) => app.database.transaction(work);

test("issues postings without a dependency before those that wait for another document", async () => {
  const first = await app.make.booking({ status: "deposit_paid", fee: 150_000 });
  await app.database.db
    .updateTable("documents_due")
    .set({ waited_at: app.clock.now() })
    .where("group_id", "in", (group) =>
      group.selectFrom("ledger_groups").select("id").where("booking_id", "=", first.id),
    )
    .execute();
  const next = await app.make.booking({ status: "deposit_paid", fee: 150_000 });
  expect(await inTx((tx) => issueBatch(tx, app.clock.now(), 1))).toEqual({ issued: 1, settled: 1 });
  expect(await documentsIn(app.database.db, next.id)).toHaveLength(1);
  expect(await documentsIn(app.database.db, first.id)).toEqual([]);
  await issueDocuments(app.services);
});

test("issues other postings despite a faulty one, and the faulty one an hour later after its correction", async () => {
  const bad = await app.make.booking({ status: "deposit_paid", fee: 150_000 });
  const good = await app.make.booking({ status: "deposit_paid", fee: 150_000 });
  const takenIn = (currency: string) =>
    app.database.db.updateTable("bookings").set({ currency }).where("id", "=", bad.id).execute();
  await takenIn("eur");
  await issueDocuments(app.services);
  expect(await documentsIn(app.database.db, good.id)).toHaveLength(1);
  expect(await documentsIn(app.database.db, bad.id)).toEqual([]);
  const failed = await app.database.db.selectFrom("documents_due").select("failed_reason").execute();
  expect(failed).toEqual([{ failed_reason: expect.stringContaining("gross") }]);
  await takenIn("usd");
  await issueDocuments(app.services);
  expect(await documentsIn(app.database.db, bad.id)).toEqual([]);
  app.clock.advance(hourMs);
  await issueDocuments(app.services);
  expect(await documentsIn(app.database.db, bad.id)).toHaveLength(1);
});

test("issues fresh and past postings in one batch, so neither delays the other", async () => {
  const daysAgo = (days: number) => ({ createdAt: new Date(app.clock.now().getTime() - days * dayMs) });
  const [older, oldest, fresh, next] = [
    await app.make.booking({ status: "deposit_paid", ...daysAgo(5) }),
    await app.make.booking({ status: "deposit_paid", ...daysAgo(9) }),
    await app.make.booking({ status: "deposit_paid" }),
    await app.make.booking({ status: "deposit_paid" }),
  ];
  expect(await inTx((tx) => issueBatch(tx, app.clock.now(), 1))).toEqual({ issued: 2, settled: 2 });
  const counts = [];
  for (const { id } of [oldest, older, fresh, next]) counts.push((await documentsIn(app.database.db, id)).length);
  expect(counts[0]).toBe(1);
  expect(counts[1]).toBe(0);
  expect(counts.slice(2).sort((a, b) => a - b)).toEqual([0, 1]);
  await issueDocuments(app.services);
});

test("reports a posting that is missing from the queue as an invariant violation", async () => {
  await app.make.booking({ status: "deposit_paid", fee: 150_000 });
  await expect(
    inTx(async (tx) => {
      await tx.deleteFrom("documents_due").execute();
      expect(await documentOffences(tx)).toEqual([expect.objectContaining({ rule: "D3 posting without a document" })]);
      throw new Error("planted");
    }),
  ).rejects.toThrow("planted");
});
