/** The model's state of a booking, with its status and the division of its money. Amounts are minor units. */

import { decideStatus, type policies, type Quote } from "#bookings/rules.ts";
import type { AgreementSide } from "#bookings/rules/force-majeure.rules.ts";
import type { BalanceStep } from "#bookings/rules/money/balance-plan.rules.ts";
import type { NoShowState } from "#bookings/rules/no-show.rules.ts";
import type { ContractSide } from "#contracts/rules.ts";
import { isClosed } from "#disputes/rules.ts";
import { splitByLargestRemainder } from "#platform/money.rules.ts";

export const unpaidBalanceDays = 30;
export const begin = Date.UTC(2027, 0, 10, 15);
export const zone = "UTC";
export const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

export type Terms = Quote & {
  policy: (typeof policies)[keyof typeof policies];
  startsAt: Date;
  endsAt: Date;
  eventDate: string;
  /** The promoter's consent to the automatic charge of the balance, and the saved card's behavior. */
  card: "not kept" | "works" | "declined";
};
export type Kind = "deposit" | "balance";
/** Provider state by id, so a repeated report changes nothing. */
export type Charge = { id: string; kind: Kind; amount: number; at: number };
/** A dispute at the provider. Reports are snapshots, of which the later one counts. */
export type DisputeReport = {
  id: string;
  charge: string;
  amount: number;
  status: string;
  /** What the bank took (negative) and returned, by the movement's reference. */
  movements: readonly (readonly [ref: string, amount: number])[];
  /** When the bank decides without an action. */
  decidesAt: number;
};
export type ProviderReport =
  | ({ what: "charge" } & Charge)
  | { what: "refund"; id: string; charge: string; amount: number }
  | ({ what: "dispute" } & DisputeReport);

/** A dispute as the booking stores it. `borne`: who bore the loss. */
export type Dispute = DisputeReport & {
  borne: { refunded: number; held: number; artist: number; commission: number; loss: number } | null;
};

/** The stored state of a booking, from which status and money are derived. Amounts are minor units. */
export type State = {
  charges: ReadonlyMap<string, Charge>;
  /** Refunds by cause: the provider's and ours. */
  refunds: ReadonlyMap<string, { charge: string; amount: number; sent: boolean }>;
  disputes: ReadonlyMap<string, Dispute>;
  acceptedAt: Date | null;
  proposal: { by: AgreementSide; refund: number | null; held: number; expiresAt: Date } | null;
  /** The consent to the automatic charge of the balance. It is used once. */
  consent: "given" | "withdrawn" | "used" | null;
  contract: "draft" | "sent" | "signed" | "declined";
  signed: readonly ContractSide[];
  signBy: Date | null;
  extended: boolean;
  report: NoShowState;
  completedAt: Date | null;
  canceledAt: Date | null;
  released: { artist: number; commission: number } | null;
  plan: {
    startedAt: Date;
    dueDay: string | null;
    round: number;
    last: BalanceStep | null;
    next: Date | null;
  } | null;
  messages: readonly string[];
};

export const sum = (values: Iterable<number>) => [...values].reduce((total, one) => total + one, 0);
export const withMessage = (state: State, message: string): State =>
  state.messages.includes(message) ? state : { ...state, messages: [...state.messages, message] };

/** Returns the charge that pays a part: the earliest of the right amount. */
export const applied = (terms: Terms, state: State, kind: Kind) =>
  [...state.charges.values()]
    .filter(
      (one) => one.kind === kind && one.amount === (kind === "deposit" ? terms.deposit_cents : terms.balance_cents),
    )
    .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))[0];
export const paidAt = (terms: Terms, state: State, kind: Kind) => {
  // Without a deposit the acceptance counts as its payment.
  if (kind === "deposit" && terms.deposit_cents === 0) return state.acceptedAt;
  const charge = applied(terms, state, kind);
  return charge ? new Date(charge.at) : null;
};
export const refundedOf = (state: State, charge: string) =>
  sum([...state.refunds.values()].filter((one) => one.charge === charge).map(({ amount }) => amount));
/** Returns what lost disputes of a charge took from its booking. */
export const lostOf = (state: State, charge: string) =>
  sum(
    [...state.disputes.values()]
      .filter((one) => one.charge === charge)
      .map(({ borne }) => (borne ? borne.held + borne.artist + borne.commission : 0)),
  );
export const left = (terms: Terms, state: State) =>
  (["deposit", "balance"] as const)
    .map((kind) => applied(terms, state, kind))
    .filter((charge) => charge !== undefined)
    .map((charge) => ({
      charge: charge.id,
      amount: charge.amount - refundedOf(state, charge.id) - lostOf(state, charge.id),
    }));
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
export const isPaid = (terms: Terms, state: State) =>
  terms.balance_cents === 0 || paidAt(terms, state, "balance") !== null;

/** Returns true during a dispute of the charge, when no refund is sent. */
export const isDisputed = (state: State, charge: string) =>
  [...state.disputes.values()].some((one) => one.charge === charge && !isClosed(one.status));

/** Plans a refund of an amount, split over the charges by the largest remainder. */
export function planRefund(terms: Terms, state: State, amount: number, cause: string): State {
  const open = left(terms, state);
  const shares = splitByLargestRemainder(
    amount,
    open.map((one) => one.amount),
  );
  const planned = open.map(
    ({ charge }, index) =>
      [`${cause} ${charge}`, { charge, amount: shares[index] ?? 0, sent: !isDisputed(state, charge) }] as const,
  );
  return { ...state, refunds: new Map([...state.refunds, ...planned.filter(([, refund]) => refund.amount > 0)]) };
}
