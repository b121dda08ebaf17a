import { expect } from "vitest";
import { type CancelFault, type Division, divisionOf, mayTakeStep } from "#bookings/rules.ts";
import { splitCommission } from "#payments/rules.ts";
import { daysBetween } from "#platform/time/calendar.rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { applyDisputeReport } from "./dispute-model.ts";
import {
  applied,
  type Charge,
  dayOf,
  type ProviderReport,
  planRefund,
  heldOf,
  paidAt,
  refundedOf,
  type State,
  statusOf,
  type Terms,
  withMessage,
} from "./model-state.ts";

export const release = (terms: Terms, state: State): State =>
  state.released ? state : { ...state, released: splitCommission(heldOf(terms, state), terms.commission_bps) };

export function end(terms: Terms, state: State, fault: CancelFault, now: Date, code: string): State {
  const division = divisionNow(terms, state, fault, now);
  return divide(terms, state, division, now, code);
}

function divisionNow(terms: Terms, state: State, fault: CancelFault, now: Date): Division {
  const held = heldOf(terms, state);
  const since = (now.getTime() - (paidAt(terms, state, "deposit") ?? now).getTime()) / hourMs;
  const when = { daysBefore: daysBetween(dayOf(now.getTime()), terms.eventDate), hoursSincePaid: since };
  const division = divisionOf({ ...terms, held }, fault, when);
  expect(division.refund + division.artist + division.commission).toBe(held);
  return division;
}

/** Ends the booking with this division of held money. */
export function divide(terms: Terms, state: State, division: Division, now: Date, code: string): State {
  const ended = planRefund(terms, { ...state, canceledAt: now, proposal: null }, division.refund, "cancel");
  const canceled = withMessage(
    release(terms, { ...ended, report: ended.report === "open" ? "decided" : ended.report }),
    `canceled ${code}`,
  );
  expect([canceled.released?.artist, canceled.released?.commission]).toEqual([division.artist, division.commission]);
  return canceled;
}

/** Stores a provider report by its id. Its effect is derived from all reports, in any order. */
export function applyReport(terms: Terms, state: State, report: ProviderReport, now: Date): State {
  if (report.what === "charge") {
    if (state.charges.has(report.id)) return state;
    const known = { ...state, charges: new Map([...state.charges, [report.id, report]]) };
    if (state.canceledAt !== null) return returnAll(known, [report]);
    return endIfReturned(terms, withMessage(known, `${report.kind} paid`), now);
  }
  if (report.what === "dispute") return applyDisputeReport(terms, state, report);
  if (state.refunds.has(report.id)) return state;
  const refund = { charge: report.charge, amount: report.amount, sent: true };
  return endIfReturned(terms, { ...state, refunds: new Map([...state.refunds, [report.id, refund]]) }, now);
}

/** Ends a booking whose money is refunded in full, by any side and in any order. */
function endIfReturned(terms: Terms, state: State, now: Date): State {
  const paid = (["deposit", "balance"] as const).flatMap((kind) => applied(terms, state, kind) ?? []);
  const isReturned = paid.length > 0 && paid.every(({ id, amount }) => refundedOf(state, id) === amount);
  return isReturned && mayTakeStep("cancel", statusOf(terms, state), "system")
    ? end(terms, state, "nobody", now, "money_returned")
    : state;
}

const returnAll = (state: State, charges: readonly Charge[]): State => ({
  ...state,
  refunds: new Map([
    ...state.refunds,
    ...charges.map(({ id, amount }) => [`unowed ${id}`, { charge: id, amount, sent: true }] as const),
  ]),
});

/** Refunds what is not owed in full: a second charge and a wrong amount. Later payments were already refunded. */
export function returnUnowed(terms: Terms, state: State): State {
  const kept = new Set((["deposit", "balance"] as const).map((kind) => applied(terms, state, kind)?.id));
  return returnAll(
    state,
    [...state.charges.values()].filter(({ id }) => !kept.has(id)),
  );
}
