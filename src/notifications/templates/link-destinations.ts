/**
 * Where the link of each email leads, as patterns of the site's addresses. A template without an entry does not compile, so
 * that no email is sent whose link nobody has thought of; an empty list says that the email has no link.
 */
import { paths } from "#platform/site-paths.rules.ts";
import type { TemplateName } from "./index.ts";

/** How a booking stands: the promoter's and the artist's list, or the page of a guest. */
const booking = [paths.promoterArea.bookings, paths.artistArea.bookings, paths.guestBooking(":id")];
const pay = [paths.pay(":id", "deposit"), paths.pay(":id", "balance")];
const adminBookings = [paths.admin.bookings];
const confirm = [paths.confirm];
/** Undo a change of the account, or at least set a new password. */
const undo = [paths.undoChange, paths.forgotPassword];

export const linkDestinations: Readonly<Record<TemplateName, readonly string[]>> = {
  request_received: [...pay, ...booking],
  new_request: booking,
  booking_confirmation: booking,
  deposit_received: booking,
  balance_received: booking,
  contract_sent: [paths.sign(":token")],
  contract_reminder: [paths.sign(":token")],
  contract_signed: booking,
  payment_failed: pay,
  checkout_declined: pay,
  hold_ended: [...booking, ...pay],
  booking_link: booking,
  date_lost: [paths.book(":slug"), paths.artist(":slug")],
  refund_sent: booking,
  booking_canceled: booking,
  review_invitation: booking,
  reviews_published: booking,
  money_returned: booking,
  money_alarm: adminBookings,
  confirm_sign_up: confirm,
  sign_up_known: [paths.signIn],
  recovery: confirm,
  magic_link: confirm,
  email_change_new: confirm,
  email_change_old: confirm,
  email_changed: undo,
  reauthentication: [],
  one_time_code: [],
  phone_changed: undo,
  password_changed: undo,
  session_stolen: [paths.forgotPassword],
  second_factor_changed: undo,
  recovery_codes_changed: undo,
  account_change_undone: [paths.forgotPassword],
  role_changed: [paths.dashboard],
  account_suspended: [paths.contact, paths.signIn],
  admin_notice: [paths.admin.users],
  request_waits: [paths.admin.users],
  admin_request_refused: [paths.dashboard],
  claim_decided: [paths.artistArea.overview],
  contact_message: [],
  contact_acknowledgement: [],
};

/** Whether an address (whole, or from the root on) is one that the template's link may lead to. */
export function mayLeadTo(template: TemplateName, address: string): boolean {
  const { pathname } = new URL(address, "http://site.invalid");
  return linkDestinations[template].some((pattern) => patternOf(pattern).test(pathname));
}

/** `:name` in a pattern stands for one part of the path; queries and anchors do not count. */
const patternOf = (pattern: string): RegExp => {
  const path = decodeURIComponent(pattern).replace(/[?#].*$/, "");
  return new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`);
};
