import * as artists from "#artists/handlers.ts";
import * as bookings from "#bookings/handlers.ts";
import type { BookingEvents } from "#bookings/rules.ts";
import type { ConnectionFailing, DateTaken, ImportConflictFound, ImportFailing } from "#calendar/events.rules.ts";
import type { HoldChanged } from "#calendar/queue.rules.ts";
import { coverFailedRefund } from "#disputes/index.ts";
import type { DisputeChanged } from "#disputes/rules.ts";
import type { PaymentEvents } from "#payments/rules.ts";
import type { BankPayoutFailed, PayoutAccountChanged, PayoutAccountEnded } from "#payouts/accounts.rules.ts";
import type { PayoutAwaitsAccount, PayoutFailed, PayoutPaid, PayoutReversed } from "#payouts/payouts.rules.ts";
import type { Tx } from "#platform/db/index.ts";
import type { EventHandlers } from "#platform/event-outbox.ts";
import * as reviews from "#reviews/index.ts";
import type { ReviewEvents } from "#reviews/rules.ts";
import { type LogoReplaced, removeLogo } from "#settings/index.ts";
import { type CurrencyChanged } from "#settings/rules.ts";
import * as users from "#users/index.ts";
import type { AccessChanged, ProfileClaimGranted, EmailVerified } from "#users/rules.ts";
import type { Services } from "./services.ts";

type Events = BookingEvents &
  PaymentEvents &
  ReviewEvents & {
    "hold.changed": HoldChanged;
    "calendar.date_taken": DateTaken;
    "dispute.changed": DisputeChanged;
    "payout_account.changed": PayoutAccountChanged;
    "payout_account.ended": PayoutAccountEnded;
    "payout_account.bank_failed": BankPayoutFailed;
    "payout.paid": PayoutPaid;
    "payout.awaits_account": PayoutAwaitsAccount;
    "payout.failed": PayoutFailed;
    "payout.reversed": PayoutReversed;
    "user.email_verified": EmailVerified;
    "user.access_changed": AccessChanged;
    "claim.granted": ProfileClaimGranted;
    "calendar.import_failing": ImportFailing;
    "calendar.import_conflict": ImportConflictFound;
    "calendar.connection_failing": ConnectionFailing;
    "artist.files_released": artists.FilesReleased;
    "settings.logo_replaced": LogoReplaced;
    "settings.currency_changed": CurrencyChanged;
  };

/** Payment events come before notifications. All of these name their booking. */
export const urgentTopics = [
  "payment.succeeded",
  "payment.failed",
  "checkout.ended",
  "refund.succeeded",
  "refund.failed",
  "dispute.changed",
] as const satisfies readonly (keyof Events)[];

export function eventHandlersFor(services: Services): EventHandlers {
  const now = () => services.clock.now();
  const attachOwn = async (tx: Tx, owner: { userId: string; former?: string }) => {
    await bookings.attachRequestsTo(tx, owner);
    if (owner.former) await bookings.endLinksToFormerMailbox(tx, owner.userId, now());
    await reviews.attachReviews(tx, owner.userId);
  };
  const answers: { [Topic in keyof Events]: (tx: Tx, body: Events[Topic], eventId: number) => Promise<unknown> } = {
    "booking.requested": (tx, event) => bookings.notifyRequested(tx, services, event),
    "booking.status_changed": async (tx, event) => {
      await bookings.notifyStatusChanged(tx, services, event);
      if (event.to === "completed" || event.cause === "no_show") await reviews.inviteReviews(tx, services, event);
    },
    "booking.date_lost": (tx, event) => bookings.notifyDateLost(tx, services, event),
    "booking.money_returned": (tx, event) => bookings.recordMoneyReturned(tx, services, event),
    "booking.hold_released": (tx, event, eventId) => bookings.notifyHoldReleased(tx, services, event, eventId),
    "hold.changed": (tx, event) => bookings.notifyHoldChanged(tx, services, event),
    "calendar.date_taken": async (tx, event) => {
      await bookings.endRequestsWithoutDate(tx, services, event);
      await bookings.notifyImportConflicts(tx, services, event);
    },
    "booking.no_show_reported": (tx, event) => bookings.notifyNoShowReported(tx, services, event),
    "booking.no_show_decided": (tx, event) => bookings.notifyNoShowDecided(tx, services, event),
    "booking.force_majeure": (tx, event) => bookings.notifyForceMajeure(tx, services, event),

    "payment.succeeded": async (tx, event) => {
      await bookings.applyPaymentSucceeded(tx, event, now());
      await bookings.notifyPaid(tx, services, event);
      await bookings.broadcastBookingChange(tx, event.bookingId);
    },
    "payment.failed": async (tx, event) => {
      await bookings.applyCheckoutEnded(tx, event, now());
      await bookings.notifyPaymentFailed(tx, services, event);
      await bookings.broadcastBookingChange(tx, event.bookingId);
    },
    "checkout.ended": async (tx, event) => {
      await bookings.applyCheckoutEnded(tx, event, now());
      await bookings.broadcastBookingChange(tx, event.bookingId);
    },
    "refund.succeeded": async (tx, event) => {
      await bookings.applyRefundSucceeded(tx, event, now());
      await bookings.notifyRefunded(tx, services, event);
      await bookings.broadcastBookingChange(tx, event.bookingId);
    },
    "refund.failed": async (tx, event, eventId) => {
      await coverFailedRefund(tx, event, now());
      await bookings.notifyRefundFailed(tx, services, event, eventId);
    },
    "payment.unapplied": (tx, event) => bookings.notifyUnappliedPayment(tx, services, event),
    "payment.differences_found": (tx, event, eventId) => bookings.alertOfDifferences(tx, services, event, eventId),

    "saved_card.changed": (tx, event) => bookings.applyCardSaved(tx, event, now()),

    "dispute.changed": async (tx, event, eventId) => {
      await bookings.endAutomaticPaymentByDispute(tx, event, now());
      await bookings.notifyDispute(tx, services, event, eventId);
    },
    "payout_account.changed": (tx, event, eventId) => bookings.notifyPayoutAccountChanged(tx, services, event, eventId),
    "payout_account.ended": (tx, event) => bookings.notifyPayoutAccountEnded(tx, services, event),
    "payout_account.bank_failed": (tx, event) => bookings.notifyBankPayoutFailed(tx, services, event),
    "payout.paid": (tx, event) => bookings.notifyPaidOut(tx, services, event),
    "payout.awaits_account": (tx, event) => bookings.notifyPayoutAwaitsAccount(tx, services, event),
    "payout.failed": (tx, event, eventId) => bookings.notifyPayoutFailed(tx, services, event, eventId),
    "payout.reversed": (tx, event) => bookings.notifyPayoutReversed(tx, services, event),

    "review.changed": (tx, event) => reviews.notifyReviewChanged(tx, services, event),
    "review.published": (tx, event) => reviews.notifyReviewsPublished(tx, services, event),

    "user.email_verified": async (tx, event) => {
      await attachOwn(tx, event);
      await users.notifyAdminsOfRequest(tx, services, event.userId);
    },
    "user.access_changed": async (tx, event) => {
      if (event.cause === "role") await attachOwn(tx, event);
      if (event.cause !== "deleted") await artists.applyOwnerAccess(tx, event.userId, services.realClock.now());
      // Earlier versions deleted the account without it.
      if (event.cause === "deleted") await artists.retireOwnArtist(tx, event.userId);
    },
    "artist.files_released": async (_tx, event) => ({ afterCommit: () => artists.removeFiles(services, event) }),
    "settings.currency_changed": (tx, event) => artists.requestPriceConfirmation(tx, services, event),
    "calendar.import_failing": (tx, event) => artists.notifyImportFailing(tx, services, event),
    "calendar.import_conflict": (tx, event) => bookings.notifyImportConflicts(tx, services, event),
    "calendar.connection_failing": (tx, event) => bookings.notifyConnectionFailing(tx, services, event),
    "settings.logo_replaced": async (_tx, event) => ({ afterCommit: () => removeLogo(services, event) }),
    // Earlier versions granted the claim without it.
    "claim.granted": (tx, event) => artists.giveArtist(tx, { ...event, now: now() }),
  };
  return answers as unknown as EventHandlers;
}
