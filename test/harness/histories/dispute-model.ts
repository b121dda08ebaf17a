import { disputeStateOf, isClosed, isRealDispute, laterStatus } from "#disputes/rules.ts";
import { splitByLargestRemainder } from "#platform/money.rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import {
  type Dispute,
  type DisputeReport,
  type ProviderReport,
  heldOf,
  lostOf,
  refundedOf,
  type State,
  sum,
  type Terms,
  withMessage,
} from "./model-state.ts";

const answerMs = 9 * 24 * hourMs;
const reviewMs = 7 * 24 * hourMs;
const isInquiry = (status: string) => status.startsWith("warning_");
const report = (one: DisputeReport): ProviderReport => ({ what: "dispute", ...one });

/** Opens a dispute. An inquiry takes no money. */
export const disputeOpened = (
  of: { id: string; charge: string; amount: number },
  { inquiry, at }: { inquiry: boolean; at: number },
): ProviderReport =>
  report({
    ...of,
    status: inquiry ? "warning_needs_response" : "needs_response",
    movements: inquiry ? [] : [[`${of.id} out`, -of.amount]],
    decidesAt: at + answerMs,
  });

/** Returns the bank's report after an answer or a decision. Without an answer an inquiry becomes a dispute, which is then lost. */
export function bankReports(
  { borne: _borne, ...known }: Dispute,
  outcome: "review" | "win" | "lose" | "by itself",
  at: number,
): ProviderReport[] {
  if (isClosed(known.status)) return [];
  const inquiry = isInquiry(known.status);
  // Reports are identified by their status, so a second review would equal the first with another end.
  if (outcome === "review" && known.status.endsWith("under_review")) return [];
  if (outcome === "review")
    return [report({ ...known, status: inquiry ? "warning_under_review" : "under_review", decidesAt: at + reviewMs })];
  const wins = outcome === "win" || (outcome === "by itself" && known.status.endsWith("under_review"));
  if (wins && inquiry) return [report({ ...known, status: "warning_closed" })];
  if (wins)
    return [report({ ...known, status: "won", movements: [...known.movements, [`${known.id} in`, known.amount]] })];
  const open: DisputeReport = inquiry
    ? {
        ...known,
        status: "needs_response",
        movements: [[`${known.id} out`, -known.amount]],
        decidesAt: at + answerMs,
      }
    : known;
  const lost = { ...open, status: "lost" };
  if (!inquiry) return [report(lost)];
  return outcome === "lose" ? [report(open), report(lost)] : [report(open)];
}

const withdrawnOf = ({ movements }: DisputeReport) => Math.max(0, -sum(movements.map(([, amount]) => amount)));

/** Returns true if a payment of the booking is or was disputed, which prevents the automatic charge. */
export const hasOpenOrLost = (state: State) =>
  [...state.disputes.values()].some(({ status }) => !isClosed(status) || isRealDispute(status));

/** Applies a report. It is a snapshot: the later status counts, and each movement counts once, in any order. */
export function applyDisputeReport(
  terms: Terms,
  state: State,
  { what: _what, ...heard }: ProviderReport & { what: "dispute" },
): State {
  const known = state.disputes.get(heard.id);
  const status = known ? laterStatus(known.status, heard.status) : heard.status;
  const movements = new Map([...(known?.movements ?? []), ...heard.movements]);
  const later = status === heard.status ? heard : (known ?? heard);
  const dispute: Dispute = { ...later, status, movements: [...movements], borne: known?.borne ?? null };
  const put = (one: Dispute): State => ({ ...state, disputes: new Map([...state.disputes, [one.id, one]]) });
  const opened = withMessage(put(dispute), `dispute ${dispute.id} opened`);
  if (!isClosed(status)) return opened;
  const closed = withMessage(opened, `dispute ${dispute.id} ${disputeStateOf(status)}`);
  const isLoss = disputeStateOf(status) === "lost" && withdrawnOf(dispute) > 0 && dispute.borne === null;
  return sendWaiting(isLoss ? divideLoss(terms, closed, dispute) : closed, dispute.charge);
}

const sendWaiting = (state: State, charge: string): State => ({
  ...state,
  refunds: new Map(
    [...state.refunds].map(([cause, one]) => [cause, one.charge === charge ? { ...one, sent: true } : one]),
  ),
});

/** Divides a loss: unsent refunds, held money, artist and platform by their shares, then the platform. */
function divideLoss(terms: Terms, state: State, dispute: Dispute): State {
  const { charge } = dispute;
  const withdrawn = withdrawnOf(dispute);
  const waiting = [...state.refunds.values()].filter((one) => one.charge === charge && !one.sent);
  const refunded = Math.min(withdrawn, sum(waiting.map(({ amount }) => amount)));
  const rest = withdrawn - refunded;
  const amount = state.charges.get(charge)?.amount ?? 0;
  const takable = Math.min(rest, Math.max(0, amount - refundedOf(state, charge) - lostOf(state, charge)));
  const held = Math.min(takable, Math.max(0, heldOf(terms, state)));
  const { artist: artistHas = 0, commission: platformHas = 0 } = state.released ?? {};
  const [artist = 0, commission = 0] = splitByLargestRemainder(Math.min(takable - held, artistHas + platformHas), [
    artistHas,
    platformHas,
  ]);
  const borne = { refunded, held, artist, commission, loss: rest - held - artist - commission };
  return {
    ...state,
    disputes: new Map([...state.disputes, [dispute.id, { ...dispute, borne }]]),
    released: state.released && { artist: artistHas - artist, commission: platformHas - commission },
  };
}
