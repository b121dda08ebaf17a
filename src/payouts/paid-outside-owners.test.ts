import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { makeUser } from "#test/factories/users.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { type Played, payoutsAt } from "#test/harness/payouts.ts";
import { disputedBookings } from "#test/harness/provider/memory-disputes.ts";
import { memoryProvider } from "#test/harness/provider/memory-provider.ts";

const provider = memoryProvider();
const app = closeAfterFile(await paymentsHarness({ gateway: provider.gateway }));
afterAll(() => expectSound(app));

const { played, viewOf, eventsOf, recordPaidOutside: record } = payoutsAt(() => app, provider);
const { disputeOf, hear, returnShare } = disputedBookings(provider, () => app);

const giveToAnother = async ({ artistId }: Played): Promise<void> =>
  app.inTx(async (tx) => {
    const { id: user_id } = await makeUser(tx, { role: "artist" });
    await tx.updateTable("artists").set({ user_id }).where("id", "=", artistId).execute();
    const claim = { artist_id: artistId, user_id, evidence: "It is mine.", granted: true, decided_at: app.clock.now() };
    await tx.insertInto("profile_claims").values(claim).execute();
  });

test("neither bills nor pays a later owner of the profile for a payout without an account", async () => {
  const one = await played([37_500, 112_500], { state: "pending" });
  const { artistId, bookingId } = one;
  await app.database.db.deleteFrom("artist_connect").where("artist_id", "=", artistId).execute();
  const { id: earnerId } = await app.inTx((tx) => makeUser(tx, { role: "artist" }));
  const giveTo = (owner: string | null) =>
    app.database.db.updateTable("artists").set({ user_id: owner }).where("id", "=", artistId).execute();
  await giveTo(earnerId);
  await record(one, 135_000);
  await giveToAnother(one);
  const { provider_payment: charge } = await app.payment(one.payments[0] ?? "");
  await hear(disputeOf(charge ?? "", "lost"));
  expect(await eventsOf(one, "payout.failed")).toMatchObject([{ owed: { earnerId } }]);
  await record(one, -33_750);
  await hear(disputeOf(charge ?? "", "won"));
  const share = () => returnShare({ deposit: charge ?? "", bookingId });
  await expect(share()).rejects.toThrow("has another owner since");
  await giveTo(earnerId);
  await expect(share()).rejects.toThrow("has no payment account yet");
});

test("stores in migration 1320 who earned a payout, unless the profile has had another owner since", async () => {
  const file = await readFile(new URL("../../migrations/1320_earners_of_payouts_outside.sql", import.meta.url), "utf8");
  const statement = /^update transfers[^;]*;/mu.exec(file)?.[0] ?? "";
  const one = await played([50_000], { state: "pending" });
  const { id: userId } = await app.inTx((tx) => makeUser(tx, { role: "artist" }));
  await app.database.db
    .updateTable("artist_connect")
    .set({ user_id: userId, provider_account: null })
    .where("artist_id", "=", one.artistId)
    .execute();
  await app.database.db.updateTable("artists").set({ user_id: userId }).where("id", "=", one.artistId).execute();
  await record(one, 45_000);
  const earners = async () => {
    const { db } = app.database;
    const ofPayout = db.selectFrom("payouts").select("id").where("booking_id", "=", one.bookingId);
    await db.updateTable("transfers").set({ earner_id: null }).where("payout_id", "in", ofPayout).execute();
    await sql.raw(statement).execute(db);
    const rows = await db.selectFrom("transfers").select("earner_id").where("payout_id", "in", ofPayout).execute();
    return rows.map(({ earner_id }) => earner_id);
  };
  expect(await earners()).toEqual([userId]);
  await giveToAnother(one);
  expect(await earners()).toEqual([null]);
});

test("offers nothing of a payout that waits for the account of the profile's next owner", async () => {
  const one = await played([50_000], { state: "pending" });
  expect(await viewOf(one)).toMatchObject({ outside: 45_000 });
  await giveToAnother(one);
  expect(await viewOf(one)).toMatchObject({ outside: 0 });
  await expect(record(one, 45_000)).rejects.toThrow("Nothing of this payout was refused");
});
