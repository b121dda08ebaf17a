/** Runs generated histories twice, the second time with the provider's events shuffled and repeated, and compares the results. TEST_DEEP=1 runs 10,000. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { type ContractSide } from "#contracts/rules.ts";
import { isClosed } from "#disputes/rules.ts";
import { addDays } from "#platform/time/calendar.rules.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { type Action, type Life, play } from "#test/harness/histories/booking-model.ts";
import { begin, dayOf, heldOf, type State, statusOf, sum, type Terms } from "#test/harness/histories/model-state.ts";
import { policies, policyNames, quoteFor } from "../rules.ts";

const lives = process.env["TEST_DEEP"] === "1" ? 10_000 : 1_500;

const side = fc.constantFrom<ContractSide>("promoter", "artist");
const pay = (kind: "deposit" | "balance") =>
  fc.record({
    do: fc.constant("pay" as const),
    kind: fc.constant(kind),
    twice: fc.nat(9).map((one) => one === 0),
    wrong: fc.nat(19).map((one) => one === 0),
    refundPermille: fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.nat(1_000) },
      { weight: 1, arbitrary: fc.constant(1_000) },
    ),
  });
const dispute = fc.record({
  do: fc.constant("dispute" as const),
  kind: fc.constantFrom("deposit" as const, "balance" as const),
  half: fc.boolean(),
  inquiry: fc.nat(2).map((one) => one === 0),
});
const anyAction: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: pay("deposit") },
  { weight: 3, arbitrary: pay("balance") },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("sign" as const), side }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("decline" as const), side }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("cancel" as const),
      by: fc.constantFrom("promoter" as const, "artist" as const, "admin" as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("report" as const, "confirm" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("decide" as const), permille: fc.constantFrom(0, 1, 250, 999, 1_000) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom("accept" as const, "accept" as const, "decline request" as const) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("propose" as const),
      by: side,
      permille: fc.option(fc.nat(1_000), { nil: null }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("answer" as const), accept: fc.nat(3).map((one) => one > 0) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom("withdraw proposal" as const, "withdraw consent" as const) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("extend" as const), permille: fc.nat(1_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("release" as const) }) },
  { weight: 2, arbitrary: dispute },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("bank" as const),
      outcome: fc.constantFrom("review" as const, "win" as const, "lose" as const),
    }),
  },
);
type Placed = readonly { permille: number; action: Action }[];
const placed = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Placed>([]) },
  {
    weight: 2,
    arbitrary: fc
      .record({
        permille: fc.nat(1_000),
        by: side,
        refund: fc.option(fc.nat(1_000), { nil: null }),
        answer: fc.constantFrom<Action>(
          { do: "answer", accept: true },
          { do: "answer", accept: false },
          { do: "withdraw proposal" },
        ),
      })
      .map(({ permille, by, refund, answer }): Placed => [
        { permille, action: { do: "propose", by, permille: refund } },
        { permille: permille + 1, action: answer },
      ]),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ permille: fc.integer({ min: 780, max: 990 }), day: fc.nat(1_000), extends: fc.nat(3) })
      .map((one): Placed => [
        { permille: one.permille, action: one.extends ? { do: "extend", permille: one.day } : { do: "release" } },
      ]),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({
        permille: fc.integer({ min: 300, max: 1_500 }),
        dispute,
        outcome: fc.constantFrom("review" as const, "win" as const, "lose" as const),
      })
      .map((one): Placed => [
        { permille: one.permille, action: one.dispute },
        { permille: one.permille + 100, action: { do: "bank", outcome: one.outcome } },
      ]),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(0, 1, 250, 1_000).map((permille): Placed => [
      { permille: 1_020, action: { do: "report" } },
      { permille: 1_030, action: { do: "decide", permille } },
    ]),
  },
);
const anyLife: fc.Arbitrary<Life> = fc
  .record({
    days: fc.integer({ min: 1, max: 90 }),
    minutes: fc.constantFrom(45, 180, 600),
    fee: fc.oneof(fc.integer({ min: 50, max: 500_000 }), fc.constantFrom(99_999_999, 201)),
    depositPercent: fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 1, max: 100 }) },
      { weight: 1, arbitrary: fc.constant(0) },
    ),
    card: fc.constantFrom("not kept" as const, "works" as const, "declined" as const),
    commissionBps: fc.integer({ min: 0, max: 5_000 }),
    policy: fc.constantFrom(...policyNames),
    usual: fc.boolean(),
    declines: fc.nat(11).map((one) => one === 0),
    paysLate: fc.nat(2).map((one) => one === 0),
    waits: fc.array(fc.nat(2_000), { minLength: 12, maxLength: 12 }),
    actions: fc.array(anyAction, { maxLength: 8 }),
    placed,
    first: fc.tuple(pay("deposit"), pay("balance")),
  })
  .map(
    ({
      days,
      minutes,
      fee,
      policy,
      card,
      usual,
      paysLate,
      declines,
      waits,
      actions,
      placed: late,
      first: [deposit, balance],
      ...terms
    }) => {
      const eventDate = addDays(dayOf(begin), days);
      const startsAt = new Date(Date.parse(`${eventDate}T20:00:00Z`));
      const quote = quoteFor(fee, { ...terms, currency: "usd" });
      const booked: Action = terms.depositPercent === 0 ? { do: declines ? "decline request" : "accept" } : deposit;
      const backbone: Action[] = [
        booked,
        { do: "sign", side: "promoter" },
        { do: declines ? "decline" : "sign", side: "artist" },
        ...(paysLate ? [] : [balance]),
      ];
      let hour = 0;
      const all = [...(usual ? backbone : []), ...actions].map((action, index) => {
        hour += ((waits[index] ?? 0) % (index < 4 && usual ? 30 : 24 * 20)) + 1;
        return { hour, action };
      });
      const later = late.map(({ permille, action }) => ({
        hour: Math.floor((days * 24 * permille) / 1_000),
        action,
      }));
      const show = { startsAt, endsAt: new Date(startsAt.getTime() + minutes * minuteMs), eventDate };
      return {
        terms: { ...quote, ...show, policy: policies[policy], card },
        actions: [...all, ...later].toSorted((a, b) => a.hour - b.hour),
      };
    },
  );

/** Returns a comparable state, sorted to ignore the order of events. */
const seen = (terms: Terms, state: State) => ({
  ...state,
  status: statusOf(terms, state),
  charges: [...state.charges.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  refunds: [...state.refunds]
    .map(([cause, { charge, amount, sent }]) => [cause, charge, amount, sent])
    .toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
  disputes: [...state.disputes.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  held: heldOf(terms, state),
  messages: state.messages.toSorted(),
});

test(
  `${lives} histories end in the same state regardless of the order of the provider's events`,
  { timeout: 300_000 },
  () => {
    const ends = new Set<string>();

    const keys = fc.array(fc.nat(1_000), { minLength: 24, maxLength: 24 });
    fc.assert(
      fc.property(anyLife, keys, (life, order) => {
        const straight = play(life, () => []);
        const shuffled = play(life, (facts) =>
          [...facts, ...facts]
            .map((fact, index) => ({ fact, key: order[index % order.length] ?? 0 }))
            .toSorted((a, b) => a.key - b.key)
            .map(({ fact }) => fact),
        );
        const left = seen(life.terms, straight);
        expect(seen(life.terms, shuffled)).toEqual(left);
        expect(["completed", "canceled"]).toContain(left.status);
        expect(left.held).toBe(0);
        const taken = sum(left.charges.map(({ amount }) => amount));
        const back = sum(straight.refunds.values().map(({ amount }) => amount));
        const { artist = 0, commission = 0 } = straight.released ?? {};
        const borne = left.disputes.map((dispute) => dispute.borne ?? { held: 0, artist: 0, commission: 0 });
        const lost = sum(borne.map((one) => one.held + one.artist + one.commission));
        // The charged amount is with the payer, with artist and platform, or at the bank. An amount that the bank took beyond it is a loss.
        expect(back + artist + commission + lost).toBe(taken);
        expect(left.disputes.filter(({ status }) => !isClosed(status))).toEqual([]);
        expect([...straight.refunds.values()].filter(({ sent }) => !sent)).toEqual([]);
        for (const message of left.messages) ends.add(message.replace(/ (du_)?\d+/, ""));
      }),
      { numRuns: lives },
    );
    // The generator must reach every end of a booking.
    const ways = [
      "completed",
      "canceled expired",
      "canceled contract_expired",
      "canceled contract_declined",
      "canceled promoter",
    ];
    const more = ["canceled artist", "canceled admin", "canceled balance_unpaid", "canceled money_returned"];
    const without = ["accepted", "canceled unanswered", "canceled request_declined"];
    const agreed = ["canceled force_majeure", "proposal expired", "proposal refused", "proposal withdrawn"];
    const disputed = ["dispute won", "dispute lost", "dispute closed"];
    const unpaid = ["extended", "the saved card was declined", "balance paid", "balance decision"];
    expect([...ends]).toEqual(
      expect.arrayContaining([...ways, ...more, ...without, ...agreed, ...disputed, ...unpaid]),
    );
  },
);
