import { describe, expect, test } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import { sideAtFault, sidesInTurn } from "../rules.ts";

const end = new Date("2027-01-20T20:00:00Z");
const hoursBefore = (hours: number) => new Date(end.getTime() - hours * hourMs);
const signers = (promoter: Date | null, artist: Date | null) => [
  { side: "promoter" as const, signed_at: promoter },
  { side: "artist" as const, signed_at: artist },
];

test("sidesInTurn returns all who have not signed, without an order", () => {
  expect(sidesInTurn(null, ["promoter", "artist"])).toEqual(["promoter", "artist"]);
  expect(sidesInTurn(null, ["artist"])).toEqual(["artist"]);
});

test("sidesInTurn returns the first alone, then the other, then none, with an order", () => {
  expect(sidesInTurn("artist", ["promoter", "artist"])).toEqual(["artist"]);
  expect(sidesInTurn("artist", ["promoter"])).toEqual(["promoter"]);
  expect(sidesInTurn("artist", [])).toEqual([]);
});

describe("sideAtFault", () => {
  test("returns the only one who did not sign in either order, and none if neither did", () => {
    const fault = (promoter: Date | null, artist: Date | null) =>
      sideAtFault({ first_signer: null, signers: signers(promoter, artist), expires_at: end });
    expect(fault(null, null)).toBe("nobody");
    expect(fault(hoursBefore(1), null)).toBe("artist");
    expect(fault(null, hoursBefore(100))).toBe("promoter");
    expect(sideAtFault({ first_signer: null, signers: [], expires_at: null })).toBe("nobody");
  });

  test("returns the first with an order, then the second if its turn lasted a day", () => {
    const fault = (promoter: Date | null, artist: Date | null) =>
      sideAtFault({ first_signer: "artist", signers: signers(promoter, artist), expires_at: end });
    expect(fault(null, null)).toBe("artist");
    expect(fault(null, hoursBefore(24))).toBe("promoter");
    expect(fault(null, hoursBefore(23.9))).toBe("nobody");
  });
});
