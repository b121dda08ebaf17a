/** What may happen to a booking, as data: asked by the server and by every screen. */

/** The six statuses with the word and the paper of their badge, in the order of a booking's life. */
export const bookingStatuses = {
  initiated: { label: "Initiated", order: 0, tone: "buff" },
  deposit_paid: { label: "Deposit paid", order: 1, tone: "gold" },
  contract_sent: { label: "Contract sent", order: 2, tone: "blue" },
  contract_signed: { label: "Contract signed", order: 3, tone: "green" },
  completed: { label: "Completed", order: 4, tone: "green" },
  canceled: { label: "Canceled", order: 5, tone: "cherry" },
} as const;
export type BookingStatus = keyof typeof bookingStatuses;

/** The names alone, for filters and input shapes. */
export const bookingStatusNames = Object.keys(bookingStatuses) as [BookingStatus, ...BookingStatus[]];

/** The word of a status; other values are displayed as they are. */
export const bookingStatusLabel = (status: string): string =>
  Object.hasOwn(bookingStatuses, status) ? bookingStatuses[status as BookingStatus].label : status;

/** Which step leads where (design, section 5). A step that is not listed is refused. */
export const bookingFlow = {
  initiated: { payDeposit: "deposit_paid", cancel: "canceled" },
  deposit_paid: { sendContract: "contract_sent", cancel: "canceled" },
  contract_sent: { signContract: "contract_signed", cancel: "canceled" },
  contract_signed: { complete: "completed", cancel: "canceled" },
  completed: {},
  canceled: {},
} as const satisfies Record<BookingStatus, Record<string, BookingStatus>>;

export const bookingSteps = ["payDeposit", "sendContract", "signContract", "complete", "cancel"] as const;
export type BookingStep = (typeof bookingSteps)[number];

/** Where a step leads from a status, or undefined when it is not possible there. */
export function nextStatus(status: BookingStatus, step: BookingStep): BookingStatus | undefined {
  const steps: Partial<Record<BookingStep, BookingStatus>> = bookingFlow[status];
  return steps[step];
}

/** What is known about a booking. Each fact is stored once, with the moment it became true. */
export type BookingFacts = Readonly<{
  depositPaidAt: Date | null;
  contract: "draft" | "sent" | "signed" | "declined" | null;
  completedAt: Date | null;
  canceledAt: Date | null;
}>;

/** The status that follows from the facts, in whatever order they arrived. The only place where one is chosen. */
export function decideStatus(facts: BookingFacts): BookingStatus {
  if (facts.canceledAt) return "canceled";
  if (facts.completedAt) return "completed";
  if (!facts.depositPaidAt) return "initiated";
  if (facts.contract === "signed") return "contract_signed";
  return facts.contract === "sent" ? "contract_sent" : "deposit_paid";
}

/** Which payment a person can make now: the deposit at initiated, the balance once the contract is signed. */
export function payableNow(booking: {
  status: BookingStatus;
  deposit_cents: number;
  balance_cents: number;
  balance_paid: boolean;
}) {
  if (booking.status === "initiated" && booking.deposit_cents > 0) return "deposit" as const;
  if (booking.status === "contract_signed" && booking.balance_cents > 0 && !booking.balance_paid)
    return "balance" as const;
  return null;
}

/** Who may end a booking. */
export const cancelers = ["promoter", "artist", "admin", "system"] as const;
export type Canceler = (typeof cancelers)[number];
/** Why a booking was canceled by the clock or by a fact; a person's own words are stored as they are. */
export const cancelReasons = { dateLost: "date_lost", lapsed: "lapsed", moneyReturned: "money_returned" } as const;

/** A request arrived. */
export type BookingRequested = { bookingId: string };
/** A booking moved along its flow. */
export type BookingStatusChanged = { bookingId: string; from: BookingStatus; to: BookingStatus; cause: string };
/** Money came for a date that somebody else had taken meanwhile; it goes back in full. */
export type BookingDateLost = { bookingId: string; paymentId: string; amount: number; currency: string };
/** Money came that this booking does not owe; it goes back in full. */
export type BookingMoneyReturned = {
  bookingId: string;
  paymentId: string;
  amount: number;
  currency: string;
  reason: ReturnReason;
};
/** A hold ended without money: the date is free again. */
export type BookingHoldReleased = { bookingId: string; by: "checkout" | "artist" | "promoter" | "clock" };
/** The events of this room by their topic. */
export type BookingEvents = {
  "booking.requested": BookingRequested;
  "booking.status_changed": BookingStatusChanged;
  "booking.date_lost": BookingDateLost;
  "booking.money_returned": BookingMoneyReturned;
  "booking.hold_released": BookingHoldReleased;
};
export type ReturnReason = "date_lost" | "booking_canceled" | "event_over" | "wrong_amount" | "paid_twice";
