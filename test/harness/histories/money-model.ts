/** What becomes of a booking's money in the model: the division at its end, and what follows from the provider's facts. */
import { expect } from "vitest";
import { type CancelFault, type Division, divisionOf, mayTake } from "#bookings/rules.ts";
import { splitCommission } from "#payments/rules.ts";
import { daysBetween } from "#platform/time/calendar.rules.ts";
import { hearDispute } from "./dispute-model.ts";
import {
  applied,
  type Charge,
  dayOf,
  type Fact,
  giveBack,
  heldOf,
  hourMs,
  paidAt,
  refundedOf,
  type State,
  statusOf,
  type Terms,
  told,
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

/** Ends the booking with this division of what is held. */
export function divide(terms: Terms, state: State, division: Division, now: Date, code: string): State {
  const ended = giveBack(terms, { ...state, canceledAt: now, proposal: null }, division.refund, "cancel");
  const settled = told(
    release(terms, { ...ended, report: ended.report === "open" ? "decided" : ended.report }),
    `canceled ${code}`,
  );
  expect([settled.released?.artist, settled.released?.commission]).toEqual([division.artist, division.commission]);
  return settled;
}

/** A fact of the provider is stored by its id; what it means follows from all of them, whichever was heard first. */
export function hear(terms: Terms, state: State, fact: Fact, now: Date): State {
  if (fact.what === "charge") {
    if (state.charges.has(fact.id)) return state;
    const known = { ...state, charges: new Map([...state.charges, [fact.id, fact]]) };
    if (state.canceledAt !== null) return returnAll(known, [fact]);
    return endIfReturned(terms, told(known, `${fact.kind} paid`), now);
  }
  if (fact.what === "dispute") return hearDispute(terms, state, fact);
  if (state.refunds.has(fact.id)) return state;
  const refund = { charge: fact.charge, amount: fact.amount, sent: true };
  return endIfReturned(terms, { ...state, refunds: new Map([...state.refunds, [fact.id, refund]]) }, now);
}

/** A booking of whose money nothing is left ends, whoever gave it back and whichever of the two was heard first. */
function endIfReturned(terms: Terms, state: State, now: Date): State {
  const paid = (["deposit", "balance"] as const).flatMap((kind) => applied(terms, state, kind) ?? []);
  const isReturned = paid.length > 0 && paid.every(({ id, amount }) => refundedOf(state, id) === amount);
  return isReturned && mayTake("cancel", statusOf(terms, state), "system")
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

/** What is not owed goes back in full: a second charge and a wrong amount; whatever arrives after the end has gone back already. */
export function returnUnowed(terms: Terms, state: State): State {
  const kept = new Set((["deposit", "balance"] as const).map((kind) => applied(terms, state, kind)?.id));
  return returnAll(
    state,
    [...state.charges.values()].filter(({ id }) => !kept.has(id)),
  );
}
