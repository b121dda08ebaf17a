/**
 * A booking decided by the pure rules alone. Provider state, user actions and time change its state. New features need a
 * kind of `Fact` or `Act` here, with its effect on the state.
 */
import { expect } from "vitest";
import { balanceDueDay } from "#bookings/rules/due-day.rules.ts";
import { extensionDays, planBalance, stepNow } from "#bookings/rules/balance-plan.rules.ts";
import { agreedDivision, type AgreementSide, expiryOf, mayAgree } from "#bookings/rules/force-majeure.rules.ts";
import { answerDueAt, completionHours, isAwaitingResponse, mayTake, payableNow } from "#bookings/rules.ts";
import { isPastCanceling, mayDecideNoShow, mayReportNoShow } from "#bookings/rules/no-show.rules.ts";
import { contractSides, type ContractSide, extendedEnd, windowEnd } from "#contracts/rules.ts";
import { isClosed } from "#disputes/disputes.rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { bankFacts, disputeOpened, hasOpenOrLost } from "./dispute-model.ts";
import {
  applied,
  begin,
  type Fact,
  giveBack,
  heldOf,
  isPaid,
  type Kind,
  refundedOf,
  type State,
  statusOf,
  type Terms,
  told,
  unpaidBalanceDays,
  zone,
} from "./model-state.ts";
import { divide, end, hear, release, returnUnowed } from "./money-model.ts";

/** Returns the booking's next due deadline with its effect. */
function nextMoment(terms: Terms, state: State): { at: number; run: (now: Date) => State } | undefined {
  const status = statusOf(terms, state);
  const moments: { at: number; run: (now: Date) => State }[] = [];
  const { startsAt, endsAt } = terms;
  if (status === "initiated" && terms.deposit_cents === 0)
    moments.push({
      at: answerDueAt(new Date(begin), startsAt).getTime(),
      run: (now) => end(terms, state, "nobody", now, "unanswered"),
    });
  else if (status === "initiated")
    moments.push({ at: startsAt.getTime(), run: (now) => end(terms, state, "nobody", now, "expired") });
  for (const dispute of state.disputes.values())
    if (!isClosed(dispute.status))
      moments.push({
        at: dispute.decidesAt,
        run: (now) => hearTwice(terms, state, bankFacts(dispute, "by itself", now.getTime()), now),
      });
  if (state.proposal)
    moments.push({
      at: state.proposal.expiresAt.getTime(),
      run: () => told({ ...state, proposal: null }, "proposal expired"),
    });
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
    const { plan } = state;
    if (!plan)
      moments.push({
        at: 0,
        run: (now) => {
          const dueDay = balanceDueDay(terms.eventDate, zone, now);
          return { ...state, plan: { startedAt: now, dueDay, round: 0, last: null, next: now } };
        },
      });
    else if (plan.next) moments.push({ at: plan.next.getTime(), run: (now) => takeStep(terms, state, plan, now) });
  }
  return moments.toSorted((a, b) => a.at - b.at)[0];
}

function takeStep(terms: Terms, state: State, plan: NonNullable<State["plan"]>, now: Date): State {
  const { startsAt } = terms;
  const { step, next } = stepNow(plannedOf(terms, plan), { last: plan.last, startsAt, now });
  const after = { ...state, plan: { ...plan, last: step ?? plan.last, next: next ? next.at : null } };
  if (!step) return after;
  // From the due time on the saved card is charged instead of a reminder, once, on the first due date.
  const charges = step !== "reminder" && step !== "decision" && plan.round === 0;
  if (!charges || state.consent !== "given" || !applied(terms, state, "deposit") || hasOpenOrLost(state))
    return told(after, `balance ${step} ${plan.round}`);
  const tried: State = { ...after, consent: "used" };
  if (terms.card === "declined") return told(tried, "the saved card was declined");
  const charge = { id: "ch_saved_card", kind: "balance" as const, amount: terms.balance_cents, at: now.getTime() };
  return hearTwice(terms, tried, [{ what: "charge", ...charge }], now);
}

const plannedOf = (
  { eventDate, startsAt }: Terms,
  { startedAt, dueDay, round }: Pick<NonNullable<State["plan"]>, "startedAt" | "dueDay" | "round">,
) => planBalance({ eventDate, zone, startsAt, startedAt, dueDay, round });

/** Unrequested reports of the provider arrive more than once. */
const hearTwice = (terms: Terms, state: State, facts: readonly Fact[], now: Date): State =>
  [...facts, ...facts].reduce((known, fact) => hear(terms, known, fact, now), state);

/** Runs all deadlines until `until`. Throws if there is always another one. */
function run(terms: Terms, state: State, until: number): State {
  for (let count = 0; count < 90; count++) {
    const next = nextMoment(terms, state);
    if (!next || next.at > until) return state;
    clock = Math.max(clock, next.at);
    state = next.run(new Date(clock));
    money(terms, state);
  }
  throw new Error(`the clock finds work again and again: ${JSON.stringify(state.messages)}`);
}
let clock = begin;

/** Fails if more is refunded or paid out than was taken. */
function money(terms: Terms, state: State): void {
  for (const { id, amount } of state.charges.values()) expect(refundedOf(state, id)).toBeLessThanOrEqual(amount);
  expect(heldOf(terms, state)).toBeGreaterThanOrEqual(0);
}

export type Act =
  | { do: "pay"; kind: Kind; twice: boolean; wrong: boolean; refundPermille: number }
  | { do: "sign" | "decline"; side: ContractSide }
  | { do: "cancel"; by: "promoter" | "artist" | "admin" }
  | { do: "report" | "confirm" }
  | { do: "decide"; permille: number }
  | { do: "accept" | "decline request" | "withdraw consent" | "release" }
  | { do: "extend"; permille: number }
  | { do: "propose"; by: AgreementSide; permille: number | null }
  | { do: "answer"; accept: boolean }
  | { do: "withdraw proposal" }
  | { do: "dispute"; kind: Kind; half: boolean; inquiry: boolean }
  | { do: "bank"; outcome: "review" | "win" | "lose" };
type ReportedAct = Extract<Act, { do: "pay" | "dispute" | "bank" }>;
const isReported = (act: Act): act is ReportedAct => act.do === "pay" || act.do === "dispute" || act.do === "bank";

/** Applies a user's action if the rules allow it. */
function take(terms: Terms, state: State, act: Exclude<Act, ReportedAct>, now: Date): State {
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
    case "accept":
      if (!isAwaitingResponse({ status, answer_due_at: answerDue(terms) }, now)) return state;
      return told({ ...state, acceptedAt: now }, "accepted");
    case "decline request":
      if (!isAwaitingResponse({ status, answer_due_at: answerDue(terms) }, now)) return state;
      return end(terms, state, "nobody", now, "request_declined");
    case "withdraw consent":
      return state.consent === "given" && !isPaid(terms, state) ? { ...state, consent: "withdrawn" } : state;
    case "extend":
      return decides(terms, state, now) ? extend(terms, state, act.permille, now) : state;
    case "release":
      return decides(terms, state, now) ? end(terms, state, "promoter", now, "balance_unpaid") : state;
    case "propose": {
      if (state.proposal || !mayAgree(booking, now)) return state;
      const held = heldOf(terms, state);
      const refund = act.permille === null ? null : Math.floor((held * act.permille) / 1_000);
      return told(
        { ...state, proposal: { by: act.by, refund, held, expiresAt: expiryOf(now, terms.startsAt) } },
        "proposed",
      );
    }
    case "answer": {
      const { proposal } = state;
      if (!proposal || !mayAgree(booking, now)) return state;
      if (!act.accept) return told({ ...state, proposal: null }, "proposal refused");
      const held = heldOf(terms, state);
      if (proposal.refund !== null && proposal.held !== held) return state;
      const division = agreedDivision(held, proposal.refund ?? held, terms.commission_bps);
      return divide(terms, state, division, now, "force_majeure");
    }
    case "withdraw proposal":
      return state.proposal ? told({ ...state, proposal: null }, "proposal withdrawn") : state;
  }
}

const answerDue = (terms: Terms) => (terms.deposit_cents === 0 ? answerDueAt(new Date(begin), terms.startsAt) : null);

/** Returns true if the artist decides about an unpaid balance: after the last reminder, until the start of the event. */
const decides = (terms: Terms, state: State, now: Date) =>
  statusOf(terms, state) === "contract_signed" &&
  !isPaid(terms, state) &&
  state.plan?.last === "decision" &&
  terms.startsAt > now;

function extend(terms: Terms, state: State, permille: number, now: Date): State {
  const days = extensionDays(terms.eventDate, zone, now);
  if (!days || !state.plan) return state;
  const begun = {
    startedAt: now,
    dueDay: permille < 500 ? days.from : days.to,
    round: state.plan.round + 1,
  };
  const { next } = stepNow(plannedOf(terms, begun), { last: null, startsAt: terms.startsAt, now });
  return told({ ...state, plan: { ...begun, last: null, next: next ? next.at : null } }, `extended ${begun.round}`);
}

export type Life = { terms: Terms; acts: readonly { hour: number; act: Act }[] };

/** Plays a history. `order` decides the order and the repetition of the provider's reports of one moment. */
export function play({ terms, acts }: Life, order: (facts: readonly Fact[]) => readonly Fact[]): State {
  clock = begin;
  let state: State = {
    charges: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    acceptedAt: null,
    proposal: null,
    consent: terms.card === "not kept" || terms.deposit_cents === 0 ? null : "given",
    contract: "draft",
    signed: [],
    signBy: null,
    extended: false,
    report: "none",
    completedAt: null,
    canceledAt: null,
    released: null,
    plan: null,
    messages: [],
  };
  const past: Fact[] = [];
  for (const [index, { hour, act }] of acts.entries()) {
    const at = begin + hour * hourMs;
    state = run(terms, state, at);
    clock = Math.max(clock, at);
    const now = new Date(clock);
    if (!isReported(act)) state = take(terms, state, act, now);
    else {
      const facts = reportsOf(terms, state, act, index, clock);
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
  // Resolves what requires manual review. Nothing else may remain open.
  state = take(terms, state, { do: "decide", permille: 1_000 }, new Date(clock));
  return run(terms, state, Infinity);
}

function reportsOf(terms: Terms, state: State, act: ReportedAct, index: number, at: number): Fact[] {
  if (act.do === "pay") return factsOf(terms, state, act, index, at);
  if (act.do === "bank") return [...state.disputes.values()].flatMap((one) => bankFacts(one, act.outcome, at));
  const charge = applied(terms, state, act.kind);
  // The bank opens no second dispute while one is open, or after it has taken the money.
  const others = [...state.disputes.values()].filter((one) => one.charge === charge?.id);
  if (!charge || others.some(({ status }) => !isClosed(status) || status === "lost")) return [];
  const amount = act.half ? Math.ceil(charge.amount / 2) : charge.amount;
  return [disputeOpened({ id: `du_${index}`, charge: charge.id, amount }, { inquiry: act.inquiry, at })];
}

/** Returns the provider's reports of one checkout: charges, and a dashboard refund before a release. */
function factsOf(terms: Terms, state: State, act: Extract<Act, { do: "pay" }>, index: number, at: number): Fact[] {
  const owed = act.kind === "deposit" ? terms.deposit_cents : terms.balance_cents;
  const open = payableNow({ ...terms, status: statusOf(terms, state), balance_paid: isPaid(terms, state) });
  // An earlier checkout can be paid late: after the end, or a second time.
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
