/**
 * A booking decided by the pure rules alone: facts of the provider, acts of people and the clock lead from one state to the next. What
 * is new in the business is a kind of `Fact` or `Act` here, with what it makes of the state.
 */
import { expect } from "vitest";
import { ladderOf, firstDueDay, stepNow, type BalanceStep } from "#bookings/balance/ladder.ts";
import {
  type CancelFault,
  completionHours,
  decideStatus,
  divisionOf,
  mayTake,
  payableNow,
  policies,
  type Quote,
} from "#bookings/rules.ts";
import {
  mayDecideNoShow,
  mayReportNoShow,
  isPastCanceling,
  type NoShowState,
} from "#bookings/lifecycle/no-show.rules.ts";
import { contractSides, type ContractSide, extendedEnd, windowEnd } from "#contracts/rules.ts";
import { splitByLargestRemainder } from "#payments/money.rules.ts";
import { splitCommission } from "#payments/rules.ts";
import { daysBetween } from "#platform/time/calendar.rules.ts";

const hourMs = 3_600_000;
const unpaidBalanceDays = 30;
export const begin = Date.UTC(2027, 0, 10, 15);
const zone = "UTC";
export const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

export type Terms = Quote & {
  policy: (typeof policies)[keyof typeof policies];
  startsAt: Date;
  endsAt: Date;
  eventDate: string;
};
type Kind = "deposit" | "balance";
/** What the provider has: facts by their id, so that hearing one again changes nothing. */
type Charge = { id: string; kind: Kind; amount: number; at: number };
export type Fact = ({ what: "charge" } & Charge) | { what: "refund"; id: string; charge: string; amount: number };

/** A booking as its facts; status and money follow from them. Amounts are minor units. */
export type State = {
  charges: ReadonlyMap<string, Charge>;
  /** Refunds by their cause: the provider's own, and ours. */
  refunds: ReadonlyMap<string, { charge: string; amount: number }>;
  contract: "draft" | "sent" | "signed" | "declined";
  signed: readonly ContractSide[];
  signBy: Date | null;
  extended: boolean;
  report: NoShowState;
  completedAt: Date | null;
  canceledAt: Date | null;
  released: { artist: number; commission: number } | null;
  ladder: { startedAt: Date; last: BalanceStep | null; next: Date | null } | null;
  messages: readonly string[];
};

export const sum = (values: Iterable<number>) => [...values].reduce((total, one) => total + one, 0);
const told = (state: State, message: string): State =>
  state.messages.includes(message) ? state : { ...state, messages: [...state.messages, message] };

/** The charge that pays for a part: the earliest of the right amount. */
const applied = (terms: Terms, state: State, kind: Kind) =>
  [...state.charges.values()]
    .filter(
      (one) => one.kind === kind && one.amount === (kind === "deposit" ? terms.deposit_cents : terms.balance_cents),
    )
    .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))[0];
const paidAt = (terms: Terms, state: State, kind: Kind) => {
  const charge = applied(terms, state, kind);
  return charge ? new Date(charge.at) : null;
};
const refundedOf = (state: State, charge: string) =>
  sum([...state.refunds.values()].filter((one) => one.charge === charge).map(({ amount }) => amount));
const left = (terms: Terms, state: State) =>
  (["deposit", "balance"] as const)
    .map((kind) => applied(terms, state, kind))
    .filter((charge) => charge !== undefined)
    .map((charge) => ({ charge: charge.id, amount: charge.amount - refundedOf(state, charge.id) }));
export const heldOf = (terms: Terms, state: State) =>
  sum(left(terms, state).map(({ amount }) => amount)) -
  (state.released ? state.released.artist + state.released.commission : 0);

export const statusOf = (terms: Terms, state: State) =>
  decideStatus({
    depositPaidAt: paidAt(terms, state, "deposit"),
    contract: state.contract,
    completedAt: state.completedAt,
    canceledAt: state.canceledAt,
  });
const isPaid = (terms: Terms, state: State) => terms.balance_cents === 0 || paidAt(terms, state, "balance") !== null;

/** Plans to give so much back, over the charges by the largest remainder. */
function giveBack(terms: Terms, state: State, amount: number, cause: string): State {
  const open = left(terms, state);
  const shares = splitByLargestRemainder(
    amount,
    open.map((one) => one.amount),
  );
  const planned = open.map(
    ({ charge }, index) => [`${cause} ${charge}`, { charge, amount: shares[index] ?? 0 }] as const,
  );
  return { ...state, refunds: new Map([...state.refunds, ...planned.filter(([, refund]) => refund.amount > 0)]) };
}

const release = (terms: Terms, state: State): State =>
  state.released ? state : { ...state, released: splitCommission(heldOf(terms, state), terms.commission_bps) };

function end(terms: Terms, state: State, fault: CancelFault, now: Date, code: string): State {
  const held = heldOf(terms, state);
  const since = (now.getTime() - (paidAt(terms, state, "deposit") ?? now).getTime()) / hourMs;
  const when = { daysBefore: daysBetween(dayOf(now.getTime()), terms.eventDate), hoursSincePaid: since };
  const division = divisionOf({ ...terms, held }, fault, when);
  expect(division.refund + division.artist + division.commission).toBe(held);
  const ended = giveBack(terms, { ...state, canceledAt: now }, division.refund, "cancel");
  const settled = told(
    release(terms, { ...ended, report: ended.report === "open" ? "decided" : ended.report }),
    `canceled ${code}`,
  );
  expect([settled.released?.artist, settled.released?.commission]).toEqual([division.artist, division.commission]);
  return settled;
}

/** A fact of the provider is stored by its id; what it means follows from all of them, whichever was heard first. */
function hear(terms: Terms, state: State, fact: Fact, now: Date): State {
  if (fact.what === "charge") {
    if (state.charges.has(fact.id)) return state;
    const known = { ...state, charges: new Map([...state.charges, [fact.id, fact]]) };
    if (state.canceledAt !== null) return returnAll(known, [fact]);
    return endIfReturned(terms, told(known, `${fact.kind} paid`), now);
  }
  if (state.refunds.has(fact.id)) return state;
  return endIfReturned(terms, { ...state, refunds: new Map([...state.refunds, [fact.id, fact]]) }, now);
}

/** A booking of whose money nothing is left ends, whoever gave it back and whichever of the two was heard first. */
function endIfReturned(terms: Terms, state: State, now: Date): State {
  const open = left(terms, state);
  const isReturned = open.length > 0 && open.every(({ amount }) => amount === 0);
  return isReturned && mayTake("cancel", statusOf(terms, state), "system")
    ? end(terms, state, "nobody", now, "money_returned")
    : state;
}

const returnAll = (state: State, charges: readonly Charge[]): State => ({
  ...state,
  refunds: new Map([
    ...state.refunds,
    ...charges.map(({ id, amount }) => [`unowed ${id}`, { charge: id, amount }] as const),
  ]),
});

/** What is not owed goes back in full: a second charge and a wrong amount; whatever arrives after the end has gone back already. */
function returnUnowed(terms: Terms, state: State): State {
  const kept = new Set(left(terms, state).map(({ charge }) => charge));
  return returnAll(
    state,
    [...state.charges.values()].filter(({ id }) => !kept.has(id)),
  );
}

/** The moments that the clock of a booking waits for, each with what it does. */
function nextMoment(terms: Terms, state: State): { at: number; run: (now: Date) => State } | undefined {
  const status = statusOf(terms, state);
  const moments: { at: number; run: (now: Date) => State }[] = [];
  const { startsAt, endsAt } = terms;
  if (status === "initiated")
    moments.push({ at: startsAt.getTime(), run: (now) => end(terms, state, "nobody", now, "expired") });
  if (status === "deposit_paid")
    moments.push({
      at: 0,
      run: (now) =>
        startsAt <= now
          ? end(terms, state, "nobody", now, "contract_expired")
          : told({ ...state, contract: "sent", signBy: windowEnd(now, startsAt) }, "contract sent"),
    });
  if (status === "contract_sent" && state.signBy) {
    const { signBy } = state;
    const later = state.extended ? null : extendedEnd(signBy, startsAt);
    const open = contractSides.filter((side) => !state.signed.includes(side));
    const fault = open.length === 1 && open[0] ? open[0] : "nobody";
    moments.push({
      at: signBy.getTime(),
      run: (now) =>
        later && later > now
          ? told({ ...state, signBy: later, extended: true }, "contract extended")
          : end(terms, state, fault, now, "contract_expired"),
    });
  }
  if (status === "contract_signed" && state.report !== "open") {
    if (isPaid(terms, state))
      moments.push({
        at: endsAt.getTime() + completionHours * hourMs,
        run: (now) => told(release(terms, { ...state, completedAt: now }), "completed"),
      });
    else
      moments.push({
        at: endsAt.getTime() + unpaidBalanceDays * 24 * hourMs,
        run: (now) => end(terms, state, "promoter", now, "balance_unpaid"),
      });
  }
  if (status === "contract_signed" && !isPaid(terms, state)) {
    const { ladder } = state;
    if (!ladder)
      moments.push({ at: 0, run: (now) => ({ ...state, ladder: { startedAt: now, last: null, next: now } }) });
    else if (ladder.next)
      moments.push({ at: ladder.next.getTime(), run: (now) => takeStep(terms, state, ladder, now) });
  }
  return moments.toSorted((a, b) => a.at - b.at)[0];
}

function takeStep(terms: Terms, state: State, ladder: NonNullable<State["ladder"]>, now: Date): State {
  const { eventDate, startsAt } = terms;
  const dueDay = firstDueDay(eventDate, zone, ladder.startedAt);
  const planned = ladderOf({ eventDate, zone, startsAt, startedAt: ladder.startedAt, dueDay, round: 0 });
  const { step, next } = stepNow(planned, { last: ladder.last, startsAt, now });
  const after = { ...state, ladder: { ...ladder, last: step ?? ladder.last, next: next ? next.at : null } };
  return step ? told(after, `balance ${step}`) : after;
}

/** Lets the clock run; a life that always finds something to do never comes to rest. */
function run(terms: Terms, state: State, until: number): State {
  for (let count = 0; count < 60; count++) {
    const next = nextMoment(terms, state);
    if (!next || next.at > until) return state;
    clock = Math.max(clock, next.at);
    state = next.run(new Date(clock));
    money(terms, state);
  }
  throw new Error(`the clock finds work again and again: ${JSON.stringify(state.messages)}`);
}
let clock = begin;

/** Nothing is paid back or out that was not taken, at any moment. */
function money(terms: Terms, state: State): void {
  for (const { id, amount } of state.charges.values()) expect(refundedOf(state, id)).toBeLessThanOrEqual(amount);
  expect(heldOf(terms, state)).toBeGreaterThanOrEqual(0);
}

export type Act =
  | { do: "pay"; kind: Kind; twice: boolean; wrong: boolean; refundPermille: number }
  | { do: "sign" | "decline"; side: ContractSide }
  | { do: "cancel"; by: "promoter" | "artist" | "admin" }
  | { do: "report" | "confirm" }
  | { do: "decide"; permille: number };

/** What a person does, when the rules allow it. */
function take(terms: Terms, state: State, act: Exclude<Act, { do: "pay" }>, now: Date): State {
  const status = statusOf(terms, state);
  const booking = { status, starts_at: terms.startsAt, ends_at: terms.endsAt };
  switch (act.do) {
    case "sign": {
      if (status !== "contract_sent" || state.signed.includes(act.side)) return state;
      const signed = [...state.signed, act.side];
      const all = contractSides.every((side) => signed.includes(side));
      return all ? told({ ...state, signed, contract: "signed" }, "signed") : { ...state, signed };
    }
    case "decline":
      if (status !== "contract_sent") return state;
      return end(terms, { ...state, contract: "declined" }, act.side, now, "contract_declined");
    case "cancel":
      if (!mayTake("cancel", status, act.by) || (act.by === "promoter" && isPastCanceling(booking, now))) return state;
      return end(terms, state, act.by === "admin" ? "nobody" : act.by, now, act.by);
    case "report":
      return mayReportNoShow(booking, state.report, now) ? told({ ...state, report: "open" }, "reported") : state;
    case "confirm":
      if (!mayTake("complete", status, "promoter") || terms.endsAt > now) return state;
      if (!isPaid(terms, state) || state.report === "open") return state;
      return told(release(terms, { ...state, completedAt: now }), "completed");
    case "decide": {
      if (!mayDecideNoShow(booking, state.report)) return state;
      const held = heldOf(terms, state);
      const kept = Math.floor((held * act.permille) / 1_000);
      if (kept === 0) return end(terms, { ...state, report: "decided" }, "artist", now, "no_show");
      if (!isPaid(terms, state)) return kept === held ? { ...state, report: "decided" } : state;
      const back = giveBack(terms, { ...state, report: "decided", completedAt: now }, held - kept, "no_show");
      return told(release(terms, back), "completed");
    }
  }
}

export type Life = { terms: Terms; acts: readonly { hour: number; act: Act }[] };

/** Plays a life; `order` says in which order the provider's facts of one moment are heard, and which are heard again. */
export function play({ terms, acts }: Life, order: (facts: readonly Fact[]) => readonly Fact[]): State {
  clock = begin;
  let state: State = {
    charges: new Map(),
    refunds: new Map(),
    contract: "draft",
    signed: [],
    signBy: null,
    extended: false,
    report: "none",
    completedAt: null,
    canceledAt: null,
    released: null,
    ladder: null,
    messages: [],
  };
  const past: Fact[] = [];
  for (const [index, { hour, act }] of acts.entries()) {
    const at = begin + hour * hourMs;
    state = run(terms, state, at);
    clock = Math.max(clock, at);
    const now = new Date(clock);
    if (act.do !== "pay") state = take(terms, state, act, now);
    else {
      const facts = factsOf(terms, state, act, index, clock);
      for (const fact of order([...past, ...facts])) state = hear(terms, state, fact, now);
      for (const fact of facts) state = hear(terms, state, fact, now);
      state = returnUnowed(terms, state);
      past.push(...facts);
    }
    money(terms, state);
  }
  const last = terms.endsAt.getTime() + (unpaidBalanceDays + 1) * 24 * hourMs;
  state = run(terms, state, Math.max(last - 20 * 24 * hourMs, clock));
  clock = Math.max(clock, last - 20 * 24 * hourMs);
  // What waits for a person is decided; nothing else may wait for one.
  state = take(terms, state, { do: "decide", permille: 1_000 }, new Date(clock));
  return run(terms, state, Infinity);
}

/** What the provider reports of one visit to the checkout: charges, and a refund that somebody makes in its dashboard before a release. */
function factsOf(terms: Terms, state: State, act: Extract<Act, { do: "pay" }>, index: number, at: number): Fact[] {
  const owed = act.kind === "deposit" ? terms.deposit_cents : terms.balance_cents;
  const open = payableNow({ ...terms, status: statusOf(terms, state), balance_paid: isPaid(terms, state) });
  // A checkout that was opened before can be paid late: after the end, or a second time.
  if (open !== act.kind && !state.charges.size && state.canceledAt === null) return [];
  if (owed === 0 || (act.kind === "balance" && state.contract !== "signed")) return [];
  const charge = { what: "charge" as const, id: `ch_${index}`, kind: act.kind, amount: owed, at };
  const facts: Fact[] = [act.wrong ? { ...charge, amount: owed + 1 } : charge];
  if (act.twice) facts.push({ ...charge, id: `ch_${index}_again`, at: at + 1_000 });
  const back = Math.floor((owed * act.refundPermille) / 1_000);
  const isFirst = applied(terms, state, act.kind) === undefined && state.canceledAt === null;
  if (back > 0 && isFirst && !act.wrong && !act.twice && open === act.kind)
    facts.push({ what: "refund", id: `re_${index}`, charge: charge.id, amount: back });
  return facts;
}
