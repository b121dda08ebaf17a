/** The lifecycle of a booking as data. The server checks it before every change, and screens use it through `can` in responses. */

import type { HoldEndedBy } from "#calendar/checkout-hold.rules.ts";
import type { ContractStatus } from "#contracts/rules.ts";
import type { Division } from "./cancellation/cancellation.rules.ts";
import type { ForceMajeureChanged } from "./force-majeure.rules.ts";
import type { NoShowDecided, NoShowReported } from "./no-show.rules.ts";

export const bookingStatuses = {
  initiated: { label: "Initiated", order: 0, tone: "buff" },
  deposit_paid: { label: "Deposit paid", order: 1, tone: "gold" },
  contract_sent: { label: "Contract sent", order: 2, tone: "blue" },
  contract_signed: { label: "Contract signed", order: 3, tone: "green" },
  completed: { label: "Completed", order: 4, tone: "green" },
  canceled: { label: "Canceled", order: 5, tone: "cherry" },
} as const;
export type BookingStatus = keyof typeof bookingStatuses;

export const bookingStatusNames = Object.keys(bookingStatuses) as [BookingStatus, ...BookingStatus[]];

export const bookingStatusLabel = (status: string): string =>
  Object.hasOwn(bookingStatuses, status) ? bookingStatuses[status as BookingStatus].label : status;

export const lifecycleActors = ["promoter", "artist", "admin", "system", "provider", "both"] as const;
export type LifecycleActor = (typeof lifecycleActors)[number];

type Transition = Readonly<{ from: readonly BookingStatus[]; to: BookingStatus; by: readonly LifecycleActor[] }>;

/** Every transition of the status with its allowed actors (decision 6). */
export const transitions = {
  payDeposit: { from: ["initiated"], to: "deposit_paid", by: ["provider"] },
  // Without a deposit: the artist accepts, and the deposit of 0 counts as paid.
  acceptRequest: { from: ["initiated"], to: "deposit_paid", by: ["artist"] },
  sendContract: { from: ["deposit_paid"], to: "contract_sent", by: ["system"] },
  // The last signature: a party's on the platform, a signing provider's report, or an admin's attestation.
  signContract: { from: ["contract_sent"], to: "contract_signed", by: ["promoter", "artist", "admin", "provider"] },
  // An admin annuls an attested signature after a party's objection, and the parties sign again.
  annulSignature: { from: ["contract_signed"], to: "contract_sent", by: ["admin"] },
  complete: { from: ["contract_signed"], to: "completed", by: ["promoter", "system"] },
  cancel: {
    from: ["initiated", "deposit_paid", "contract_sent", "contract_signed"],
    to: "canceled",
    // "both": promoter and artist agree that neither is at fault (force majeure), from the booked date until the show begins.
    by: ["promoter", "artist", "admin", "system", "both"],
  },
} as const satisfies Record<string, Transition>;
export type BookingStep = keyof typeof transitions;
export const bookingSteps = Object.keys(transitions) as [BookingStep, ...BookingStep[]];

export function mayTakeStep(step: BookingStep, status: BookingStatus, by: LifecycleActor): boolean {
  const { from, by: actors }: Transition = transitions[step];
  return from.includes(status) && actors.includes(by);
}

/** Once the show of a signed booking has begun, neither party can cancel: the promoter reports a no-show, and an admin decides. */
export const mayCancel = (
  { status, starts_at: startsAt }: Readonly<{ status: BookingStatus; starts_at: Date }>,
  by: LifecycleActor,
  now: Date,
): boolean =>
  mayTakeStep("cancel", status, by) &&
  !(status === "contract_signed" && startsAt <= now && (by === "promoter" || by === "artist"));

export const stepsBetween = (from: BookingStatus, to: BookingStatus): BookingStep[] =>
  bookingSteps.filter((step) => {
    const transition: Transition = transitions[step];
    return transition.to === to && transition.from.includes(from);
  });

/** Throws an Error if the table has no such transition, or not for this actor. That is a programming error. */
export function assertTransition(from: BookingStatus, to: BookingStatus, by: LifecycleActor): void {
  const steps = stepsBetween(from, to);
  if (steps.length === 0) throw new Error(`no transition leads from ${from} to ${to}`);
  if (!steps.some((step) => mayTakeStep(step, from, by)))
    throw new Error(`the transition ${steps.join(", ")} is not for the ${by}`);
}

/** The stored state of a booking that determines its status. Each timestamp is set once. */
export type BookingState = Readonly<{
  depositPaidAt: Date | null;
  contract: ContractStatus | null;
  completedAt: Date | null;
  canceledAt: Date | null;
}>;

/** Derives the status from the stored state, regardless of event order. The only function that chooses a status. */
export function decideStatus(state: BookingState): BookingStatus {
  if (state.canceledAt) return "canceled";
  if (state.completedAt) return "completed";
  if (!state.depositPaidAt) return "initiated";
  if (state.contract === "signed") return "contract_signed";
  return state.contract === "sent" ? "contract_sent" : "deposit_paid";
}

/** Returns the payment that can be made now: the deposit at initiated, the balance once the contract is signed. */
export function payableNow(booking: {
  status: BookingStatus;
  deposit_cents: number;
  balance_cents: number;
  balance_paid_at: Date | null;
}) {
  if (booking.status === "initiated" && booking.deposit_cents > 0) return "deposit" as const;
  if (booking.status === "contract_signed" && booking.balance_cents > 0 && booking.balance_paid_at === null)
    return "balance" as const;
  return null;
}

export const cancelers = transitions.cancel.by;
export type Canceler = (typeof cancelers)[number];

export const cancelCodeText = {
  date_lost: "The date is no longer available.",
  expired: "The deposit was not paid before the event began.",
  unanswered: "The artist did not answer in time.",
  request_declined: "The artist declined the request.",
  money_returned: "The deposit was refunded.",
  contract_declined: "The contract was declined.",
  contract_expired: "The contract was not signed in time.",
  balance_unpaid: "The balance was not paid.",
  replaced: "Another request for the same night replaced it.",
  not_requested: "The owner of the email address did not confirm the request.",
  plans_changed: "The event will not take place.",
  date_changed: "The date has moved.",
  cannot_perform: "The artist cannot perform.",
  terms_broken: "The booking broke our terms.",
  no_show: "The promoter reported that the artist did not appear.",
  signature_withdrawn: "After an objection, the attested signature of the contract was withdrawn.",
  force_majeure: "Both agreed that an event outside their control makes it impossible.",
  other: "Another reason.",
} as const;
export type CancelCode = keyof typeof cancelCodeText;
export const cancelCodes = Object.keys(cancelCodeText) as [CancelCode, ...CancelCode[]];

export const cancelCodesOf = {
  promoter: ["plans_changed", "date_changed", "other"],
  artist: ["cannot_perform", "other"],
  admin: ["plans_changed", "terms_broken", "other"],
} as const satisfies Partial<Record<Canceler, readonly CancelCode[]>>;
/** The artist's reason that leaves the night blocked in the artist's calendar. All others make the date free again. */
export const blockingCancelCode = "cannot_perform" satisfies CancelCode;

const codesOfOtherActions: Readonly<Record<Canceler, readonly CancelCode[]>> = {
  promoter: ["contract_declined"],
  artist: ["contract_declined", "balance_unpaid", "request_declined"],
  admin: ["no_show", "signature_withdrawn"],
  both: ["force_majeure"],
  system: [
    "date_lost",
    "expired",
    "unanswered",
    "request_declined",
    "money_returned",
    "contract_declined",
    "contract_expired",
    "balance_unpaid",
    "replaced",
    "not_requested",
  ],
};

export const isChosenCode = (by: Canceler, code: CancelCode): boolean =>
  by !== "system" && by !== "both" && (cancelCodesOf[by] as readonly CancelCode[]).includes(code);

export const isCancelCodeOf = (by: Canceler, code: CancelCode): boolean =>
  isChosenCode(by, code) || codesOfOtherActions[by].includes(code);

/** `hold`: the night is on hold for the promoter until `until`. If the artist made the request, the hold's email contains the details. `confirmed`: the promoter has confirmed an earlier request, and the artist can answer it now. */
export type BookingRequested = {
  bookingId: string;
  hold?: { by: "promoter" | "artist"; until: string };
  confirmed?: true;
};
/** A status change. `cause` is the transition, or the code of a cancellation. `division` is the division of the money, in cents. */
export type BookingStatusChanged = {
  bookingId: string;
  from: BookingStatus;
  to: BookingStatus;
  by: LifecycleActor;
  cause: string;
  division?: Division;
};
/** A payment arrived after another booking got the date. `amount` is the scheduled refund, in minor units. */
export type BookingDateLost = { bookingId: string; paymentId: string; amount: number; currency: string };
/** A payment arrived that is not due for this booking. `amount` is the scheduled refund, in minor units. */
export type BookingMoneyReturned = {
  bookingId: string;
  paymentId: string;
  amount: number;
  currency: string;
  reason: ReturnReason;
};
/** A hold ended without payment, and the date is free. `checkout`: its checkout ended at the provider. */
export type BookingHoldReleased = { bookingId: string; by: HoldEndedBy; endedAt?: string };
export type BookingEvents = {
  "booking.requested": BookingRequested;
  "booking.status_changed": BookingStatusChanged;
  "booking.date_lost": BookingDateLost;
  "booking.money_returned": BookingMoneyReturned;
  "booking.hold_released": BookingHoldReleased;
  "booking.no_show_reported": NoShowReported;
  "booking.no_show_decided": NoShowDecided;
  "booking.force_majeure": ForceMajeureChanged;
};
export type ReturnReason = "date_lost" | "booking_canceled" | "event_over" | "wrong_amount" | "paid_twice";
