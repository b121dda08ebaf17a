import type { ArtistSettings, PromoterSettings } from "#settings/rules.ts";
import * as accounts from "../templates/accounts.ts";
import * as balance from "../templates/balance.ts";
import * as bookings from "../templates/bookings.ts";
import * as contact from "../templates/contact.ts";
import * as contracts from "../templates/contracts.ts";
import * as disputes from "../templates/disputes.ts";
import type { EmailContent } from "../templates/email.ts";
import * as holds from "../templates/holds.ts";
import * as money from "../templates/money.ts";
import { payerDocument } from "../templates/payer-documents.ts";
import * as payoutAccounts from "../templates/payout-accounts.ts";
import * as refunds from "../templates/refunds.ts";
import * as requests from "../templates/requests.ts";
import * as reviews from "../templates/reviews.ts";
import * as secondFactors from "../templates/second-factors.ts";
import * as shows from "../templates/shows.ts";

type SwitchOf<Settings> = {
  [Name in keyof Settings]: Settings[Name] extends boolean ? Name : never;
}[keyof Settings];
/** Per channel: `true` is always sent, a name is the recipient's setting that decides. Other channels are not used. */
export type Channels<Switch> = Readonly<{ email?: true | Switch; sms?: true | Switch }>;

export type Recipients = Readonly<{
  artist?: Channels<SwitchOf<ArtistSettings>>;
  promoter?: Channels<SwitchOf<PromoterSettings>>;
  payer?: Channels<never>;
  account?: Channels<never>;
  admins?: Channels<never>;
  visitor?: Channels<never>;
  support?: Channels<never>;
}>;

/** `title`: the name in the outbox and the timeline if it differs from the template's name in words. */
const message = <To extends Recipients, Params>(
  event: string,
  to: To,
  template: (params: Params) => EmailContent,
  title?: string,
) => ({ event, to, template, title, secret: false, erased: false });

/** A message with a link or code that opens an account or a payment. Its text is deleted once it is sent. */
const secretMessage: typeof message = (...row) => ({ ...message(...row), secret: true });

/** The last message to an address that is no longer stored. The row is deleted once it is sent. */
const lastMessage: typeof message = (...row) => ({ ...message(...row), erased: true });

const always = { email: true } as const;
const toArtist = { artist: always } as const;
const toPromoter = { promoter: always } as const;
const toBoth = { ...toPromoter, ...toArtist } as const;
const toAccount = { account: always } as const;
const toAccountAndPhone = { account: { email: true, sms: true } } as const;
const toAdmins = { admins: always } as const;

const artistRequests = { artist: { email: "emailBookingRequests", sms: "smsBookingRequests" } } as const;
const artistMoney = { artist: { email: "emailPaymentNotifications", sms: "smsPaymentNotifications" } } as const;
const artistReviews = { artist: { email: "emailBookingRequests" } } as const;

const promoterBookings = { promoter: { email: "emailBookingConfirmations" } } as const;
const promoterMoney = { promoter: { email: "emailPaymentNotifications" } } as const;
/** Always by email: who misses a challenge loses the night, and who misses the end of a show the time to report a no-show. */
const promoterUrgent = { promoter: { email: true, sms: "smsUrgentUpdates" } } as const;
const artistUrgent = { artist: { email: true, sms: "smsBookingRequests" } } as const;
const promoterReminders = { promoter: { email: "emailPaymentNotifications", sms: "smsPaymentReminders" } } as const;
/** Balance emails are always sent, because without them the date could be released unannounced. */
const promoterOwes = { promoter: { email: true, sms: "smsPaymentReminders" } } as const;

export const catalog = {
  request_received: message("A promoter sent a request", promoterBookings, requests.requestReceived),
  new_request: message("A promoter sent a request", artistRequests, requests.newRequest),
  booking_confirmation: message(
    "The deposit was paid, or the artist accepted a request without a deposit",
    { ...promoterBookings, ...artistRequests },
    bookings.bookingConfirmation,
  ),
  deposit_received: message("The deposit was paid", { ...promoterMoney, ...artistMoney }, bookings.depositReceived),
  balance_received: message("The balance was paid", { ...promoterMoney, ...artistMoney }, bookings.balanceReceived),
  balance_reminder: message("The balance is due soon", promoterReminders, balance.balanceReminder),
  balance_charge_planned: message(
    "The balance will be charged to the saved card soon",
    promoterOwes,
    balance.balanceChargePlanned,
  ),
  balance_charge_failed: message(
    "The saved card was declined for the balance",
    promoterOwes,
    balance.balanceChargeFailed,
  ),
  balance_due: message("The balance is due", promoterOwes, balance.balanceDue),
  balance_overdue: message("The balance is overdue", promoterOwes, balance.balanceOverdue),
  balance_ends: message(
    "A played show is unpaid, and its booking ends in a week",
    { ...promoterOwes, ...toArtist },
    balance.balanceEnds,
  ),
  balance_extended: message("The artist gave more time for the balance", promoterOwes, balance.balanceExtended),
  balance_decision: message("The balance is so late that the artist may cancel", toArtist, balance.balanceDecision),
  contract_sent: secretMessage("The contract is ready to sign", toBoth, contracts.contractSent),
  contract_reminder: secretMessage(
    "A signature is missing: the other party has signed, or the deadline is near",
    toBoth,
    contracts.contractReminder,
  ),
  contract_code: secretMessage(
    "A signer requested a signing code; it is sent by SMS instead of email if that is chosen",
    { promoter: { email: true, sms: "smsUrgentUpdates" }, artist: { email: true, sms: "smsBookingRequests" } },
    contracts.contractCode,
    "One-time code",
  ),
  contract_signed: message(
    "Both sides signed the contract",
    { promoter: { email: "emailContractUpdates" }, artist: { email: "emailContractUpdates" } },
    contracts.contractSigned,
  ),
  contract_attested: message(
    "An admin attested that the contract was signed on paper",
    toBoth,
    contracts.contractAttested,
  ),
  objection_made: message("The other side objected to an attested contract", toBoth, contracts.objectionMade),
  objection_decided: message("An admin decided about an objection", toBoth, contracts.objectionDecided),
  payment_failed: message(
    "A payment was declined, and no checkout of it is open",
    promoterReminders,
    bookings.paymentFailed,
  ),
  checkout_declined: message(
    "A card was declined, and the checkout stays open",
    promoterReminders,
    bookings.checkoutDeclined,
  ),
  hold_ended: message("The hold on the date ended without a deposit", promoterReminders, bookings.holdEnded),
  hold_changed: message(
    "A ranked hold was placed, moved, challenged, ends soon or has ended",
    { ...promoterUrgent, ...artistUrgent },
    holds.holdChanged,
  ),
  booking_link: secretMessage("A guest requested a new link to their booking", toPromoter, bookings.bookingLink),
  date_lost: message("The date was no longer available when the deposit arrived", promoterUrgent, bookings.dateLost),
  refund_sent: message("A refund was sent", toPromoter, refunds.refundSent),
  refund_failed: message(
    "The payment provider refused a refund, or a bank returned it",
    toPromoter,
    refunds.refundFailed,
  ),
  refund_reduces_share: message(
    "A part of a payment was refunded in the provider's dashboard",
    toArtist,
    refunds.refundReducesShare,
  ),
  payer_refund_failed: message(
    "A refund to another payer than the promoter was refused, or a bank returned it",
    { payer: always },
    refunds.payerRefundFailed,
  ),
  booking_canceled: message(
    "The booking was canceled, or the artist declined the request, or a side declined the contract",
    { ...promoterUrgent, ...artistUrgent },
    bookings.bookingCanceled,
  ),
  review_invitation: message(
    "The show was completed",
    { ...promoterBookings, ...artistReviews },
    reviews.reviewInvitation,
  ),
  reviews_published: message(
    "The reviews of a show were published",
    { ...promoterBookings, ...artistReviews },
    reviews.reviewsPublished,
  ),
  review_changed: message(
    "The artist replied to a review, or an admin decided about a reported review",
    { ...promoterBookings, ...artistReviews },
    reviews.reviewChanged,
  ),
  money_returned: message("A payment was not accepted and is refunded", toPromoter, money.moneyReturned),
  money_alarm: message(
    "Money, a contract, a no-show or a review needs an admin",
    toAdmins,
    money.moneyAlarm,
    "Action required by an admin",
  ),
  show_confirmation: message(
    "The show has ended, and the promoter can confirm it or report a no-show",
    promoterUrgent,
    shows.showConfirmation,
  ),
  no_show_reported: message(
    "The promoter reported that the artist did not appear",
    toArtist,
    shows.noShowReported,
    "No-show reported",
  ),
  no_show_stated: message("The artist stated their side of a reported no-show", toPromoter, shows.noShowStated),
  no_show_decided: message("An admin decided about a no-show", toBoth, shows.noShowDecided),
  force_majeure: message(
    "A side proposed, accepted, refused or withdrew a cancellation by force majeure",
    toBoth,
    money.forceMajeure,
  ),
  dispute_opened: message("The payer's bank opened a dispute or an inquiry", toBoth, disputes.disputeOpened),
  dispute_closed: message("A dispute ended", toBoth, disputes.disputeClosed),
  dispute_share_returned: message(
    "An admin returned the share that a dispute had deducted",
    toArtist,
    disputes.disputeShareReturned,
  ),
  payer_document: message(
    "A document was issued for a payment by another payer than the promoter",
    { payer: always },
    payerDocument,
  ),
  paid_out: message("A payout was sent", artistMoney, money.paidOut),
  payout_taken_back: message(
    "A part of a payout was reversed for a refund or a lost dispute",
    toArtist,
    money.payoutReversed,
  ),
  payout_awaits_account: message(
    "A payout is due and waits for the artist's payment account",
    toArtist,
    payoutAccounts.payoutAwaitsAccount,
  ),
  payout_awaits_refund: message(
    "A refund was refused or returned, so the artist's payout waits",
    toArtist,
    payoutAccounts.payoutAwaitsRefund,
  ),
  payout_bank_changed: message("The bank account for payouts was changed", toArtist, payoutAccounts.payoutBankChanged),
  payout_bank_failed: message(
    "The artist's bank did not accept money from the payment account",
    toArtist,
    payoutAccounts.payoutBankFailed,
  ),
  payout_account_restricted: message(
    "The payment provider restricted the account for payouts",
    toArtist,
    payoutAccounts.payoutAccountRestricted,
  ),
  payout_account_ended: message(
    "The account for payouts can no longer be used",
    toArtist,
    payoutAccounts.payoutAccountEnded,
  ),
  calendar_failing: message(
    "A calendar that the artist added has failed for 24 hours",
    toArtist,
    accounts.calendarFailing,
  ),
  calendar_conflict: message(
    "A booked show overlaps an entry of another calendar of the artist",
    toArtist,
    shows.calendarConflict,
  ),
  calendar_connection_failing: message(
    "A calendar that the artist or promoter has connected has failed for 24 hours",
    toBoth,
    accounts.calendarConnectionFailing,
  ),
  price_to_confirm: message("The platform's currency was changed", toArtist, accounts.priceToConfirm),
  confirm_sign_up: secretMessage("A user signed up", toAccount, accounts.confirmSignUp),
  sign_up_known: message(
    "A visitor signed up with the address of an existing account",
    toAccount,
    accounts.signUpKnown,
    "Account",
  ),
  recovery: secretMessage("A user requested a new password", toAccount, accounts.recovery),
  magic_link: secretMessage("A user requested a sign-in link", toAccount, accounts.magicLink),
  email_change_new: secretMessage(
    "A new email address is to be confirmed; this goes to the new one",
    toAccount,
    accounts.emailChangeNew,
  ),
  email_change_old: secretMessage(
    "A new email address is to be confirmed; this goes to the old one",
    toAccount,
    accounts.emailChangeOld,
  ),
  email_changed: secretMessage("The email address was changed", toAccountAndPhone, accounts.emailChanged, "Account"),
  reauthentication: secretMessage("A change of the account requires a code", toAccount, accounts.reauthentication),
  one_time_code: secretMessage(
    "A phone number is to be confirmed, or used to sign in",
    { account: { sms: true } },
    accounts.oneTimeCode,
    "One-time code",
  ),
  phone_changed: secretMessage("The phone number was changed or removed", toAccountAndPhone, accounts.phoneChanged),
  password_changed: secretMessage("The password was changed", toAccountAndPhone, accounts.passwordChanged),
  session_stolen: message("A used session token was presented again", toAccount, accounts.sessionStolen),
  second_factor_changed: secretMessage(
    "An authenticator app or a passkey was added or removed",
    toAccountAndPhone,
    secondFactors.secondFactorChanged,
  ),
  recovery_codes_changed: secretMessage(
    "Recovery codes were created or removed",
    toAccountAndPhone,
    secondFactors.recoveryCodesChanged,
  ),
  recovery_code_used: secretMessage(
    "A user signed in with a recovery code",
    toAccountAndPhone,
    secondFactors.recoveryCodeUsed,
  ),
  identity_added: secretMessage(
    "An organization's account was connected for sign-in",
    toAccountAndPhone,
    accounts.identityAdded,
  ),
  account_change_undone: message("A change of the account was undone", toAccountAndPhone, accounts.accountChangeUndone),
  role_changed: message("A role was changed", toAccount, accounts.roleChanged),
  account_suspended: message(
    "An admin suspended an account, or ended the suspension",
    toAccount,
    accounts.accountSuspended,
  ),
  account_deleted: lastMessage("A user deleted their account", toAccount, accounts.accountDeleted),
  admin_notice: message("An action was taken in an admin's name", toAdmins, accounts.adminNotice),
  request_waits: message("A user requested to become an admin, or claimed a profile", toAdmins, accounts.requestWaits),
  admin_request_refused: message("The request to become an admin was refused", toAccount, accounts.adminRequestRefused),
  claim_decided: message("An admin decided about the claim of a profile", toAccount, accounts.claimDecided),
  contact_message: message("A visitor used the contact form", { support: always }, contact.contactMessage),
  contact_acknowledgement: message(
    "A visitor used the contact form",
    { visitor: always },
    contact.contactAcknowledgement,
  ),
} as const;
