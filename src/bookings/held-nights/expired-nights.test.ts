import { sql } from "kysely";
import { expect, test } from "vitest";
import { type PaymentGateway, ProviderFailure } from "#gateway/gateway.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, follow } from "#test/harness/bookings.ts";
import {
  advanceOverdueNights,
  checkoutOf,
  heldNight,
  holdMailsOf,
  holdsBy,
  later,
  only,
} from "#test/harness/calendars/holds.ts";
import { testApp } from "#test/test-app.ts";
import { sweepHolds } from "../jobs.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-24T18:00:00Z") }));

const silentGateway = new Proxy(app.services.gateway as PaymentGateway, {
  get: () => () => Promise.reject(new ProviderFailure("no_answer", "the provider is away")),
});

test("expires with the hold: the next hold moves up, and the link cannot be paid", async () => {
  const { owner, promoters, night, ids, artist } = await heldNight(app, 2, { holdDays: 2 });
  const [first = owner, second = owner] = promoters;
  const made = await artist().convert(ids[0] ?? "", night);
  await later(app, 47, second);
  const { id } = await holdsBy(await later(app, 0, owner))
    .queue(night)
    .then(([hold]) => hold ?? { id: "" });
  expect(id).toBe(ids[0]);
  await artist().extend(ids[1] ?? "", new Date(app.clock.now().getTime() + 200 * hourMs));
  await later(app, 2, second);
  const [own] = await holdsBy(second).mine();
  expect(own?.nights[0]).toMatchObject({ rank: 1 });
  const { text } = only(await holdMailsOf(app, first.user.email, /^Pay the deposit to book/));
  await checkoutOf(app, text ?? "");
  const bookingId = String(made.body["booking_id"]);
  const payments = app.database.db.selectFrom("payments").select("id").where("booking_id", "=", bookingId);
  expect(await payments.execute()).toEqual([]);
});

test.each([true, false])(
  "states that a deposit may be paid at the end of a hold if the provider does not close its checkout: %s",
  async (isOpen) => {
    const { promoters, night, ids } = await heldNight(app, 1, { holdDays: 2 });
    const [first] = promoters;
    if (!first) throw new Error("no promoter");
    const opened = await holdsBy(first).book(ids[0] ?? "", night);
    expect(opened.body, JSON.stringify(opened.body)).toMatchObject({ checkout_url: expect.stringMatching(/^http/) });
    await follow(app);
    app.clock.advance(49 * hourMs);
    const { gateway } = app.services;
    try {
      // The provider's own report of the ended checkout cannot be read either.
      if (isOpen) Object.assign(app.services, { gateway: silentGateway });
      await sweepHolds(app.services);
      if (!isOpen) await follow(app);
      await advanceOverdueNights(app.services);
      await app.settle();
    } finally {
      Object.assign(app.services, { gateway });
    }
    const { text } = only(await holdMailsOf(app, first.user.email, /has expired$/));
    expect(text?.includes("We do not know yet whether your deposit was paid.")).toBe(isOpen);
    const again = holdsBy({ ...first, at: browser(app, await app.signIn(first.user)) });
    expect((await again.mine())[0]?.nights).toMatchObject([{ state: "expired", may_be_paid: isOpen }]);
  },
);

test("states at the end of a later hold of the same request that nothing was charged", async () => {
  const { act, promoters, night, ids } = await heldNight(app, 1, { holdDays: 2 });
  const [first] = promoters;
  if (!first) throw new Error("no promoter");
  const bookAndExpire = async (hold: string) => {
    const { body } = await holdsBy(first).book(hold, night);
    await follow(app);
    app.clock.advance(49 * hourMs);
    await sweepHolds(app.services);
    await follow(app);
    await advanceOverdueNights(app.services);
    await app.settle();
    return body["booking_id"];
  };
  const booking = await bookAndExpire(ids[0] ?? "");
  await sql`insert into provider_charges (provider_payment, payment_id, charge, amount, currency, captured_at, recorded_as)
    select 'pi_' || id, id, 'ch_' || id, amount, currency, created_at, 'payment' from payments
    where booking_id = ${booking}`.execute(app.database.db);
  app.clock.advance(8 * 24 * hourMs);
  first.at = browser(app, await app.signIn(first.user));
  expect(await bookAndExpire((await holdsBy(first).placed(act.slug, [night])).id)).toBe(booking);
  const [, later] = await holdMailsOf(app, first.user.email, /has expired$/);
  expect(later?.text).not.toContain("We do not know yet whether your deposit was paid.");
  const mine = await holdsBy({ ...first, at: browser(app, await app.signIn(first.user)) }).mine();
  expect(mine.map(({ nights }) => nights[0]?.may_be_paid)).toEqual([false, true]);
});
