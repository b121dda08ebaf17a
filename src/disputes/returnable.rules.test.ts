import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dueToPayer, heldChange, regainedShares, returnableShares } from "./returnable.rules.ts";

const loss = { withdrawn: 30_000, from_refunds: 5_000, from_held: 10_000, from_artist: 9_000, from_platform: 1_000 };
const at = new Date("2026-12-01T12:00:00Z");
const won = { ...loss, regained: 25_000, status: "won", settled_at: at, returned_at: null, returned_held: 10_000 };
const around = { isDivided: false, commissionBps: 1_000, retainable: null, regained: 30_000 };

describe("regainedShares", () => {
  test.each([
    [0, { held: 0, artist: 0, platform: 0 }],
    [12_500, { held: 5_000, artist: 4_500, platform: 500 }],
    [25_000, { held: 10_000, artist: 9_000, platform: 1_000 }],
    [30_000, { held: 10_000, artist: 9_000, platform: 1_000 }],
    [-1, { held: 0, artist: 0, platform: 0 }],
  ])("divides %i returned cents as the loss was divided, the refunds last", (regained, shares) => {
    expect(regainedShares({ ...loss, regained })).toEqual(shares);
  });

  test("gives no party more than it lost, and everything once all is returned", () => {
    const cents = fc.integer({ min: 0, max: 50_000 });
    fc.assert(
      fc.property(cents, cents, cents, cents, cents, cents, (refunds, held, artist, platform, rest, regained) => {
        const withdrawn = refunds + held + artist + platform + rest;
        const of = { withdrawn, from_refunds: refunds, from_held: held, from_artist: artist, from_platform: platform };
        const shares = regainedShares({ ...of, regained });
        for (const [share, part] of [
          [shares.held, held],
          [shares.artist, artist],
          [shares.platform, platform],
        ] as const) {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(part);
        }
        expect(shares.held + shares.artist + shares.platform).toBeLessThanOrEqual(regained);
        expect(regainedShares({ ...of, regained: withdrawn })).toEqual({ held, artist, platform });
      }),
    );
  });
});

test.each([
  ["holds again what was returned", 12_500, 0, 0, 5_000],
  ["holds the difference to what is held again already", 25_000, 4_000, 4_000, 6_000],
  ["takes what the bank took again", 12_500, 8_000, 8_000, -3_000],
  ["takes no more than is still held", 12_500, 8_000, 1_000, -1_000],
  ["takes nothing of overdrawn held money", 12_500, 8_000, -50, 0],
])("heldChange %s", (_what, regained, returned_held, held, change) => {
  expect(heldChange({ ...loss, regained, returned_held }, held) + 0).toBe(change);
});

describe("returnableShares", () => {
  test.each([
    ["of a lost dispute", { status: "lost" }],
    ["of one that was never divided", { settled_at: null }],
    ["twice", { returned_at: at }],
    ["without a share of the artist", { from_artist: 0, from_held: 19_000, returned_held: 19_000 }],
  ])("returns nothing %s", (_what, change) => {
    expect(returnableShares({ ...won, ...change }, around)).toBeNull();
  });

  test.each([
    ["the shares of artist and platform", {}, {}, { artist: 9_000, platform: 1_000 }],
    ["what nobody else has", {}, { regained: 5_000 }, { artist: 4_500, platform: 500 }],
    [
      "held money that came back too late, less the commission",
      { returned_held: 4_000 },
      { isDivided: true },
      { artist: 14_400, platform: 1_600 },
    ],
    ["no held money that can still be held again", { returned_held: 4_000 }, {}, { artist: 9_000, platform: 1_000 }],
    [
      "at most what a cancellation retains of it",
      { returned_held: 4_000 },
      { isDivided: true, retainable: 2_000 },
      { artist: 10_800, platform: 1_200 },
    ],
    [
      "nothing of held money that is held again in excess",
      { returned_held: 12_000 },
      { isDivided: true },
      { artist: 9_000, platform: 1_000 },
    ],
  ])("returns %s", (_what, change, other, shares) => {
    expect(returnableShares({ ...won, ...change }, { ...around, ...other })).toEqual(shares);
  });
});

describe("dueToPayer", () => {
  const late = { ...won, from_artist: 0, from_platform: 0, withdrawn: 15_000, returned_held: 0 };
  const canceled = { ...around, isDivided: true, retainable: 2_000 };

  test.each([
    ["what the terms of the cancellation do not retain", {}, {}, 8_000],
    ["no more than nobody else has", {}, { regained: 5_000 }, 3_000],
    ["all of it after its share was returned", { returned_at: at }, {}, 10_000],
    ["nothing without a cancellation", {}, { retainable: null }, 0],
    ["nothing without one after the share was returned", { returned_at: at }, { retainable: null }, 0],
    ["nothing of a lost dispute", { status: "lost" }, {}, 0],
    ["nothing of one that was never divided", { settled_at: null }, {}, 0],
    ["nothing if the terms retain more", {}, { retainable: 50_000 }, 0],
  ])("is %s", (_what, change, other, cents) => {
    expect(dueToPayer({ ...late, ...change }, { ...canceled, ...other })).toBe(cents);
  });
});
