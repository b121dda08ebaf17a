import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readSort } from "#platform/list.rules.ts";
import { hourMs, dayMs } from "#platform/time/durations.rules.ts";
import { bookingRow, browser, dayAhead, peopleOf } from "#test/harness/bookings.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import { bookingStatusNames, type Permissions } from "../rules.ts";
import { type OwnBookingColumn, ownBookingSorts, savedFilters } from "../rules/list.rules.ts";
import { requireConfirmation } from "../store.ts";

type Item = {
  id: string;
  status: string;
  event_date: string;
  ends_at: string;
  fee_cents: number;
  deposit_cents: number;
  balance_cents: number;
  balance_paid: boolean;
  venue_name: string;
  payments: { status: string; amount: number; refunded_cents: number; disputed_cents: number }[];
  can: Permissions;
  act_due: { kind: string; at: string } | null;
};
const paidOf = ({ payments }: Item) =>
  payments
    .filter((one) => one.status === "succeeded")
    .reduce((sum, one) => sum + one.amount - one.refunded_cents - one.disputed_cents, 0);
const keyOf: Partial<Record<OwnBookingColumn, (one: Item) => number>> = {
  event: (one) => Date.parse(one.event_date),
  amount: (one) => one.fee_cents,
  paid: (one) => paidOf(one),
  status: (one) => bookingStatusNames.findIndex((name) => name === one.status),
};
type Summary = {
  counts: Record<string, number>;
  sums: { currency: string; bookings: number; canceled: number; fee_cents: number; paid_cents: number }[];
};
type Page = { items: Item[]; nextCursor: string | null; summary: Summary | null };

let app: TestApp;
let artistAt: ReturnType<typeof browser>;
let promoterAt: ReturnType<typeof browser>;
let adminAt: ReturnType<typeof browser>;
const lists = [
  ["artist", () => artistAt],
  ["promoter", () => promoterAt],
] as const;

const chargedVenue = "Charged to the kept card";

beforeAll(async () => {
  app = await testApp();
  const { artist, person } = peopleOf(() => app);
  const [mine, promoter, admin] = [await person("artist"), await person("promoter"), await person("admin")];
  [artistAt, promoterAt, adminAt] = [mine.at, promoter.at, admin.at];
  const act = await artist({ userId: mine.user.id });
  let day = 20;
  const make = (given: Parameters<TestApp["make"]["booking"]>[0]) => {
    day += 3;
    return app.make.booking({ artist: act, promoterUserId: promoter.user.id, eventDate: dayAhead(app, day), ...given });
  };
  for (const status of bookingStatusNames)
    await make(status === "completed" ? { status, eventDate: dayAhead(app, -30) } : { status });
  await make({ fee: 0 });
  const waiting = await make({ fee: 90_000 });
  await sql`update bookings set deposit_percent = 0, deposit_cents = 0, balance_cents = fee_cents,
    answer_due_at = ${new Date(app.clock.now().getTime() + hourMs)}::timestamptz
    where id = ${waiting.id}::uuid`.execute(app.database.db);
  const unconfirmed = await make({});
  await app.database.transaction((tx) => requireConfirmation(tx, unconfirmed));
  await make({ fee: 40, venue: "Too cheap for a card" });
  await make({ status: "contract_signed", balancePaid: true, fee: 123_456 });
  await make({ status: "deposit_paid", balancePaid: true });
  // Requested long ago and never paid: its start has passed, and no job has ended it yet.
  const longAgo = new Date(app.clock.now().getTime() - 60 * dayMs);
  await make({ eventDate: dayAhead(app, -1), now: longAgo });
  await make({ status: "contract_signed", eventDate: dayAhead(app, -5), now: longAgo, balancePaid: true });
  for (const side of ["promoter", "artist"]) {
    const { id } = await make({ status: "contract_sent" });
    await sql`insert into contract_signers (contract_id, side, name, signed_at)
      select id, ${side}, 'Hannah Whitt', now() from contracts where booking_id = ${id}::uuid`.execute(app.database.db);
  }
  // The artist decides about an unpaid balance, except about one that no card can pay.
  for (const balance of [90_000, 30]) {
    const late = await make({ status: "contract_signed" });
    await sql`update bookings set balance_cents = ${balance}, fee_cents = deposit_cents + ${balance}
      where id = ${late.id}::uuid`.execute(app.database.db);
    await sql`insert into balance_schedules (booking_id, last_step, started_at) values (${late.id}::uuid, 'decision', now())
      on conflict (booking_id) do update set last_step = 'decision'`.execute(app.database.db);
  }
  for (let left = 2; left > 0; left -= 1) {
    const request = await make({});
    await sql`update bookings set answer_due_at = starts_at - interval '1 hour', deposit_percent = 0, deposit_cents = 0,
      balance_cents = fee_cents where id = ${request.id}::uuid`.execute(app.database.db);
  }
  // The balance of one is charged to the saved card. The consent for the second was withdrawn. The others are not charged.
  const [proposedVenue, requestedVenue] = ["An end by agreement is proposed", "The balance was requested"];
  for (const venue of [chargedVenue, "The consent was withdrawn", proposedVenue, requestedVenue]) {
    const { id } = await make({ status: "contract_signed", venue });
    await sql`insert into saved_cards (method, customer, booking_id, payment_id, brand, last4, exp_month, exp_year, saved_at)
      select ${`pm_${id}`}, 'cus', ${id}::uuid, p.id, 'visa', '4242', 12, 2030, now() from payments p
      where p.booking_id = ${id}::uuid limit 1`.execute(app.database.db);
    await sql`insert into balance_consents (booking_id, text, text_version, amount_cents, currency, given_at, address, user_agent,
        withdrawn_at, withdrawn_by)
      select b.id, 'Charge it', 1, b.balance_cents, b.currency, now(), '127.0.0.1', 'Test',
        case when ${venue} like '%withdrawn' then now() end, case when ${venue} like '%withdrawn' then 'promoter' end
      from bookings b where b.id = ${id}::uuid`.execute(app.database.db);
    if (venue === proposedVenue)
      await sql`insert into force_majeure_proposals (booking_id, proposed_by, reason, paid_cents, refund_cents, everything_back, proposed_at, expires_at)
        values (${id}::uuid, 'artist', 'The hall is under water.', 0, 0, true, now(), now() + interval '3 days')`.execute(
        app.database.db,
      );
    if (venue === requestedVenue)
      await sql`insert into balance_schedules (booking_id, last_step, started_at) values (${id}::uuid, 'due', now())
        on conflict (booking_id) do update set last_step = 'due'`.execute(app.database.db);
  }
  const { body: requested } = await promoterAt.requestBooking({ artistId: act.slug, eventDate: dayAhead(app, 150) });
  await promoterAt.checkout(requested);
  // A booking of other users, which no list here may count.
  await app.make.booking({});
});
afterAll(() => app.close());

const read = async (at: ReturnType<typeof browser>, address: string): Promise<Page> => {
  const { status, body } = await at.json(address);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as unknown as Page;
};

const isOver = (one: Item) => one.status === "canceled" || new Date(one.ends_at) <= app.clock.now();
const rules: Record<string, (one: Item, role: "artist" | "promoter") => boolean> = {
  upcoming: (one) => !isOver(one),
  past: isOver,
  unpaid: ({ status, deposit_cents: deposit, balance_cents: balance, balance_paid: paid }) =>
    status === "initiated"
      ? deposit > 0
      : ["deposit_paid", "contract_sent", "contract_signed"].includes(status) && balance > 0 && !paid,
  needs_you: ({ can, venue_name: venue }, role) =>
    can.sign ||
    (role === "artist"
      ? can.answer || can.decide_balance
      : can.confirm_request || (can.pay !== null && venue !== chargedVenue)),
};

describe.each(lists)("the list of the %s", (role, at) => {
  test("returns and counts for each saved filter the bookings of its rule", async () => {
    const all = await read(at(), `/api/${role}/bookings?limit=100`);
    expect(all.items.length).toBeGreaterThan(13);
    expect(all.summary?.counts["all"]).toBe(all.items.length);
    for (const show of savedFilters) {
      const wanted = all.items.filter((one) => rules[show]?.(one, role)).map((one) => one.id);
      expect(wanted.length, show).toBeGreaterThan(1);
      const found = await read(at(), `/api/${role}/bookings?limit=100&show=${show}`);
      expect(found.items.map((one) => one.id).toSorted(), show).toEqual(wanted.toSorted());
      expect(found.summary?.counts).toEqual(all.summary?.counts);
      expect(found.summary?.counts[show]).toBe(wanted.length);
    }
  });

  test("has a deadline exactly for the bookings with an action of the viewer", async () => {
    const { items } = await read(at(), `/api/${role}/bookings?limit=100`);
    for (const one of items) expect(one.act_due !== null, one.status).toBe(rules["needs_you"]?.(one, role));
    const kinds = new Set(items.flatMap(({ act_due: due }) => (due ? [due.kind] : [])));
    const own = role === "artist" ? ["answer_due", "show_starts"] : ["hold_ends", "balance_due", "show_starts"];
    for (const kind of ["signatures_due", ...own]) expect([...kinds]).toContain(kind);
  });

  test("sums the displayed rows", async () => {
    for (const show of ["", ...savedFilters]) {
      const { items, summary } = await read(at(), `/api/${role}/bookings?limit=100&show=${show}`);
      const fees = items.reduce((sum, one) => sum + (one.status === "canceled" ? 0 : one.fee_cents), 0);
      const paid = items.reduce((sum, one) => sum + paidOf(one), 0);
      const canceled = items.filter(({ status }) => status === "canceled").length;
      expect(summary?.sums, show).toEqual([
        { currency: "usd", bookings: items.length, canceled, fee_cents: fees, paid_cents: paid },
      ]);
    }
  });

  test("applies a search to the counts, and finds a booking number", async () => {
    const cheap = await read(at(), `/api/${role}/bookings?search=too%20cheap`);
    expect([cheap.items.length, cheap.summary?.counts["all"], cheap.summary?.counts["past"]]).toEqual([1, 1, 0]);
    const { number } = await bookingRow(app, cheap.items[0]?.id ?? "");
    const found = await read(at(), `/api/${role}/bookings?search=${number.slice(3).toLowerCase()}`);
    expect(found.items.map((one) => one.id)).toEqual([cheap.items[0]?.id]);
  });

  test.each(ownBookingSorts)("returns each booking once in pages of two in the order %s", async (sort) => {
    const walked: Item[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: Page = await read(at(), `/api/${role}/bookings?limit=2&sort=${sort}&cursor=${cursor}`);
      expect(page.summary === null).toBe(cursor !== "");
      walked.push(...page.items);
      cursor = page.nextCursor;
    }
    const whole = (await read(at(), `/api/${role}/bookings?limit=100&sort=${sort}`)).items;
    expect(walked.map((one) => one.id)).toEqual(whole.map((one) => one.id));
    expect(new Set(walked.map((one) => one.id)).size).toBe(
      (await read(at(), `/api/${role}/bookings?limit=100`)).items.length,
    );
    const { column, down } = readSort(sort);
    const key = keyOf[column];
    if (!key) return;
    const keys = whole.map(key);
    expect(keys).toEqual(keys.toSorted((one, other) => (down ? other - one : one - other)));
  });

  test("refuses an unknown filter and a cursor of another order", async () => {
    expect((await at().json(`/api/${role}/bookings?show=someday`)).status).toBe(400);
    const { nextCursor } = await read(at(), `/api/${role}/bookings?limit=1&sort=amount`);
    expect((await at().json(`/api/${role}/bookings?sort=event&cursor=${nextCursor}`)).status).toBe(400);
  });
});

test.each(lists)(
  "without a card provider the %s's list, count and deadlines agree with the actions",
  async (role, at) => {
    const { gateway } = app.services;
    Object.assign(app.services, { gateway: null });
    const all = await read(at(), `/api/${role}/bookings?limit=100`);
    const needed = await read(at(), `/api/${role}/bookings?limit=100&show=needs_you`);
    Object.assign(app.services, { gateway });
    const wanted = all.items.filter((one) => rules["needs_you"]?.(one, role));
    expect(wanted.length).toBeGreaterThan(1);
    expect(wanted.map(({ can }) => can.pay !== null || can.decide_balance)).not.toContain(true);
    expect(needed.items.map(({ id }) => id).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted());
    expect(all.summary?.counts["needs_you"]).toBe(wanted.length);
    for (const one of all.items) expect(one.act_due !== null, one.status).toBe(rules["needs_you"]?.(one, role));
  },
);

test("an open objection leaves neither party an action about the balance", async () => {
  await sql`insert into contract_objections (contract_id, side, reason, made_at)
    select c.id, 'artist', 'I never signed this.', now() from contracts c join bookings b on b.id = c.booking_id
    where b.status = 'contract_signed' and b.promoter_user_id is not null`.execute(app.database.db);
  for (const [role, at] of lists) {
    const all = await read(at(), `/api/${role}/bookings?limit=100`);
    const wanted = all.items.filter((one) => rules["needs_you"]?.(one, role));
    expect(wanted.filter(({ status }) => status === "contract_signed")).toEqual([]);
    const needed = await read(at(), `/api/${role}/bookings?limit=100&show=needs_you`);
    expect(needed.items.map(({ id }) => id).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted());
    for (const one of all.items) expect(one.act_due !== null, one.status).toBe(rules["needs_you"]?.(one, role));
  }
  await sql`delete from contract_objections`.execute(app.database.db);
});

test("the admin's saved filters apply to list, counts and sums, and needs_you finds no-show reports, unsent contracts and disputes without evidence", async () => {
  type All = {
    items: Item[];
    total: number;
    by_status: { status: string; count: number }[];
    sums: { currency: string; bookings: number; canceled: number; fee_cents: number }[];
  };
  const list = async (query: string) =>
    (await adminAt.json(`/api/admin/bookings?limit=100&${query}`)).body as unknown as All;
  const all = await list("");
  for (const show of ["upcoming", "past", "unpaid"]) {
    const wanted = all.items.filter((one) => rules[show]?.(one, "promoter")).map((one) => one.id);
    const found = await list(`show=${show}`);
    expect(
      found.items.map((one) => one.id),
      show,
    ).toEqual(wanted);
    expect(found.by_status.reduce((sum, one) => sum + one.count, 0)).toBe(wanted.length);
    const fees = found.items.reduce((sum, one) => sum + (one.status === "canceled" ? 0 : one.fee_cents), 0);
    const canceled = found.items.filter(({ status }) => status === "canceled").length;
    expect(found.sums).toEqual([{ currency: "usd", bookings: wanted.length, canceled, fee_cents: fees }]);
  }
  const unsent = all.items.filter((one) => one.status === "deposit_paid").map((one) => one.id);
  expect((await list("show=needs_you")).items.map((one) => one.id)).toEqual(unsent);
  const played = all.items.find((one) => one.status === "contract_signed" && isOver(one))?.id ?? "";
  await sql`insert into no_show_reports (booking_id, reported_at, note) values (${played}::uuid, now(), 'Nobody came')`.execute(
    app.database.db,
  );
  // A dispute without evidence needs an admin. One with submitted evidence or a decision does not.
  const disputed = all.items.filter((one) => one.status === "contract_signed" && !isOver(one)).slice(0, 3);
  for (const [at, { id }] of disputed.entries()) {
    await sql`
      insert into disputes (provider_ref, provider_payment, payment_id, booking_id, amount, currency, reason, status, submissions, opened_at)
      select ${`du_${id}`}, c.provider_payment, c.payment_id, ${id}::uuid, 100, c.currency, 'general',
        ${["needs_response", "needs_response", "lost"][at]}, ${at === 1 ? 1 : 0}, now()
      from provider_charges c join payments p on p.id = c.payment_id where p.booking_id = ${id}::uuid limit 1`.execute(
      app.database.db,
    );
  }
  const needed = (await list("show=needs_you")).items.map((one) => one.id);
  expect(needed.toSorted()).toEqual([...unsent, played, disputed[0]?.id ?? ""].toSorted());
  expect((await list("show=needs_you&status=deposit_paid")).total).toBe(unsent.length);
});
