/** Every email by its name, as it stands in the messages table. */
import type { EmailContent } from "./email.ts";
import * as accounts from "./accounts.ts";
import * as balance from "./balance.ts";
import * as bookings from "./bookings.ts";
import * as requests from "./requests.ts";
import * as contracts from "./contracts.ts";
import * as contact from "./contact.ts";
import * as moneyEmails from "./money.ts";
import * as reviews from "./reviews.ts";

export const templates = {
  request_received: requests.requestReceived,
  new_request: requests.newRequest,
  booking_confirmation: bookings.bookingConfirmation,
  deposit_received: bookings.depositReceived,
  balance_received: bookings.balanceReceived,
  balance_reminder: balance.balanceReminder,
  balance_charge_planned: balance.balanceChargePlanned,
  balance_charge_failed: balance.balanceChargeFailed,
  balance_due: balance.balanceDue,
  balance_overdue: balance.balanceOverdue,
  balance_extended: balance.balanceExtended,
  balance_decision: balance.balanceDecision,
  contract_sent: contracts.contractSent,
  contract_reminder: contracts.contractReminder,
  contract_code: contracts.contractCode,
  contract_signed: contracts.contractSigned,
  contract_attested: contracts.contractAttested,
  objection_made: contracts.objectionMade,
  objection_decided: contracts.objectionDecided,
  payment_failed: bookings.paymentFailed,
  checkout_declined: bookings.checkoutDeclined,
  hold_ended: bookings.holdEnded,
  booking_link: bookings.bookingLink,
  date_lost: bookings.dateLost,
  refund_sent: bookings.refundSent,
  booking_canceled: bookings.bookingCanceled,
  review_invitation: reviews.reviewInvitation,
  reviews_published: reviews.reviewsPublished,
  money_returned: moneyEmails.moneyReturned,
  money_alarm: moneyEmails.moneyAlarm,
  no_show_reported: moneyEmails.noShowReported,
  no_show_decided: moneyEmails.noShowDecided,
  force_majeure: moneyEmails.forceMajeure,
  dispute_opened: moneyEmails.disputeOpened,
  dispute_closed: moneyEmails.disputeClosed,
  dispute_share_returned: moneyEmails.disputeShareReturned,
  payer_document: moneyEmails.payerDocument,
  paid_out: moneyEmails.paidOut,
  payout_taken_back: moneyEmails.payoutTakenBack,
  payout_bank_changed: moneyEmails.payoutBankChanged,
  payout_account_ended: moneyEmails.payoutAccountEnded,
  price_to_confirm: accounts.priceToConfirm,
  confirm_sign_up: accounts.confirmSignUp,
  sign_up_known: accounts.signUpKnown,
  recovery: accounts.recovery,
  magic_link: accounts.magicLink,
  email_change_new: accounts.emailChangeNew,
  email_change_old: accounts.emailChangeOld,
  email_changed: accounts.emailChanged,
  reauthentication: accounts.reauthentication,
  one_time_code: accounts.oneTimeCode,
  phone_changed: accounts.phoneChanged,
  password_changed: accounts.passwordChanged,
  session_stolen: accounts.sessionStolen,
  second_factor_changed: accounts.secondFactorChanged,
  recovery_codes_changed: accounts.recoveryCodesChanged,
  account_change_undone: accounts.accountChangeUndone,
  role_changed: accounts.roleChanged,
  account_suspended: accounts.accountSuspended,
  admin_notice: accounts.adminNotice,
  request_waits: accounts.requestWaits,
  admin_request_refused: accounts.adminRequestRefused,
  claim_decided: accounts.claimDecided,
  contact_message: contact.contactMessage,
  contact_acknowledgement: contact.contactAcknowledgement,
} as const;

export type TemplateName = keyof typeof templates;
export type TemplateParams<T extends TemplateName> = Parameters<(typeof templates)[T]>[0];

/** Writes the email of a template. Every email and SMS about a booking has its number (design, section 12). */
export function write<T extends TemplateName>(template: T, params: TemplateParams<T>): EmailContent {
  const writer = templates[template] as (params: TemplateParams<T>) => EmailContent;
  const email = writer(params);
  const number = "number" in params ? params.number : null;
  if (typeof number !== "string" || number === "") return email;
  const { sms, facts = [] } = email;
  const isNamed = facts.some(([, value]) => value === number);
  return {
    ...email,
    ...(isNamed ? {} : { facts: [...facts, ["Booking", number]] }),
    ...(sms === undefined || sms.includes(number) ? {} : { sms: `${number}: ${sms}` }),
  };
}

/** Emails that carry a link or code which opens an account or a payment: their text is forgotten once they are sent. */
export const secretTemplates: ReadonlySet<string> = new Set<TemplateName>([
  "confirm_sign_up",
  "recovery",
  "magic_link",
  "email_change_new",
  "email_change_old",
  "reauthentication",
  "one_time_code",
  "booking_link",
  "contract_sent",
  "contract_reminder",
  "contract_code",
  "email_changed",
  "phone_changed",
  "password_changed",
  "second_factor_changed",
  "recovery_codes_changed",
]);

const titles: Partial<Record<string, string>> = {
  sign_up_known: "Account",
  email_changed: "Account",
  one_time_code: "One-time code",
  contract_code: "One-time code",
};

/** The template's name for people: booking_confirmation is "Booking Confirmation". */
export const templateTitle = (name: string): string =>
  titles[name] ?? name.replaceAll("_", " ").replaceAll(/\b\w/g, (initial) => initial.toUpperCase());
