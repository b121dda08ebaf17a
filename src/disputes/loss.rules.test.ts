import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { coverRefunds, divideLoss, refundsToReopen } from "./loss.rules.ts";

const cents = fc.integer({ min: 0, max: 60_000 });
const refunds = fc.array(fc.record({ id: fc.uuid(), amount: fc.integer({ min: 1, max: 40_000 }) }), { maxLength: 5 });
const sum = (list: readonly { amount: number }[]) => list.reduce((all, { amount }) => all + amount, 0);

describe("coverRefunds", () => {
  const [one, two, three] = [{ amount: 10_000 }, { amount: 5_000 }, { amount: 1 }];

  test.each([
    [0, []],
    [9_999, [{ refund: one, part: 9_999 }]],
    [10_000, [{ refund: one, part: 10_000 }]],
    [
      12_000,
      [
        { refund: one, part: 10_000 },
        { refund: two, part: 2_000 },
      ],
    ],
  ])("of %i cents covers the first refunds, the last one in part", (withdrawn, covered) => {
    expect(coverRefunds(withdrawn, [one, two, three])).toEqual(covered);
  });

  test("covers all that was withdrawn, or all refunds, and only the last in part", () => {
    fc.assert(
      fc.property(cents, refunds, (withdrawn, list) => {
        const covered = coverRefunds(withdrawn, list);
        expect(covered.map(({ refund }) => refund)).toEqual(list.slice(0, covered.length));
        expect(covered.reduce((all, { part }) => all + part, 0)).toBe(Math.min(withdrawn, sum(list)));
        for (const { refund, part } of covered.slice(0, -1)) expect(part).toBe(refund.amount);
      }),
    );
  });
});

describe("divideLoss", () => {
  test.each([
    [
      "takes held money first",
      10_000,
      { ofCharge: 20_000, held: 6_000, released: 9_000 },
      { held: 6_000, released: 4_000 },
    ],
    [
      "takes no more than was released",
      10_000,
      { ofCharge: 20_000, held: 6_000, released: 1_500 },
      { held: 6_000, released: 1_500 },
    ],
    [
      "takes no more than the charge still holds",
      10_000,
      { ofCharge: 7_000, held: 6_000, released: 9_000 },
      { held: 6_000, released: 1_000 },
    ],
    [
      "takes nothing of a charge that was refunded",
      10_000,
      { ofCharge: -1, held: 6_000, released: 9_000 },
      { held: 0, released: 0 },
    ],
    [
      "takes nothing of held money that is overdrawn",
      10_000,
      { ofCharge: 20_000, held: -5, released: 9_000 },
      { held: 0, released: 9_000 },
    ],
    [
      "takes nothing of a release that is overdrawn",
      10_000,
      { ofCharge: 20_000, held: 0, released: -5 },
      { held: 0, released: 0 },
    ],
  ])("%s", (_what, rest, of, shares) => {
    expect(divideLoss(rest, of)).toEqual(shares);
  });

  test("takes as much as each source has, and never more than the loss", () => {
    const any = fc.integer({ min: -100, max: 60_000 });
    fc.assert(
      fc.property(cents, any, any, any, (rest, ofCharge, held, released) => {
        const shares = divideLoss(rest, { ofCharge, held, released });
        const available = Math.min(Math.max(0, ofCharge), Math.max(0, held) + Math.max(0, released));
        expect(shares.held + shares.released).toBe(Math.min(rest, available));
        expect(shares.released === 0 || shares.held === Math.max(0, held)).toBe(true);
      }),
    );
  });
});

describe("refundsToReopen", () => {
  const [one, two] = [
    { id: "a", amount: 10_000 },
    { id: "b", amount: 4_000 },
  ];
  const of = (regained: number, from_refunds = 14_000) => ({ from_refunds, withdrawn: 20_000, regained });

  test.each([
    ["nothing before the returned money reaches the refunds", of(6_000), { due: [], reopened: 0, rest: 0 }],
    ["a refund that the returned money covers exactly", of(10_000), { due: [two], reopened: 4_000, rest: 0 }],
    ["the rest for a refund in part", of(9_999), { due: [], reopened: 0, rest: 3_999 }],
    ["a smaller refund after a larger one", of(13_000), { due: [two], reopened: 4_000, rest: 3_000 }],
    ["all refunds", of(20_000), { due: [one, two], reopened: 14_000, rest: 0 }],
    ["no more than was returned in excess", of(25_000), { due: [one, two], reopened: 14_000, rest: 0 }],
    ["no more than the loss completed", of(20_000, 11_000), { due: [one], reopened: 10_000, rest: 1_000 }],
  ])("returns %s", (_what, dispute, expected) => {
    expect(refundsToReopen([one, two], dispute)).toEqual(expected);
  });

  test("returns no more than the covered refunds, and nothing without them", () => {
    expect(refundsToReopen([two], of(20_000))).toEqual({ due: [two], reopened: 4_000, rest: 0 });
    expect(refundsToReopen([], of(20_000))).toEqual({ due: [], reopened: 0, rest: 0 });
  });

  test("reopens and keeps together what the bank returned of the refunds", () => {
    fc.assert(
      fc.property(refunds, cents, fc.integer({ min: 0, max: 120_000 }), (covered, other, regained) => {
        const from_refunds = sum(covered);
        const withdrawn = from_refunds + other;
        const { due, reopened, rest } = refundsToReopen(covered, { from_refunds, withdrawn, regained });
        expect(reopened).toBe(sum(due));
        expect(reopened + rest).toBe(Math.max(0, Math.min(from_refunds, regained - other)));
        for (const refund of covered.filter((one) => !due.includes(one))) expect(refund.amount).toBeGreaterThan(rest);
      }),
    );
  });
});
