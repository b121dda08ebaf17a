/**
 * Generated lives of a booking decided by the rules alone: each is played as it happened, and again with what the provider reports in
 * another order and repeated. Both end in the same state, money and messages, and every life comes to rest when the clock runs on.
 * TEST_DEEP=1 plays ten thousand. `test/data/histories.test.ts` plays such lives through the whole application.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ContractSide } from "#contracts/rules.ts";
import { addDays } from "#platform/time/calendar.rules.ts";
import {
  type Act,
  begin,
  dayOf,
  heldOf,
  type Life,
  play,
  type State,
  statusOf,
  sum,
  type Terms,
} from "#test/harness/histories/booking-model.ts";
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
const anyAct: fc.Arbitrary<Act> = fc.oneof(
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
);
const anyLife: fc.Arbitrary<Life> = fc
  .record({
    days: fc.integer({ min: 1, max: 90 }),
    minutes: fc.constantFrom(45, 180, 600),
    fee: fc.oneof(fc.integer({ min: 50, max: 500_000 }), fc.constantFrom(99_999_999, 201)),
    depositPercent: fc.integer({ min: 1, max: 100 }),
    commissionBps: fc.integer({ min: 0, max: 5_000 }),
    policy: fc.constantFrom(...policyNames),
    usual: fc.boolean(),
    waits: fc.array(fc.nat(2_000), { minLength: 12, maxLength: 12 }),
    acts: fc.array(anyAct, { maxLength: 8 }),
    first: fc.tuple(pay("deposit"), pay("balance")),
  })
  .map(({ days, minutes, fee, policy, usual, waits, acts, first: [deposit, balance], ...terms }) => {
    const eventDate = addDays(dayOf(begin), days);
    const startsAt = new Date(Date.parse(`${eventDate}T20:00:00Z`));
    const quote = quoteFor(fee, { ...terms, currency: "usd" });
    const backbone: Act[] = [deposit, { do: "sign", side: "promoter" }, { do: "sign", side: "artist" }, balance];
    let hour = 0;
    const all = [...(usual ? backbone : []), ...acts].map((act, index) => {
      // Mostly within the first days, sometimes as late as weeks after the show.
      hour += ((waits[index] ?? 0) % (index < 4 && usual ? 30 : 24 * 20)) + 1;
      return { hour, act };
    });
    const show = { startsAt, endsAt: new Date(startsAt.getTime() + minutes * 60_000), eventDate };
    return { terms: { ...quote, ...show, policy: policies[policy] }, acts: all };
  });

/** A state as it can be compared: what was heard first does not matter. */
const seen = (terms: Terms, state: State) => ({
  ...state,
  status: statusOf(terms, state),
  charges: [...state.charges.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  refunds: [...state.refunds]
    .map(([cause, { charge, amount }]) => [cause, charge, amount])
    .toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
  held: heldOf(terms, state),
  messages: state.messages.toSorted(),
});

test(
  `${lives} lives end alike in whatever order the provider's facts are heard, and at rest`,
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
        expect(back + artist + commission).toBe(taken);
        ends.add(left.messages.find((message) => message.startsWith("canceled") || message === "completed") ?? "");
      }),
      { numRuns: lives },
    );
    // The generator reaches every way in which a booking ends; one that it never reaches would be proven for nothing.
    const ways = [
      "completed",
      "canceled expired",
      "canceled contract_expired",
      "canceled contract_declined",
      "canceled promoter",
    ];
    const more = ["canceled artist", "canceled admin", "canceled balance_unpaid", "canceled money_returned"];
    expect([...ends]).toEqual(expect.arrayContaining([...ways, ...more]));
  },
);
