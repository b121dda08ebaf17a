import { type ContractSide, contractSides, type ContractStatus, sidesInTurn } from "#contracts/rules.ts";
import { chargeable, isCurrency, type PaymentKind } from "#payments/rules.ts";
import { isAwaitingResponse } from "./acceptance.rules.ts";
import type { CompletionBlock } from "./completion.rules.ts";
import { type BookingStatus, type Canceler, mayCancel, mayTakeStep, payableNow } from "./flow.rules.ts";
import { mayDecideNoShow, mayReportNoShow, mayStateNoShow, type NoShowState } from "./no-show.rules.ts";

/** The viewer's relation to one booking. A user can have several, and an unrelated viewer has none. */
export type Relation = Readonly<{
  promoter: boolean;
  /** The browser has the booking key, but the mailbox was not verified in it. The promoter may then only read and pay. */
  mailboxUnverified?: boolean;
  artist: boolean;
  admin: boolean;
}>;

export type PermissionInput = Readonly<{
  status: BookingStatus;
  currency: string;
  deposit_cents: number;
  balance_cents: number;
  balance_paid_at: Date | null;
  starts_at: Date;
  ends_at: Date;
  artist_active: boolean;
  answer_due_at?: Date | null;
  contract_status: ContractStatus | null;
  signed_sides?: readonly ContractSide[] | null;
  first_signer?: ContractSide | null;
  /** The reminders have ended, and the artist decides about the balance. */
  balance_decision?: boolean | null;
  needs_confirmation?: boolean;
  held: boolean;
  no_show?: NoShowState | null;
  no_show_stated?: boolean | null;
  completion_block?: CompletionBlock | null;
  /** The promoter's own objection is open. An artist's does not stop the promoter from canceling. */
  promoter_objects?: boolean;
}>;

/** When permissions are read. `payments`: a card provider is set up. */
export type ReadingTime = Readonly<{ now: Date; payments: boolean }>;

/** Returns true if a card can pay the amount. Providers refuse amounts below their minimum. */
export const cardCanPay = (currency: string, amount: number): boolean =>
  isCurrency(currency) && chargeable(amount, currency) > 0;

type OpenRequest = Pick<PermissionInput, "status" | "currency" | "deposit_cents" | "answer_due_at"> &
  Readonly<{ fee_cents: number }>;

/** Returns true for an open request that cannot be paid or accepted on the site: the price is on request, or no card provider is set up, or none was when it was sent without a deposit. The artist answers it by email. */
export const isAnsweredByEmail = (booking: OpenRequest, payments: boolean): boolean =>
  booking.status === "initiated" &&
  (!payments ||
    !cardCanPay(booking.currency, booking.fee_cents) ||
    (booking.deposit_cents === 0 && booking.answer_due_at === null));

/** Returns true if no balance can be paid: none, already paid, or below the least card payment (decision 210). The show can then be completed. */
export const isBalanceSettled = (booking: Pick<PermissionInput, "currency" | "balance_cents" | "balance_paid_at">) =>
  booking.balance_paid_at !== null || !cardCanPay(booking.currency, booking.balance_cents);

export const unpayableReasons = ["payments_not_set_up", "too_small"] as const;
export type UnpayableReason = (typeof unpayableReasons)[number];

/** Returns why the open balance cannot be paid, or null if it can or nothing is due. It is never the promoter's breach (decision 210). */
export function unpayableBalance(
  { status, ...booking }: Pick<PermissionInput, "status" | "currency" | "balance_cents" | "balance_paid_at">,
  payments: boolean,
): UnpayableReason | null {
  if (booking.balance_cents === 0 || booking.balance_paid_at || status === "canceled" || status === "completed")
    return null;
  if (!cardCanPay(booking.currency, booking.balance_cents)) return "too_small";
  return payments ? null : "payments_not_set_up";
}

/** Returns the payment that is due and can be made by card now. An open objection to the contract stops it. */
function duePayment(input: PermissionInput, at: ReadingTime): PaymentKind | null {
  const kind = input.completion_block === "objection" ? null : payableNow(input);
  if (!kind || !at.payments || input.needs_confirmation) return null;
  if (kind === "deposit" && (input.starts_at <= at.now || !input.artist_active)) return null;
  return cardCanPay(input.currency, kind === "deposit" ? input.deposit_cents : input.balance_cents) ? kind : null;
}

/** From the deposit on. Before the signatures the link can be created, after them it can be paid. */
export const balanceLinkStatuses: ReadonlySet<BookingStatus> = new Set<BookingStatus>([
  "deposit_paid",
  "contract_sent",
  "contract_signed",
]);

/** Returns the role of a caller with several relations to the booking. The promoter comes first, because canceling can cost them money. */
export const cancelerOf = ({ promoter, artist, admin }: Relation): Exclude<Canceler, "system" | "both"> | undefined =>
  promoter ? "promoter" : artist ? "artist" : admin ? "admin" : undefined;

export type Permissions = ReturnType<typeof permissionsOf>;

export function permissionsOf(relation: Relation, input: PermissionInput, at: ReadingTime) {
  const { promoter, artist, admin } = relation;
  const verifiedPromoter = promoter && !relation.mailboxUnverified;
  const { status } = input;
  const canceler = cancelerOf(relation);
  const waitsForSignature = input.contract_status === "sent";
  const unsigned = contractSides.filter((side) => !input.signed_sides?.includes(side));
  const turn = sidesInTurn(input.first_signer ?? null, unsigned);
  return {
    pay: promoter || admin ? duePayment(input, at) : null,
    confirm_request: promoter && input.needs_confirmation === true && status === "initiated",
    release_own_hold: (promoter || admin) && input.held,
    release: artist && input.held,
    answer: artist && isAwaitingResponse(input, at.now),
    sign:
      waitsForSignature &&
      ((promoter && turn.includes("promoter") && mayTakeStep("signContract", status, "promoter")) ||
        (artist && turn.includes("artist") && mayTakeStep("signContract", status, "artist"))),
    mark_signed: waitsForSignature && admin && mayTakeStep("signContract", status, "admin"),
    create_balance_link:
      artist &&
      balanceLinkStatuses.has(status) &&
      input.balance_cents > 0 &&
      input.balance_paid_at === null &&
      input.completion_block !== "objection" &&
      unpayableBalance(input, at.payments) === null,
    decide_balance:
      artist &&
      status === "contract_signed" &&
      input.balance_paid_at === null &&
      input.balance_decision === true &&
      input.completion_block !== "objection" &&
      unpayableBalance(input, at.payments) === null &&
      input.starts_at > at.now,
    complete:
      verifiedPromoter &&
      (input.completion_block ?? null) === null &&
      mayTakeStep("complete", status, "promoter") &&
      input.ends_at <= at.now &&
      isBalanceSettled(input),
    cancel:
      canceler !== undefined &&
      !(canceler === "promoter" && (relation.mailboxUnverified || input.promoter_objects)) &&
      mayCancel(input, canceler, at.now),
    report_no_show: verifiedPromoter && mayReportNoShow(input, input.no_show ?? "decided", at.now),
    state_no_show: artist && mayStateNoShow(input, input.no_show ?? "none", input.no_show_stated ?? false),
    decide_no_show: admin && input.completion_block !== "objection" && mayDecideNoShow(input, input.no_show ?? "none"),
  };
}
