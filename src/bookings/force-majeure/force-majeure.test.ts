import { afterAll, describe, expect, test } from "vitest";
import { releaseHeld } from "#payments/index.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import {
  bookingRow,
  dayAhead,
  emailsFor,
  follow,
  peopleOf,
  press,
  refunds,
  reservations,
} from "#test/harness/bookings.ts";
import { submitRefunds } from "#test/harness/payment-work.ts";
import { expectSound } from "#test/harness/payments.ts";
import { testApp } from "#test/test-app.ts";
import type { BookingPage } from "../api.ts";
import { expireProposals } from "./force-majeure.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));
afterAll(() => expectSound({ inTx: (work) => app.database.transaction(work) }));

const { artist, person, held } = peopleOf(() => app);
const reason = "The hall is under water.";

/** Releases the money of a booking that was made as completed. */
const release = ({ id: bookingId, artist_id: artistId, currency }: Awaited<ReturnType<typeof held>>["booking"]) =>
  app.database.transaction((tx) =>
    releaseHeld(tx, { bookingId, artistId, currency, commissionBps: 1_000, at: app.clock.now() }),
  );

async function scene(given: Parameters<typeof held>[0] = {}) {
  const player = await person("artist");
  const act = await artist({ userId: player.user.id });
  const { booking, visitor } = await held({
    artist: act,
    status: "contract_signed",
    balancePaid: true,
    fee: 150_000,
    eventDate: dayAhead(app, 30),
    now: app.clock.now(),
    ...given,
  });
  type At = typeof visitor;
  const address = `/api/bookings/${booking.id}`;
  const page = async (at: At) => (await at.json(address)).body as unknown as BookingPage;
  return {
    act,
    booking,
    promoter: visitor,
    artist: player.at,
    page,
    propose: async (at: At, refund: number | null = null, seen?: number) =>
      at.json(`${address}/force-majeure`, {
        reason,
        refund_cents: refund,
        expected_paid_cents: seen ?? (await page(at)).money.held_cents,
      }),
    answer: async (at: At, accept: boolean, more: { expected?: number } = {}) => {
      const proposal = (await page(at)).force_majeure?.proposal;
      return at.json(`${address}/force-majeure/answer`, {
        proposal_id: proposal?.id ?? booking.id,
        accept,
        expected_refund_cents: more.expected ?? proposal?.refund_cents ?? 0,
      });
    },
    withdraw: async (at: At) => {
      const proposal_id = (await page(at)).force_majeure?.proposal?.id ?? booking.id;
      return at.json(`${address}/force-majeure/withdraw`, { proposal_id });
    },
    cancel: (at: At, expected: number) =>
      at.json(`${address}/cancel`, { code: "plans_changed", expected_refund_cents: expected }),
  };
}
type Scene = Awaited<ReturnType<typeof scene>>;
const partsOf = ({ money }: BookingPage) => money.parts.map(({ held_by, cents }) => [held_by, cents]);
const emailsAbout = async ({ booking }: Scene, template: string) =>
  (await emailsFor(app, booking.id)).filter((email) => email.template === template).map(({ text }) => text);

describe("an accepted proposal", () => {
  test("of a full refund cancels the booking by both and refunds every payment", async () => {
    const s = await scene();
    expect((await s.propose(s.artist)).status).toBe(200);
    expect((await s.page(s.promoter)).force_majeure).toMatchObject({
      can_propose: false,
      commission_bps: null,
      proposal: {
        by: "artist",
        reason,
        refund_cents: 150_000,
        artist_keeps_cents: 0,
        can_answer: true,
        can_withdraw: false,
      },
    });
    const accepted = await s.answer(s.promoter, true);
    expect(accepted).toMatchObject({ status: 200, body: { status: "canceled" } });
    const page = await s.page(s.promoter);
    expect(page).toMatchObject({
      canceled_by: "both",
      cancel_code: "force_majeure",
      cancel_note: reason,
      force_majeure: null,
    });
    expect(partsOf(page)).toEqual([["returning", 150_000]]);
    expect(await reservations(app, s.act.id)).toEqual([]);
    await submitRefunds(app.services);
    await app.settle();
    expect(partsOf(await s.page(s.promoter))).toEqual([["promoter", 150_000]]);
    expect(
      (await s.page(s.artist)).timeline.filter(({ kind }) => kind === "force_majeure").map(({ text }) => text),
    ).toEqual(["An end by agreement (force majeure) was proposed", "The end by agreement was accepted"]);
  });

  test("of a division refunds the balance before the deposit, and takes the commission of the artist's part", async () => {
    const s = await scene();
    expect((await s.propose(s.promoter, 100_001)).status).toBe(200);
    expect((await s.page(s.artist)).force_majeure?.proposal).toMatchObject({
      refund_cents: 100_001,
      artist_keeps_cents: 44_999,
      commission_cents: 5_000,
    });
    expect((await s.page(s.promoter)).force_majeure?.proposal).toMatchObject({
      artist_keeps_cents: 49_999,
      commission_cents: null,
    });
    expect((await s.answer(s.artist, true)).status).toBe(200);
    expect(partsOf(await s.page(s.artist))).toEqual([
      ["artist_owed", 44_999],
      ["commission", 5_000],
      ["returning", 100_001],
    ]);
    expect(await refunds(app, s.booking.id)).toMatchObject([{ amount: 100_001, kind: "balance" }]);
    await app.settle();
    const [toPromoter, toArtist] = await emailsAbout(s, "booking_canceled");
    for (const text of [toPromoter, toArtist]) if (text !== undefined) expect(text).toContain(reason);
    expect((await emailsAbout(s, "booking_canceled")).join()).toContain("$1,000.01");
    const texts = (await emailsAbout(s, "booking_canceled")).join("\n");
    expect(texts).toContain("As you both agreed, you keep $449.99");
    expect(texts).toContain("As you both agreed, $499.99 is not refunded.");
    expect(texts).not.toContain("cancellation terms");
    const proposed = (await emailsAbout(s, "force_majeure")).join().replaceAll(/\s+/g, " ");
    expect(proposed).toContain("and you keep $449.99 after a commission of $50.");
    expect(proposed).toContain("and $499.99 would not be refunded.");
  });

  test("requires the other party and the displayed amount", async () => {
    const s = await scene();
    await s.propose(s.promoter, 50_000);
    expect((await s.answer(s.promoter, true)).status).toBe(409);
    expect((await s.withdraw(s.artist)).status).toBe(409);
    const other = await s.answer(s.artist, true, { expected: 49_999 });
    expect(other).toMatchObject({ status: 409, body: { data: { refund_cents: 50_000 } } });
    expect((await bookingRow(app, s.booking.id)).status).toBe("contract_signed");
    const admin = (await person("admin")).at;
    expect((await s.propose(admin)).status).toBe(404);
    expect((await s.answer(admin, true)).status).toBe(404);
  });
});

describe("a proposal", () => {
  test("can be refused, withdrawn or expire, and then the booking continues and both parties are notified", async () => {
    for (const [end, word] of [
      ["refused", "refused"],
      ["withdrawn", "withdrawn"],
      ["expired", "not answered in time"],
    ] as const) {
      const s = await scene();
      await s.propose(end === "expired" ? s.artist : s.promoter);
      await app.settle();
      expect(await emailsAbout(s, "force_majeure")).toHaveLength(2);
      if (end === "refused") expect((await s.answer(s.artist, false)).status).toBe(200);
      if (end === "withdrawn") expect((await s.withdraw(s.promoter)).status).toBe(200);
      if (end === "expired") {
        app.clock.advance(72 * hourMs);
        expect((await s.answer(s.promoter, true)).status).toBe(409);
        await expireProposals(app.services);
      }
      await app.settle();
      const sent = await emailsAbout(s, "force_majeure");
      expect(sent).toHaveLength(4);
      expect(sent.filter((text) => text?.includes(word))).toHaveLength(2);
      expect((await bookingRow(app, s.booking.id)).status).toBe("contract_signed");
      expect((await s.page(s.promoter)).force_majeure).toMatchObject({ can_propose: true, proposal: null });
    }
  });

  test("expires no later than the start of the show", async () => {
    const s = await scene({ eventDate: dayAhead(app, 1) });
    await s.propose(s.artist);
    const starts = (await bookingRow(app, s.booking.id)).starts_at;
    expect((await s.page(s.promoter)).force_majeure?.proposal?.expires_at).toBe(starts.toISOString());
    app.clock.advance(starts.getTime() - app.clock.now().getTime());
    expect((await s.page(s.promoter)).force_majeure).toBe(null);
    expect((await s.answer(s.promoter, true)).status).toBe(409);
    expect((await s.propose(s.promoter, null, 150_000)).status).toBe(409);
  });

  test.each(["initiated", "completed", "canceled"] as const)("is refused (409) at %s", async (status) => {
    const s = await scene({ status });
    expect((await s.page(s.promoter)).force_majeure).toBe(null);
    expect((await s.propose(s.promoter)).status).toBe(409);
    if (status === "completed") await release(s.booking);
  });

  test("cannot exceed the paid amount, and a later payment makes a division outdated but not a full refund", async () => {
    const s = await scene({ balancePaid: false });
    expect((await s.propose(s.promoter, 37_501)).status).toBe(400);
    expect((await s.propose(s.promoter, 10_000, 37_499)).status).toBe(409);
    await s.propose(s.promoter, 10_000);
    const { body } = await s.promoter.json("/api/functions/create-checkout", {
      bookingId: s.booking.id,
      isDeposit: false,
    });
    await press(app, body["url"], "pay");
    expect((await s.page(s.artist)).force_majeure?.proposal).toMatchObject({ outdated: true });
    expect((await s.answer(s.artist, true)).status).toBe(409);
    expect((await s.answer(s.artist, false)).status).toBe(200);
    await s.propose(s.promoter);
    expect((await s.answer(s.artist, true)).status).toBe(200);
    expect(partsOf(await s.page(s.promoter))).toEqual([["returning", 150_000]]);
  });

  test("is closed when the booking is canceled", async () => {
    const s = await scene();
    await s.propose(s.artist);
    const expected = (await s.page(s.promoter)).money.if_canceled?.refund_cents ?? 0;
    expect((await s.cancel(s.promoter, expected)).status).toBe(200);
    const rows = await app.database.db
      .selectFrom("force_majeure_proposals")
      .select("outcome")
      .where("booking_id", "=", s.booking.id)
      .execute();
    expect(rows).toEqual([{ outcome: "overtaken" }]);
  });
});

describe("concurrent actions", () => {
  const statuses = (answers: readonly { status: number }[]) =>
    answers.map(({ status }) => status).toSorted((a, b) => a - b);

  test("store one of two proposals, and accept it once", async () => {
    const s = await scene();
    expect(statuses(await Promise.all([s.propose(s.promoter), s.propose(s.artist, 1_000)]))).toEqual([200, 409]);
    const other = (await s.page(s.promoter)).force_majeure?.proposal?.can_answer ? s.promoter : s.artist;
    expect(statuses(await Promise.all([1, 2, 3].map(() => s.answer(other, true))))).toEqual([200, 409, 409]);
    const sum = (await refunds(app, s.booking.id)).reduce((all, { amount }) => all + amount, 0);
    expect([150_000, 1_000]).toContain(sum);
  });

  test("make one division when a party accepts and the other cancels", async () => {
    const s = await scene();
    await s.propose(s.artist);
    const expected = (await s.page(s.promoter)).money.if_canceled?.refund_cents ?? 0;
    expect(expected).toBe(112_500);
    expect(statuses(await Promise.all([s.answer(s.promoter, true), s.cancel(s.promoter, expected)]))).toEqual([
      200, 409,
    ]);
    const { canceled_by } = await bookingRow(app, s.booking.id);
    const returned = (await refunds(app, s.booking.id)).reduce((all, { amount }) => all + amount, 0);
    expect(returned).toBe(canceled_by === "both" ? 150_000 : 112_500);
  });

  test("leave no open proposal when a party proposes and the other cancels", async () => {
    const s = await scene();
    const expected = (await s.page(s.promoter)).money.if_canceled?.refund_cents ?? 0;
    const [, canceled] = await Promise.all([s.propose(s.artist, null, 150_000), s.cancel(s.promoter, expected)]);
    expect(canceled.status).toBe(200);
    const open = await app.database.db
      .selectFrom("force_majeure_proposals")
      .select("id")
      .where("booking_id", "=", s.booking.id)
      .where("closed_at", "is", null)
      .execute();
    expect(open).toEqual([]);
  });

  test("count one of an acceptance and a withdrawal", async () => {
    const s = await scene();
    await s.propose(s.artist);
    const answers = await Promise.all([s.answer(s.promoter, true), s.withdraw(s.artist)]);
    expect(statuses(answers)).toEqual([200, 409]);
    expect((await bookingRow(app, s.booking.id)).status).toBe(
      answers[0].status === 200 ? "canceled" : "contract_signed",
    );
  });

  test("refund a balance that is paid during the acceptance", async () => {
    const s = await scene({ balancePaid: false });
    await s.propose(s.promoter);
    const { body } = await s.promoter.json("/api/functions/create-checkout", {
      bookingId: s.booking.id,
      isDeposit: false,
    });
    const url = `${new URL(String(body["url"])).pathname}/pay`;
    const [accepted] = await Promise.all([s.answer(s.artist, true), app.server.inject({ method: "POST", url })]);
    await follow(app);
    if (accepted.status !== 200) expect((await s.answer(s.artist, true)).status).toBe(200);
    await follow(app);
    await submitRefunds(app.services);
    await follow(app);
    const page = await s.page(s.promoter);
    expect(page.status).toBe("canceled");
    const back = page.money.refunded_cents;
    expect(back).toBe(page.money.paid_cents);
    expect(page.money.held_cents).toBe(0);
  });
});
