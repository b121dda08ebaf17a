import { expect, test } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import { permissionsOf, type PermissionInput, type Relation } from "./permissions.rules.ts";

const starts = new Date("2027-01-16T20:00:00Z");
const signed: PermissionInput = {
  status: "contract_signed",
  currency: "usd",
  deposit_cents: 37_500,
  balance_cents: 112_500,
  balance_paid_at: starts,
  starts_at: starts,
  ends_at: new Date(starts.getTime() + 3 * hourMs),
  artist_active: true,
  contract_status: "signed",
  held: false,
};
const mayCancelAt = (hours: number, relation: Partial<Relation>) =>
  permissionsOf({ promoter: false, artist: false, admin: false, ...relation }, signed, {
    now: new Date(starts.getTime() + hours * hourMs),
    payments: true,
  }).cancel;

test("permits canceling in the role in which the server would cancel, also for an admin who is the promoter", () => {
  const both = { promoter: true, admin: true };
  expect([mayCancelAt(-1, both), mayCancelAt(1, both)]).toEqual([true, false]);
  expect([mayCancelAt(1, { promoter: true }), mayCancelAt(1, { admin: true })]).toEqual([false, true]);
  expect(mayCancelAt(-1, { promoter: true, mailboxUnverified: true })).toBe(false);
});
