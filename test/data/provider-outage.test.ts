/**
 * The payment provider cannot be reached for three days and no webhook arrives. The first calls were made but their
 * responses were lost, later ones never arrive, and the provider forgets its idempotency keys. Afterwards nothing has been
 * charged, refunded, paid out or reversed twice, and everything due has been done. TEST_DEEP=1 runs every outcome of the
 * first calls.
 */

import { sql } from "kysely";
import { afterEach, expect, test } from "vitest";
import { bookingsJobs } from "#bookings/index.ts";
import { paymentsJobs } from "#payments/index.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { reconcile } from "#reconciliation/index.ts";
import { automaticCharges } from "#test/harness/automatic-charges.ts";
import { bookingRow, browser, form, peopleOf, press } from "#test/harness/bookings.ts";
import { expectSound } from "#test/harness/payments.ts";
import { ProviderFailure } from "#test/harness/provider/provider-failure.ts";
import { testApp, type TestApp } from "#test/test-app.ts";

const begin = new Date("2027-01-10T15:00:00Z");

/** Outcomes of provider calls: normal, done with a lost or broken response, or not done. */
type Line = "works" | "lost" | "server_error" | "away";
let app: TestApp;
afterEach(() => app.close());

const firstCalls: readonly Line[] = process.env["TEST_DEEP"] === "1" ? ["lost", "server_error", "away"] : ["lost"];

type Call = (...given: unknown[]) => unknown;

/** Puts an interruptible connection between the product and the provider, for calls and webhooks. */
function cuttable(of: TestApp) {
  const line = { state: "works" as Line };
  const gateway = of.services.gateway as unknown as Record<string, unknown>;
  const { sandbox } = of.services;
  const failure = () =>
    line.state === "server_error"
      ? new ProviderFailure("server_error", "the provider failed")
      : new ProviderFailure("no_answer", "the provider does not answer");
  for (const [name, call] of Object.entries(gateway)) {
    // Reading a webhook and signing a test event make no provider call.
    if (typeof call !== "function" || name === "readEvent" || name === "signTestEvent") continue;
    const real = call as Call;
    gateway[name] = name.startsWith("list")
      ? async function* (...given: unknown[]) {
          if (line.state !== "works") throw failure();
          yield* real(...given) as AsyncIterable<unknown>;
        }
      : async (...given: unknown[]) => {
          if (line.state === "works") return real(...given);
          if (line.state !== "away") await real(...given);
          throw failure();
        };
  }
  sandbox?.deliverTo(async (body, headers, endpoint) => {
    if (line.state !== "works") return false;
    const url = `/api/webhooks/stripe${endpoint === "connect" ? "/connect" : ""}`;
    return (await of.server.inject({ method: "POST", url, payload: body, headers })).statusCode === 200;
  });
  return line;
}

/** Advances the clock in steps of a few hours, and runs every job of bookings and payments. */
async function later(hours: number, steps = 1): Promise<void> {
  for (let step = 0; step < steps; step++) {
    app.clock.advance((hours / steps) * hourMs);
    for (const job of [...bookingsJobs, ...paymentsJobs])
      await job.run(app.services).catch((error: unknown) => {
        // A job stops when the provider cannot be reached, and its schedule runs it again.
        if (!(error instanceof ProviderFailure)) throw error;
      });
    await app.services.sandbox?.settle();
    await app.settle();
  }
}

/** Returns the provider's objects for our rows, by purpose. An object made twice is counted twice. */
const made = async () =>
  (
    await sql<{ what: string; of: string; times: number }>`
      select 'charge' as what, body->'metadata'->>'intent_id' as of, count(*)::int as times from sandbox_objects
        where kind = 'charge' and (body->>'paid')::boolean group by 2
      union all select 'refund', body->'metadata'->>'refund_id', count(*)::int from sandbox_objects
        where kind = 'refund' and body->'metadata'->>'refund_id' <> '' group by 2
      union all select 'transfer', body->'metadata'->>'transfer_id', count(*)::int from sandbox_objects where kind = 'transfer' group by 2
      union all select 'reversal', r->'metadata'->>'reversal_id', count(*)::int from sandbox_objects, jsonb_array_elements(body->'reversals'->'data') r
        where kind = 'transfer' group by 2`.execute(app.database.db)
  ).rows;

test.each(firstCalls)(
  "does everything exactly once after three days without the provider, with the first calls %s",
  { timeout: 400_000 },
  async (first) => {
    app = await testApp({ now: begin });
    const line = cuttable(app);
    const people = peopleOf(() => app);
    const { signed, charges } = automaticCharges(() => [app]);
    const paid = async (endedHours: number | null) => {
      const user = await app.make.user({ role: "artist" });
      const act = await people.artist({ userId: user.id });
      const account = await browser(app, await app.signIn(user)).json("/api/artist/payment-account", {});
      await app.server.inject({ method: "POST", url: `${new URL(String(account.body["url"])).pathname}/complete` });
      await app.services.sandbox?.settle();
      await app.settle();
      const { booking, visitor } = await people.held({
        artist: act,
        status: "contract_signed",
        balancePaid: true,
        now: begin,
        createdAt: begin,
      });
      if (endedHours !== null) {
        const end = new Date(begin.getTime() - endedHours * hourMs);
        const show = { starts_at: new Date(end.getTime() - 3 * hourMs), ends_at: end };
        await app.database.transaction((tx) =>
          tx.updateTable("bookings").set(show).where("id", "=", booking.id).execute(),
        );
      }
      return { booking, visitor };
    };
    const canceled = await paid(null);
    const played = await paid(47);
    const returned = await paid(60);
    const payer = browser(app);
    const { body: requested } = await payer.requestBooking(form(app, { artistId: (await people.artist()).slug }));
    const latecomer = browser(app);
    const { body: waits } = await latecomer.requestBooking(
      form(app, { artistId: (await people.artist()).slug, clientEmail: "sam@other.example" }),
    );
    // The third event is paid out before the interruption. A part is refunded in the provider's dashboard at the last moment.
    await later(1.5, 2);
    const [payment] = await app.database.db
      .selectFrom("payments")
      .select("provider_payment")
      .where("booking_id", "=", returned.booking.id)
      .where("kind", "=", "balance")
      .execute();
    await app.services.gateway?.createRefund({
      refundId: "",
      key: "dashboard",
      providerPayment: payment?.provider_payment ?? "",
      amount: 50_000,
    });
    await app.services.sandbox?.settle();
    await app.settle();
    const expected = (await canceled.visitor.json(`/api/bookings/${canceled.booking.id}/cancellation`)).body[
      "refund_cents"
    ];
    expect(expected).toBe(150_000);
    await canceled.visitor.json(`/api/bookings/${canceled.booking.id}/cancel`, {
      code: "plans_changed",
      expected_refund_cents: expected,
    });

    // An event so near that its balance is charged to the saved card as soon as the jobs see the signatures.
    const automatic = (await signed({ daysAhead: 20 })).booking;
    const page = (await payer.checkout(requested)).body["checkout_url"];
    line.state = first;
    await app.server.inject({ method: "POST", url: `${new URL(String(page)).pathname}/pay` });
    expect((await latecomer.checkout(waits)).status).toBeGreaterThanOrEqual(500);
    await later(2, 2);
    line.state = "away";
    await later(72, 9);
    line.state = "works";
    await later(4, 4);
    const again = (await latecomer.checkout(waits)).body["checkout_url"];
    await press(app, again, "pay");
    await later(3, 3);

    expect((await made()).filter(({ times }) => times !== 1)).toEqual([]);
    const open = await sql`
      select 'refund' as what from refunds where status <> 'succeeded' union all select 'transfer' from transfers where status <> 'succeeded'
      union all select 'reversal' from transfer_reversals where status <> 'succeeded'
      union all select 'payout' from payouts where paid_at is null`.execute(app.database.db);
    expect(open.rows).toEqual([]);
    for (const { id } of [requested, waits]) {
      const { rows } =
        await sql`select kind, status from payments where booking_id = ${id} and status = 'succeeded'`.execute(
          app.database.db,
        );
      expect(rows).toEqual([{ kind: "deposit", status: "succeeded" }]);
      expect((await bookingRow(app, id)).status).toBe("contract_sent");
    }
    expect((await charges(automatic.id)).map(({ status }) => status)).toEqual(["succeeded"]);
    expect((await bookingRow(app, automatic.id)).balance_paid_at).not.toBeNull();
    expect((await bookingRow(app, canceled.booking.id)).status).toBe("canceled");
    for (const one of [played, returned]) expect((await bookingRow(app, one.booking.id)).status).toBe("completed");
    const counts = Map.groupBy(await made(), ({ what }) => what);
    expect(counts.get("refund")).toHaveLength(2);
    expect(counts.get("transfer")).toHaveLength(4);
    expect(counts.get("reversal")?.length).toBeGreaterThan(0);
    await expectSound({ inTx: (work) => app.database.transaction(work) });
    expect(await reconcile(app.services)).toMatchObject({ differences: [] });
  },
);
