/** A market with one booking in each state that a moved clock ends, and the changes by time. */

import { sql } from "kysely";
import { expect } from "vitest";
import { bookingKey } from "#bookings/index.ts";
import { hourMs, dayMs } from "#platform/time/durations.rules.ts";
import { changeArtistSettings } from "#settings/index.ts";
import { browser, form, press } from "#test/harness/bookings.ts";
import { endShow, reportNoShow, start } from "#test/harness/clock/clock.ts";
import type { TestApp } from "#test/test-app.ts";

/** Makes two requests without a deposit: one without an answer, and one that is accepted immediately. */
async function requestsToAnswer(app: TestApp) {
  const ids: Record<"Unanswered" | "Accepted", string> = { Unanswered: "", Accepted: "" };
  for (const name of ["Unanswered", "Accepted"] as const) {
    const owner = await app.make.user({ role: "artist", email: `${name.toLowerCase()}@example.test` });
    const artist = await app.make.artist({ name, location: "Austin, Texas", userId: owner.id });
    await app.database.transaction((tx) => changeArtistSettings(tx, artist.id, { requireDeposit: false }, owner.id));
    const requested = (await browser(app).requestBooking(form(app, { artistId: artist.slug, eventDate: "2027-03-01" })))
      .body;
    ids[name] = requested.id;
    if (name === "Unanswered") continue;
    const at = browser(app, await app.signIn(owner));
    expect((await at.json(`/api/artist/bookings/${requested.id}/accept`, {})).status).toBe(200);
  }
  await app.settle();
  return ids;
}

/** Makes two past events: one whose artist changed the bank account, and one with a reported no-show. */
async function playedShows(
  app: TestApp,
  signed: (name: string, more: object) => Promise<{ id: string; artist_id: string }>,
) {
  const frozen = await signed("Frozen", { eventDate: "2027-01-08", balancePaid: true });
  await sql`insert into artist_connect (artist_id, provider_account, onboarding_status, frozen_until, updated_at)
    values (${frozen.artist_id}, ${`acct_demo_${frozen.artist_id.replaceAll("-", "")}`}, 'completed',
      ${new Date(start.getTime() + 72 * hourMs)}, ${start})`.execute(app.database.db);
  await endShow(app, frozen.id, new Date(start.getTime() - 47 * hourMs));
  const reported = await signed("Reported", { eventDate: "2027-01-09", balancePaid: true });
  await endShow(app, reported.id, new Date(start.getTime() - 2 * hourMs));
  expect((await reportNoShow(app, reported.id)).status).toBe(200);
  return { frozen: frozen.id, reported: reported.id };
}

/** Makes one booking in each state that time ends. Returns the known times. */
export async function market(app: TestApp) {
  const austin = (name: string) => app.make.artist({ name, location: "Austin, Texas" });
  const keys = app.services.keys;
  const payer = browser(app);
  const { body: unsigned } = await payer.requestBooking(form(app, { artistId: (await austin("Unsigned")).slug }));
  const { body: checkout } = await payer.checkout(unsigned);
  await press(app, checkout["checkout_url"], "pay");
  const leaver = browser(app);
  const { body: left } = await leaver.requestBooking(
    form(app, { artistId: (await austin("Left")).slug, eventDate: "2027-01-20" }),
  );
  await leaver.checkout(left);
  const signed = async (name: string, more: object) =>
    app.make.booking({ artistId: (await austin(name)).id, status: "contract_signed", keys, ...more });
  const played = await signed("Played", { eventDate: "2027-01-14", balancePaid: true });
  const unpaid = await signed("Unpaid", { eventDate: "2026-12-20", balancePaid: false });
  // All reminders of the balance were sent, up to the last step.
  await sql`insert into balance_schedules (booking_id, started_at, last_step)
    values (${unpaid.id}, ${new Date("2026-11-20T12:00:00Z")}, 'decision')`.execute(app.database.db);
  const reviewed = await app.make.booking({ artistId: (await austin("Reviewed")).id, status: "completed", keys });
  await sql`update bookings set completed_at = ${new Date(start.getTime() - dayMs)} where id = ${reviewed.id}`.execute(
    app.database.db,
  );
  const response = await app.request(`/api/bookings/${reviewed.id}/reviews`, {
    headers: { cookie: `bookings=${bookingKey(keys, reviewed.id)}` },
    body: { rating: 5, body: "They stayed an extra quarter of an hour." },
  });
  expect(response.status).toBe(201);
  const shows = await playedShows(app, signed);
  const { Unanswered: unanswered, Accepted: accepted } = await requestsToAnswer(app);
  const ids = { unsigned: unsigned.id, left: left.id, played: played.id, unpaid: unpaid.id, reviewed: reviewed.id };
  return { ...ids, ...shows, unanswered, accepted };
}

/** Returns all changes by time, without ids and without times of the database's own clock. */
export async function stateOf(app: TestApp) {
  const rows = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(app.database.db)).rows;
  return {
    bookings:
      await rows(`select a.name, b.status, b.version, b.deposit_paid_at, b.balance_paid_at, b.completed_at, b.canceled_at,
      b.cancel_code, b.canceled_by, b.updated_at from bookings b join artists a on a.id = b.artist_id order by 1`),
    contracts:
      await rows(`select a.name, c.signed_status, c.sent_at, c.expires_at, c.extended_at, c.reminders, c.attempts
      from contracts c join bookings b on b.id = c.booking_id join artists a on a.id = b.artist_id order by 1`),
    payments: await rows(`select a.name, p.kind, p.status, p.checkout_state, p.amount, p.updated_at
      from payments p join bookings b on b.id = p.booking_id join artists a on a.id = b.artist_id order by 1, 2, 3`),
    refunds: await rows(
      "select amount, status, reason, attempts, created_at, updated_at from refunds order by created_at, amount",
    ),
    ledger: await rows(`select g.kind, g.posted_at, e.amount, split_part(e.account, ':', 1) as account
      from ledger_groups g join ledger_entries e on e.group_id = g.id order by 1, 2, 3, 4`),
    reservations: await rows(
      `select a.name, r.kind from date_reservations r join artists a on a.id = r.artist_id order by 1`,
    ),
    payouts: await rows(`select a.name, p.amount, p.due_at, p.planned_at, p.paid_at, t.kind, t.status, t.amount as sent
      from payouts p join artists a on a.id = p.artist_id left join (select t.payout_id, t.status, t.amount, y.kind
        from transfers t join payments y on y.id = t.payment_id) t on t.payout_id = p.id order by 1, 6`),
    reports: await rows("select note, reported_at, decided_at from no_show_reports order by reported_at"),
    holds: await rows("select ended_by, ended_at from past_holds order by ended_at"),
    reviews: await rows("select rating, published_at from reviews order by 2"),
    messages: await rows(
      `select template, channel, status, count(*)::int as times from messages group by 1, 2, 3 order by 1, 2, 3`,
    ),
    log: await rows("select type, count(*)::int as times from activity group by 1 order by 1"),
    events: await rows("select count(*)::int as waiting from event_outbox"),
    reconciliations: await rows("select started_at from reconciliations order by 1"),
  };
}
