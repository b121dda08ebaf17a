import { expect, test } from "vitest";
import { type DeadlineInput, deadlinesOf } from "../rules.ts";

const at = (text: string) => new Date(`2027-${text}:00Z`);
const input: DeadlineInput = {
  status: "initiated",
  holdEndsAt: null,
  answer_due_at: null,
  deposit_paid_at: null,
  signingEndsAt: null,
  balanceOpen: true,
  balanceDueAt: at("02-14T06:00"),
  balanceOverdueAt: null,
  decisionAt: null,
  isBlocked: false,
  starts_at: at("03-13T20:00"),
  ends_at: at("03-13T23:00"),
};

test("deadlinesOf returns the end of the signing window as the deadline of the signatures", () => {
  const sent = { ...input, status: "contract_sent" as const, signingEndsAt: at("01-08T12:00") };
  expect(deadlinesOf(sent, at("01-01T12:00"))[0]).toEqual({ kind: "signatures_due", at: at("01-08T12:00") });
  const none = deadlinesOf({ ...sent, signingEndsAt: null }, at("01-01T12:00"));
  expect(none.map(({ kind }) => kind)).not.toContain("signatures_due");
});

test("deadlinesOf returns the contract's deadline a day after the deposit, also when it has passed", () => {
  const paid = { ...input, status: "deposit_paid" as const, deposit_paid_at: at("01-01T12:00") };
  for (const now of [at("01-01T13:00"), at("01-05T13:00")])
    expect(deadlinesOf(paid, now)[0]).toEqual({ kind: "contract_due", at: at("01-02T12:00") });
});

test("deadlinesOf omits a balance that is due immediately until both have signed", () => {
  const kinds = (status: DeadlineInput["status"]) =>
    deadlinesOf({ ...input, status, balanceDueAt: at("03-01T00:00") }, at("03-01T00:00")).map(({ kind }) => kind);
  expect(kinds("contract_sent")).not.toContain("balance_due");
  expect(kinds("contract_signed")).toContain("balance_due");
});

test("deadlinesOf returns an overdue balance with the time of the artist's decision, which ends with the show's start", () => {
  const signed = { ...input, status: "contract_signed" as const, balanceDueAt: at("02-14T06:00") };
  const late = { ...signed, balanceOverdueAt: at("02-14T06:00"), decisionAt: at("02-28T15:00") };
  const before = deadlinesOf(late, at("02-13T00:00"));
  expect(before.map(({ kind }) => kind)).toEqual(["balance_due", "show_starts"]);
  expect(deadlinesOf(late, at("02-15T00:00")).slice(0, 2)).toEqual([
    { kind: "balance_overdue", at: at("02-14T06:00") },
    { kind: "balance_decision", at: at("02-28T15:00") },
  ]);
  expect(deadlinesOf(late, late.starts_at).map(({ kind }) => kind)).toEqual(["balance_overdue"]);
  const paid = deadlinesOf({ ...late, balanceOpen: false }, at("02-15T00:00"));
  expect(paid.map(({ kind }) => kind)).toEqual(["show_starts"]);
});

test("deadlinesOf sorts by time, and returns none after the booking's end", () => {
  const held = { ...input, holdEndsAt: at("01-01T12:30") };
  expect(deadlinesOf(held, at("01-01T12:00")).map(({ kind }) => kind)).toEqual(["hold_ends", "show_starts"]);
  expect(deadlinesOf({ ...input, status: "canceled" }, at("01-01T12:00"))).toEqual([]);
});

test("deadlinesOf returns the completion of a paid show two days after its end", () => {
  const played = { ...input, status: "contract_signed" as const, balanceOpen: false };
  expect(deadlinesOf(played, at("03-14T00:00"))).toEqual([{ kind: "completes", at: at("03-15T23:00") }]);
});
