/** The destinations of each email's link. A template without an entry does not compile. An empty list means no link. */

import type { TemplateName } from "#notifications/index.ts";
import { paths } from "#platform/site-paths.rules.ts";

/** A booking's pages for the promoter's account, for a guest and for the artist. */
const bookingOfPromoter = [paths.promoterArea.booking(":id"), paths.guestBooking(":id")];
const bookingOfArtist = [paths.artistArea.booking(":id")];
const booking = [...bookingOfPromoter, ...bookingOfArtist];
const payBalance = [paths.pay(":id", "balance")];
const pay = [paths.pay(":id", "deposit"), paths.pay(":id", "balance")];
const confirm = [paths.confirm];
/** Pages to undo an account change, or to set a new password. */
const undo = [paths.undoChange, paths.forgotPassword];

export const linkDestinations: Readonly<Record<TemplateName, readonly string[]>> = {
  request_received: [...pay, ...bookingOfPromoter],
  new_request: bookingOfArtist,
  booking_confirmation: booking,
  deposit_received: booking,
  balance_received: booking,
  balance_reminder: payBalance,
  balance_charge_planned: bookingOfPromoter,
  balance_charge_failed: payBalance,
  balance_due: payBalance,
  balance_overdue: payBalance,
  balance_ends: [...payBalance, ...bookingOfArtist],
  balance_extended: payBalance,
  balance_decision: bookingOfArtist,
  contract_sent: [paths.sign(":token")],
  contract_reminder: [paths.sign(":token")],
  contract_signed: booking,
  contract_attested: booking,
  objection_made: booking,
  objection_decided: booking,
  payment_failed: [...pay, ...bookingOfPromoter],
  checkout_declined: [...pay, ...bookingOfPromoter],
  hold_ended: bookingOfPromoter,
  hold_changed: [
    paths.pay(":id", "deposit"),
    ...bookingOfPromoter,
    paths.promoterArea.holds,
    paths.artistArea.bookings,
  ],
  booking_link: [paths.guestBooking(":id"), paths.promoterArea.booking(":id")],
  date_lost: [paths.book(":slug"), paths.artist(":slug")],
  refund_sent: bookingOfPromoter,
  refund_failed: bookingOfPromoter,
  booking_canceled: booking,
  review_invitation: booking,
  reviews_published: booking,
  review_changed: booking,
  money_returned: bookingOfPromoter,
  money_alarm: [paths.admin.booking(":id"), paths.admin.payments],
  show_confirmation: bookingOfPromoter,
  no_show_reported: bookingOfArtist,
  no_show_stated: bookingOfPromoter,
  no_show_decided: booking,
  force_majeure: booking,
  payer_document: [],
  payer_refund_failed: [],
  refund_reduces_share: bookingOfArtist,
  paid_out: bookingOfArtist,
  dispute_opened: booking,
  dispute_closed: booking,
  dispute_share_returned: bookingOfArtist,
  payout_taken_back: bookingOfArtist,
  payout_awaits_account: [paths.artistArea.payouts],
  payout_awaits_refund: [paths.artistArea.payouts],
  payout_bank_changed: [paths.artistArea.payouts],
  payout_bank_failed: [paths.artistArea.payouts],
  payout_account_restricted: [paths.artistArea.payouts],
  payout_account_ended: [paths.artistArea.payouts],
  calendar_failing: [paths.artistArea.calendar],
  calendar_conflict: bookingOfArtist,
  calendar_connection_failing: [paths.artistArea.calendar, paths.promoterArea.settings("calendar")],
  price_to_confirm: [paths.artistArea.profile],
  confirm_sign_up: confirm,
  sign_up_known: [paths.signIn],
  recovery: confirm,
  magic_link: confirm,
  email_change_new: confirm,
  email_change_old: confirm,
  email_changed: undo,
  reauthentication: [],
  one_time_code: [],
  contract_code: [],
  phone_changed: undo,
  password_changed: undo,
  session_stolen: [paths.forgotPassword],
  second_factor_changed: undo,
  recovery_codes_changed: undo,
  recovery_code_used: undo,
  identity_added: undo,
  account_change_undone: [paths.forgotPassword],
  role_changed: [paths.dashboard],
  account_deleted: [],
  account_suspended: [paths.contact, paths.signIn],
  admin_notice: [paths.admin.users],
  request_waits: [paths.admin.users],
  admin_request_refused: [paths.dashboard],
  claim_decided: [paths.artistArea.overview],
  contact_message: [],
  contact_acknowledgement: [],
};

/** Returns true if the template's link may lead to this URL or path. */
export function mayLeadTo(template: TemplateName, address: string): boolean {
  const { pathname } = new URL(address, "http://site.invalid");
  return linkDestinations[template].some((pattern) => patternOf(pattern).test(pathname));
}

const patternOf = (pattern: string): RegExp => {
  const path = decodeURIComponent(pattern).replace(/[?#].*$/, "");
  return new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`);
};
