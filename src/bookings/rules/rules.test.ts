import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type BookingState,
  assertTransition,
  bookingStatusNames,
  type BookingStatus,
  type BookingStep,
  bookingSteps,
  cancelCodes,
  cancelCodesOf,
  isCancelCodeOf,
  isChosenCode,
  type LifecycleActor,
  lifecycleActors,
  mayTakeStep,
  stepsBetween,
  decideStatus,
  describeDuration,
  divisionOf,
  holdsCardNumber,
  cancellationFee,
  payableNow,
  policies,
  policyNames,
  quoteFor,
  readDuration,
} from "../rules.ts";

describe("the booking transitions", () => {
  // Written by hand from the design, independent of the table: step, source statuses, target status and actors.
  const expected: Record<BookingStep, { from: BookingStatus[]; to: BookingStatus; by: LifecycleActor[] }> = {
    payDeposit: { from: ["initiated"], to: "deposit_paid", by: ["provider"] },
    acceptRequest: { from: ["initiated"], to: "deposit_paid", by: ["artist"] },
    sendContract: { from: ["deposit_paid"], to: "contract_sent", by: ["system"] },
    signContract: { from: ["contract_sent"], to: "contract_signed", by: ["promoter", "artist", "admin", "provider"] },
    annulSignature: { from: ["contract_signed"], to: "contract_sent", by: ["admin"] },
    complete: { from: ["contract_signed"], to: "completed", by: ["promoter", "system"] },
    cancel: {
      from: ["initiated", "deposit_paid", "contract_sent", "contract_signed"],
      to: "canceled",
      by: ["promoter", "artist", "admin", "system", "both"],
    },
  };
  for (const step of bookingSteps) {
    const { from: starts, to, by: actors } = expected[step];
    for (const from of bookingStatusNames)
      for (const by of lifecycleActors) {
        const allowed = starts.includes(from) && actors.includes(by);
        test(`${step} at ${from} by the ${by} ${allowed ? "is allowed" : "is refused"}`, () => {
          expect(mayTakeStep(step, from, by)).toBe(allowed);
          if (allowed) expect(() => assertTransition(from, to, by)).not.toThrow();
          else if (starts.includes(from) && !stepsBetween(from, to).some((one) => mayTakeStep(one, from, by)))
            expect(() => assertTransition(from, to, by)).toThrow(/is not for the/);
        });
      }
  }

  test("assertTransition refuses every other change of status", () => {
    const known = new Set(Object.values(expected).flatMap(({ from, to }) => from.map((start) => `${start} ${to}`)));
    for (const from of bookingStatusNames)
      for (const to of bookingStatusNames) {
        if (known.has(`${from} ${to}`)) continue;
        expect(() => assertTransition(from, to, "system"), `${from} to ${to}`).toThrow(/no transition leads/);
      }
  });

  test("isCancelCodeOf accepts only the codes of each user's own list and of their other actions", () => {
    const users = ["promoter", "artist", "admin"] as const;
    for (const by of users)
      expect(cancelCodes.filter((code) => isChosenCode(by, code)).toSorted()).toEqual(cancelCodesOf[by].toSorted());
    const others = users.flatMap((by) =>
      cancelCodes.filter((code) => isCancelCodeOf(by, code) && !isChosenCode(by, code)).map((code) => `${by} ${code}`),
    );
    // Declining a contract or a request, releasing a date with an unpaid balance, and deciding a no-show. Each has its own endpoint.
    expect(others.toSorted()).toEqual([
      "admin no_show",
      "admin signature_withdrawn",
      "artist balance_unpaid",
      "artist contract_declined",
      "artist request_declined",
      "promoter contract_declined",
    ]);
    expect(cancelCodes.filter((code) => isCancelCodeOf("both", code))).toEqual(["force_majeure"]);
    for (const code of cancelCodesOf.promoter) expect(isCancelCodeOf("system", code)).toBe(false);
    expect(isCancelCodeOf("promoter", "plans_changed")).toBe(true);
    expect(isCancelCodeOf("promoter", "cannot_perform")).toBe(false);
  });
});

describe("decideStatus", () => {
  const at = new Date(0);
  const none: BookingState = { depositPaidAt: null, contract: null, completedAt: null, canceledAt: null };
  test.each<[Partial<BookingState>, BookingStatus]>([
    [{}, "initiated"],
    [{ contract: "draft" }, "initiated"],
    [{ depositPaidAt: at, contract: "draft" }, "deposit_paid"],
    [{ depositPaidAt: at, contract: "sent" }, "contract_sent"],
    [{ depositPaidAt: at, contract: "signed" }, "contract_signed"],
    [{ depositPaidAt: at, contract: "signed", completedAt: at }, "completed"],
    [{ depositPaidAt: at, contract: "signed", canceledAt: at }, "canceled"],
    [{ canceledAt: at }, "canceled"],
    [{ depositPaidAt: at, contract: "declined" }, "deposit_paid"],
  ])("maps %o to %s", (facts, status) => expect(decideStatus({ ...none, ...facts })).toBe(status));
});

test("payableNow returns the deposit at initiated and the balance at contract_signed, and otherwise null", () => {
  const money = { deposit_cents: 25, balance_cents: 75, balance_paid_at: null };
  for (const status of bookingStatusNames) {
    const expected = status === "initiated" ? "deposit" : status === "contract_signed" ? "balance" : null;
    expect(payableNow({ ...money, status }), status).toBe(expected);
  }
  expect(payableNow({ ...money, status: "contract_signed", balance_paid_at: new Date() })).toBeNull();
  expect(payableNow({ ...money, status: "initiated", deposit_cents: 0 })).toBeNull();
});

describe("readDuration", () => {
  test.each<[string, number]>([
    ["2 hours", 120],
    ["90 min", 90],
    ["90", 90],
    ["2h30", 150],
    ["2h 30", 150],
    ["2 h 30 min", 150],
    ["2h30m", 150],
    ["1h15min", 75],
    ["2hrs30mins", 150],
    ["half an hour", 30],
    ["2 hours and a half", 150],
    ["an hour and a half", 90],
    ["3", 180],
    ["1.5 hours", 90],
    ["1,5h", 90],
    ["1:45", 105],
    ["2 x 60 minutes", 120],
    ["3 sets of 45 min", 135],
    ["an hour", 60],
    ["one hour and 15 minutes", 75],
    ["1 day", 1_440],
    ["about 4 hours, maybe", 240],
    ["½ hour", 30],
    ["1½ hours", 90],
    [".5 hours", 30],
    ["two hours", 120],
    ["Forty-five minutes", 45],
    ["one and a half hours", 90],
    ["45-minute set", 45],
    ["two sets of 45 minutes", 90],
    ["2 sets, 45 minutes each", 90],
    ["three 20 min sets", 60],
    ["two sets of an hour and 15 minutes", 150],
    ["3 x half an hour", 90],
    ["45 min + 45 min", 90],
    ["3 sets, 20 minutes", 60],
    ["2 sets, 2 hours each", 240],
    ["one set, 2 hours", 120],
  ])("reads %s as %i minutes", (text, minutes) => expect(readDuration(text)).toEqual({ minutes, understood: true }));
  test.each([
    "",
    "all night",
    "2 hours and 3 encores",
    "1 hour and a quarter",
    "0",
    "0 hours",
    "999 days",
    "a couple of sets of 45 minutes",
    "2 sets of 45 minutes with a 20 minute break",
    "2 sets of 45 minutes plus 30 minutes",
    "2 hours in two sets",
    "45 min sets",
    "45 min/set",
    "3 sets, 3 hours",
    "4 sets 3 hours",
    "2 sets: 2 hours long",
    "4 hours including a 30 minute break",
    "60 min / 90 min",
    "2 hours or 3 hours",
    "-2 hours",
    "not more than 45 minutes",
    "at least 2 hours",
    "> 2 hours",
    "a hundred and 20 minutes",
    "-",
    "x".repeat(5_000),
    null,
    undefined,
  ])("reads %s as 3 hours", (text) => expect(readDuration(text)).toEqual({ minutes: 180, understood: false }));
  test("returns a valid length for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const { minutes } = readDuration(text);
        return Number.isInteger(minutes) && minutes >= 1 && minutes <= 10_080;
      }),
    );
  });
  test("describeDuration formats hours and minutes", () =>
    expect([140, 60, 180, 45].map(describeDuration)).toEqual([
      "2 hours 20 minutes",
      "1 hour",
      "3 hours",
      "45 minutes",
    ]));
});

describe("price and cancellation fee", () => {
  test("split the fee into deposit and balance for every percentage", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), fc.integer({ min: 1, max: 100 }), (fee, depositPercent) => {
        const quote = quoteFor(fee, { depositPercent, currency: "usd", commissionBps: 1_000 });
        return (
          quote.deposit_cents + quote.balance_cents === fee && quote.deposit_cents >= 0 && quote.balance_cents >= 0
        );
      }),
    );
  });

  const money = { fee_cents: 150_000, deposit_cents: 37_500, balance_cents: 112_500, paid: 150_000 };
  const later = 500;
  test.each<[keyof typeof policies, number, number, number]>([
    ["standard", 29, later, 37_500],
    ["standard", 28, later, 93_750],
    ["standard", 14, later, 93_750],
    ["standard", 13, later, 150_000],
    ["flexible", 31, later, 0],
    ["flexible", 30, later, 37_500],
    ["flexible", 7, later, 37_500],
    ["flexible", 6, later, 75_000],
    ["strict", 300, later, 150_000],
    ["strict", 14, 47, 0],
    ["strict", 14, 48, 150_000],
    ["strict", 13, 1, 150_000],
  ])(
    "%s, %i days before and %i hours after paying: retains %i for the artist",
    (name, daysBefore, hoursSincePaid, kept) =>
      expect(cancellationFee(policies[name], money, { daysBefore, hoursSincePaid })).toBe(kept),
  );
  test("retain no more than was paid", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...policyNames),
        fc.integer({ min: 1, max: 99_999_999 }),
        fc.integer({ min: 1, max: 100 }),
        fc.boolean(),
        fc.integer({ min: -10, max: 400 }),
        fc.integer({ min: 0, max: 1_000 }),
        (name, fee, depositPercent, all, daysBefore, hoursSincePaid) => {
          const quote = quoteFor(fee, { depositPercent, currency: "usd", commissionBps: 1_000 });
          const paid = all ? fee : quote.deposit_cents;
          const kept = cancellationFee(policies[name], { ...quote, paid }, { daysBefore, hoursSincePaid });
          return Number.isInteger(kept) && kept >= 0 && kept <= paid;
        },
      ),
    );
  });
});

describe("divisionOf", () => {
  const facts = fc
    .record({
      policy: fc.constantFrom(...policyNames),
      fee: fc.integer({ min: 1, max: 99_999_999 }),
      depositPercent: fc.integer({ min: 1, max: 100 }),
      bps: fc.integer({ min: 0, max: 5_000 }),
      all: fc.boolean(),
    })
    .map(({ policy, fee, depositPercent, bps, all }) => {
      const quote = quoteFor(fee, { depositPercent, currency: "usd", commissionBps: bps });
      return { ...quote, policy: policies[policy], held: all ? fee : quote.deposit_cents };
    });

  test("adds up to the held money in cents, regardless of the fault", () => {
    const when = fc.record({
      daysBefore: fc.integer({ min: -40, max: 400 }),
      hoursSincePaid: fc.integer({ min: 0, max: 2_000 }),
    });
    fc.assert(
      fc.property(facts, fc.constantFrom("promoter", "artist", "nobody"), when, (given, fault, at) => {
        const { refund, artist, commission } = divisionOf(given, fault, at);
        expect(refund + artist + commission).toBe(given.held);
        for (const part of [refund, artist, commission]) expect(part).toBeGreaterThanOrEqual(0);
        if (fault !== "promoter") expect(refund).toBe(given.held);
      }),
    );
  });

  test("never refunds more a day later, after the cooling-off period", () => {
    fc.assert(
      fc.property(facts, fc.integer({ min: 1, max: 400 }), (given, daysBefore) => {
        const at = (days: number) => divisionOf(given, "promoter", { daysBefore: days, hoursSincePaid: 48 }).refund;
        expect(at(daysBefore - 1)).toBeLessThanOrEqual(at(daysBefore));
      }),
    );
  });
});

test("holdsCardNumber finds a card number among other words, and ignores a phone number", () => {
  for (const text of [
    "4242 4242 4242 4242",
    "my card 4000-0025-0000-3155 ok",
    "378282246310005",
    "Table 12 4242 4242 4242 4242",
    "4242 4242 4242 4242 12/30 123",
    "4242.4242.4242.4242",
    "4242\u00a04242\u00a04242\u00a04242",
    "42 4242 4242 4242 42",
  ])
    expect(holdsCardNumber(text), text).toBe(true);
  for (const text of [
    "+1 512 555 0148",
    "+49 170 1234 56785",
    "512 555 0148 2027-02-13 180",
    "4242 4242 4242 4241",
    "13 February 2027, 20:30",
    "0000 0000 0000 0000",
  ])
    expect(holdsCardNumber(text), text).toBe(false);
});
