/**
 * A booking decided by the pure rules alone. Provider state, user actions and time change its state. New features need a
 * kind of `ProviderReport` or `Action` here, with its effect on the state.
 */

import { expect } from "vitest";
import {
  answerDueAt,
  completionHours,
  isAwaitingResponse,
  mayCancel,
  mayTakeStep,
  payableNow,
} from "#bookings/rules.ts";
import { agreedDivision, type AgreementSide, expiryOf, mayAgree } from "#bookings/rules/force-majeure.rules.ts";
import { extensionDays, planBalance, stepNow } from "#bookings/rules/money/balance-plan.rules.ts";
import { balanceDueDay } from "#bookings/rules/money/due-day.rules.ts";
import { mayDecideNoShow, mayReportNoShow } from "#bookings/rules/no-show.rules.ts";
import { contractSides, type ContractSide, extendedEnd, windowEnd } from "#contracts/rules.ts";
import { isClosed } from "#disputes/rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { bankReports, disputeOpened, hasOpenOrLost } from "./dispute-model.ts";
import {
  applied,
  begin,
  type ProviderReport,
  planRefund,
  heldOf,
  isPaid,
  type Kind,
  refundedOf,
  type State,
  statusOf,
  type Terms,
  withMessage,
  unpaidBalanceDays,
  zone,
} from "./model-state.ts";
import { divide, end, applyReport, release, returnUnowed } from "./money-model.ts";

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
        run: (now) => applyTwice(terms, state, bankReports(dispute, "by itself", now.getTime()), now),
      });
  if (state.proposal)
    moments.push({
      at: state.proposal.expiresAt.getTime(),
      run: () => withMessage({ ...state, proposal: null }, "proposal expired"),
    });
  if (status === "deposit_paid")
    moments.push({
      at: 0,
      run: (now) =>
        startsAt <= now
          ? end(terms, state, "nobody", now, "contract_expired")
          : withMessage({ ...state, contract: "sent", signBy: windowEnd(now, startsAt) }, "contract sent"),
    });
  if (status === "contract_sent" && state.signBy) {
    const { signBy } = state;
    const later = extendedEnd({ expires_at: signBy, extended_at: state.extended ? signBy : null }, startsAt);
    const open = contractSides.filter((side) => !state.signed.includes(side));
    const fault = open.length === 1 && open[0] ? open[0] : "nobody";
    moments.push({
      at: signBy.getTime(),
      run: (now) =>
        later && later > now
          ? withMessage({ ...state, signBy: later, extended: true }, "contract extended")
          : end(terms, state, fault, now, "contract_expired"),
    });
  }
  if (status === "contract_signed" && state.report !== "open") {
    if (isPaid(terms, state))
      moments.push({
        at: endsAt.getTime() + completionHours * hourMs,
        run: (now) => withMessage(release(terms, { ...state, completedAt: now }), "completed"),
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
    return withMessage(after, `balance ${step} ${plan.round}`);
  const tried: State = { ...after, consent: "used" };
  if (terms.card === "declined") return withMessage(tried, "the saved card was declined");
  const charge = { id: "ch_saved_card", kind: "balance" as const, amount: terms.balance_cents, at: now.getTime() };
  return applyTwice(terms, tried, [{ what: "charge", ...charge }], now);
}

const plannedOf = (
  { startsAt }: Terms,
  { startedAt, dueDay, round }: Pick<NonNullable<State["plan"]>, "startedAt" | "dueDay" | "round">,
) => planBalance({ time_zone: zone, starts_at: startsAt }, { started_at: startedAt, due_day: dueDay, round });

/** Unrequested reports of the provider arrive more than once. */
const applyTwice = (terms: Terms, state: State, reports: readonly ProviderReport[], now: Date): State =>
  [...reports, ...reports].reduce((known, report) => applyReport(terms, known, report, now), state);

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

export type Action =
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
type ReportedAction = Extract<Action, { do: "pay" | "dispute" | "bank" }>;
const isReported = (action: Action): action is ReportedAction =>
  action.do === "pay" || action.do === "dispute" || action.do === "bank";

/** Applies a user's action if the rules allow it. */
function applyAction(terms: Terms, state: State, action: Exclude<Action, ReportedAction>, now: Date): State {
  const status = statusOf(terms, state);
  const booking = { status, starts_at: terms.startsAt, ends_at: terms.endsAt };
  switch (action.do) {
    case "sign": {
      if (status !== "contract_sent" || state.signed.includes(action.side)) return state;
      const signed = [...state.signed, action.side];
      const all = contractSides.every((side) => signed.includes(side));
      return all ? withMessage({ ...state, signed, contract: "signed" }, "signed") : { ...state, signed };
    }
    case "decline":
      if (status !== "contract_sent") return state;
      return end(terms, { ...state, contract: "declined" }, action.side, now, "contract_declined");
    case "cancel":
      if (!mayCancel(booking, action.by, now)) return state;
      return end(terms, state, action.by === "admin" ? "nobody" : action.by, now, action.by);
    case "report":
      return mayReportNoShow(booking, state.report, now)
        ? withMessage({ ...state, report: "open" }, "reported")
        : state;
    case "confirm":
      if (!mayTakeStep("complete", status, "promoter") || terms.endsAt > now) return state;
      if (!isPaid(terms, state) || state.report === "open") return state;
      return withMessage(release(terms, { ...state, completedAt: now }), "completed");
    case "decide": {
      if (!mayDecideNoShow(booking, state.report)) return state;
      const held = heldOf(terms, state);
      const kept = Math.floor((held * action.permille) / 1_000);
      if (kept === 0) return end(terms, { ...state, report: "decided" }, "artist", now, "no_show");
      if (!isPaid(terms, state)) return kept === held ? { ...state, report: "decided" } : state;
      const back = planRefund(terms, { ...state, report: "decided", completedAt: now }, held - kept, "no_show");
      return withMessage(release(terms, back), "completed");
    }
    case "accept":
      if (!isAwaitingResponse({ status, answer_due_at: answerDue(terms) }, now)) return state;
      return withMessage({ ...state, acceptedAt: now }, "accepted");
    case "decline request":
      if (!isAwaitingResponse({ status, answer_due_at: answerDue(terms) }, now)) return state;
      return end(terms, state, "nobody", now, "request_declined");
    case "withdraw consent":
      return state.consent === "given" && !isPaid(terms, state) ? { ...state, consent: "withdrawn" } : state;
    case "extend":
      return decides(terms, state, now) ? extend(terms, state, action.permille, now) : state;
    case "release":
      return decides(terms, state, now) ? end(terms, state, "promoter", now, "balance_unpaid") : state;
    case "propose": {
      if (state.proposal || !mayAgree(booking, now)) return state;
      const held = heldOf(terms, state);
      const refund = action.permille === null ? null : Math.floor((held * action.permille) / 1_000);
      return withMessage(
        { ...state, proposal: { by: action.by, refund, held, expiresAt: expiryOf(now, terms.startsAt) } },
        "proposed",
      );
    }
    case "answer": {
      const { proposal } = state;
      if (!proposal || !mayAgree(booking, now)) return state;
      if (!action.accept) return withMessage({ ...state, proposal: null }, "proposal refused");
      const held = heldOf(terms, state);
      if (proposal.refund !== null && proposal.held !== held) return state;
      const division = agreedDivision(held, proposal.refund ?? held, terms.commission_bps);
      return divide(terms, state, division, now, "force_majeure");
    }
    case "withdraw proposal":
      return state.proposal ? withMessage({ ...state, proposal: null }, "proposal withdrawn") : state;
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
  return withMessage(
    { ...state, plan: { ...begun, last: null, next: next ? next.at : null } },
    `extended ${begun.round}`,
  );
}

export type Life = { terms: Terms; actions: readonly { hour: number; action: Action }[] };

/** Plays a history. `order` decides the order and the repetition of the provider's reports of one moment. */
export function play(
  { terms, actions }: Life,
  order: (reports: readonly ProviderReport[]) => readonly ProviderReport[],
): State {
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
  const past: ProviderReport[] = [];
  for (const [index, { hour, action }] of actions.entries()) {
    const at = begin + hour * hourMs;
    state = run(terms, state, at);
    clock = Math.max(clock, at);
    const now = new Date(clock);
    if (!isReported(action)) state = applyAction(terms, state, action, now);
    else {
      const reports = reportsOf(terms, state, action, index, clock);
      for (const report of order([...past, ...reports])) state = applyReport(terms, state, report, now);
      for (const report of reports) state = applyReport(terms, state, report, now);
      state = returnUnowed(terms, state);
      past.push(...reports);
    }
    money(terms, state);
  }
  const last = terms.endsAt.getTime() + (unpaidBalanceDays + 1) * 24 * hourMs;
  state = run(terms, state, Math.max(last - 20 * 24 * hourMs, clock));
  clock = Math.max(clock, last - 20 * 24 * hourMs);
  // Resolves what requires manual review. Nothing else may remain open.
  state = applyAction(terms, state, { do: "decide", permille: 1_000 }, new Date(clock));
  return run(terms, state, Infinity);
}

function reportsOf(terms: Terms, state: State, action: ReportedAction, index: number, at: number): ProviderReport[] {
  if (action.do === "pay") return paymentReports(terms, state, action, index, at);
  if (action.do === "bank") return [...state.disputes.values()].flatMap((one) => bankReports(one, action.outcome, at));
  const charge = applied(terms, state, action.kind);
  // The bank opens no second dispute while one is open, or after it has taken the money.
  const others = [...state.disputes.values()].filter((one) => one.charge === charge?.id);
  if (!charge || others.some(({ status }) => !isClosed(status) || status === "lost")) return [];
  const amount = action.half ? Math.ceil(charge.amount / 2) : charge.amount;
  return [disputeOpened({ id: `du_${index}`, charge: charge.id, amount }, { inquiry: action.inquiry, at })];
}

/** Returns the provider's reports of one checkout: charges, and a dashboard refund before a release. */
function paymentReports(
  terms: Terms,
  state: State,
  action: Extract<Action, { do: "pay" }>,
  index: number,
  at: number,
): ProviderReport[] {
  const owed = action.kind === "deposit" ? terms.deposit_cents : terms.balance_cents;
  const balance_paid_at = isPaid(terms, state) ? new Date(at) : null;
  const open = payableNow({ ...terms, status: statusOf(terms, state), balance_paid_at });
  // An earlier checkout can be paid late: after the end, or a second time.
  if (open !== action.kind && !state.charges.size && state.canceledAt === null) return [];
  if (owed === 0 || (action.kind === "balance" && state.contract !== "signed")) return [];
  const charge = { what: "charge" as const, id: `ch_${index}`, kind: action.kind, amount: owed, at };
  const reports: ProviderReport[] = [action.wrong ? { ...charge, amount: owed + 1 } : charge];
  if (action.twice) reports.push({ ...charge, id: `ch_${index}_again`, at: at + 1_000 });
  const back = Math.floor((owed * action.refundPermille) / 1_000);
  const isFirst = applied(terms, state, action.kind) === undefined && state.canceledAt === null;
  if (back > 0 && isFirst && !action.wrong && !action.twice && open === action.kind)
    reports.push({ what: "refund", id: `re_${index}`, charge: charge.id, amount: back });
  return reports;
}
