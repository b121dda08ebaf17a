/** A show is over, and the artist is paid: from the completion to the email, through the sandbox. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { makePayouts, reconcile, submitRefunds } from "#payments/index.ts";
import { emailsFor } from "#test/harness/bookings.ts";
import { expectSound } from "#test/harness/payments.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import { completeShows } from "../lifecycle/jobs.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ now: new Date("2026-11-21T12:00:00Z") });
});
afterAll(() => app.close());

const hourMs = 3_600_000;
const inTx = { inTx: <T>(work: Parameters<typeof app.database.transaction<T>>[0]) => app.database.transaction(work) };

/** A signed and paid booking of an artist who has connected an account, whose show ends now. */
async function playedShow() {
  const user = await app.make.user({ role: "artist" });
  const act = await app.make.artist({ userId: user.id, baseRate: 150_000 });
  const booking = await app.make.booking({ artist: act, status: "contract_signed", balancePaid: true, fee: 150_000 });
  const opened = await app.request("/api/artist/payment-account", {
    method: "POST",
    headers: await app.signIn(user),
    body: {},
  });
  const { url } = (await opened.json()) as { url: string };
  await app.server.inject({ method: "POST", url: `${new URL(url).pathname}/complete` });
  await app.settle();
  await app.services.database.transaction((tx) =>
    tx
      .updateTable("bookings")
      .set({ starts_at: new Date(app.clock.now().getTime() - 3 * hourMs), ends_at: app.clock.now() })
      .where("id", "=", booking.id)
      .execute(),
  );
  const page = async (who: { email: string }) => {
    const answer = await app.request(`/api/bookings/${booking.id}`, { headers: await app.signIn(who) });
    return (await answer.json()) as { money: { payout: Record<string, unknown> | null }; timeline: { kind: string }[] };
  };
  return { user, act, booking, page };
}

test("48 hours after the show the artist is paid gross less commission, and told by email", async () => {
  const { user, booking, page } = await playedShow();
  app.clock.advance(48 * hourMs + 60_000);
  await completeShows(app.services);
  await app.settle();
  expect((await page(user)).money.payout).toMatchObject({ status: "pending", amount_cents: 135_000, waits_for: null });
  await makePayouts(app.services);
  await app.settle();
  const seen = await page(user);
  expect(seen.money.payout).toMatchObject({ status: "paid", amount_cents: 135_000, error: null });
  expect(seen.timeline.map(({ kind }) => kind)).toContain("paid_out");
  expect(await emailsFor(app, booking.id)).toContainEqual(expect.objectContaining({ template: "paid_out" }));
  await expectSound(inTx);
  expect(await reconcile(app.services)).toMatchObject({ differences: [] });
});

test("a promoter who confirms at once does not make the payout due before a day has passed", async () => {
  const { user, booking, page } = await playedShow();
  const promoter = await app.make.user({ role: "promoter" });
  await app.services.database.transaction((tx) =>
    tx.updateTable("bookings").set({ promoter_user_id: promoter.id }).where("id", "=", booking.id).execute(),
  );
  const done = await app.request(`/api/bookings/${booking.id}/complete`, {
    method: "POST",
    headers: await app.signIn(promoter),
    body: {},
  });
  expect(done.status).toBe(200);
  await makePayouts(app.services);
  expect((await page(user)).money.payout).toMatchObject({ status: "pending", waits_for: "date" });
  app.clock.advance(24 * hourMs);
  await makePayouts(app.services);
  expect((await page(user)).money.payout).toMatchObject({ status: "paid" });
});

test("what the artist keeps of a canceled booking is paid as well, 48 hours after the cancellation and once the refund has arrived", async () => {
  const { user, booking, page } = await playedShow();
  const promoter = await app.make.user({ role: "promoter" });
  await app.services.database.transaction((tx) =>
    tx
      .updateTable("bookings")
      .set({
        promoter_user_id: promoter.id,
        starts_at: new Date(app.clock.now().getTime() + 20 * 24 * hourMs),
        ends_at: new Date(app.clock.now().getTime() + 20 * 24 * hourMs + 3 * hourMs),
        deposit_paid_at: new Date(app.clock.now().getTime() - 90 * 24 * hourMs),
      })
      .where("id", "=", booking.id)
      .execute(),
  );
  const headers = await app.signIn(promoter);
  const preview = (await (await app.request(`/api/bookings/${booking.id}/cancellation`, { headers })).json()) as {
    refund_cents: number;
    artist_keeps_cents: number;
  };
  const { refund_cents: expected_refund_cents } = preview;
  const body = { code: "plans_changed", expected_refund_cents };
  expect((await app.request(`/api/bookings/${booking.id}/cancel`, { method: "POST", headers, body })).status).toBe(200);
  await makePayouts(app.services);
  const frozen = expected_refund_cents > 0;
  expect((await page(user)).money.payout).toMatchObject(
    frozen ? { status: "frozen", waits_for: "refund" } : { status: "pending", waits_for: "date" },
  );
  await submitRefunds(app.services);
  await app.settle();
  await makePayouts(app.services);
  await app.settle();
  expect((await page(user)).money.payout).toMatchObject({ status: "pending", waits_for: "date" });
  app.clock.advance(48 * hourMs);
  await makePayouts(app.services);
  await app.settle();
  expect((await page(user)).money.payout).toMatchObject({ status: "paid" });
  await expectSound(inTx);
});

test("a promoter and a guest read nothing of the payout", async () => {
  const { booking } = await playedShow();
  const promoter = await app.make.user({ role: "promoter" });
  await app.services.database.transaction((tx) =>
    tx.updateTable("bookings").set({ promoter_user_id: promoter.id }).where("id", "=", booking.id).execute(),
  );
  app.clock.advance(48 * hourMs + 60_000);
  await completeShows(app.services);
  const answer = await app.request(`/api/bookings/${booking.id}`, { headers: await app.signIn(promoter) });
  const seen = (await answer.json()) as { money: { payout: unknown }; status: string };
  expect([seen.status, seen.money.payout]).toEqual(["completed", null]);
});
