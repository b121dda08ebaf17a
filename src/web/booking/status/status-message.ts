import { completionHours } from "#bookings/rules/deadlines.rules.ts";
import { noShowReportEndsAt } from "#bookings/rules/no-show.rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { currentTime } from "../../lib/clock.ts";
import { formatDay, formatDayAndMonth, formatDeadline } from "../../lib/format/dates.ts";
import { disputeMessageOf, withDispute } from "./dispute-message.ts";
import {
  describeDecline,
  describeDue,
  describeSigningOrder,
  describeUnpayable,
  type StatusMessage,
  dividedMessage,
  unpaidAfterStart,
  unpaidAfterStartMessage,
  type BookingResponse,
  describeAutomaticPayment,
  isBalanceFarAhead,
  describeReturned,
  describeWithoutPayment,
} from "./progress.ts";

const inTone =
  (tone: StatusMessage["tone"]) =>
  (title: string, text: string): StatusMessage => ({ title, text, tone });
const plain = inTone("");
const gold = inTone("gold");
const blue = inTone("blue");
const green = inTone("green");
const cherry = inTone("cherry");

export function statusMessageFor(booking: BookingResponse): StatusMessage {
  if (booking.no_show && booking.no_show.decided_at === null && booking.status === "contract_signed")
    return noShowMessage(booking);
  const blocked = blockedMessage(booking);
  if (blocked) return blocked;
  const divided = booking.status === "completed" ? dividedMessage(booking) : undefined;
  return withDispute(booking, divided ?? undisputedMessage(booking));
}

const undisputedMessage = (booking: BookingResponse): StatusMessage =>
  booking.viewer === "artist"
    ? artistMessage(booking)
    : booking.viewer === "admin"
      ? adminMessage(booking)
      : promoterMessage(booking);

/** An undecided no-show report overrides every other message. */
function noShowMessage({ viewer, can, promoter_name: name }: BookingResponse): StatusMessage {
  const text =
    viewer === "admin"
      ? "Nothing is paid out until you have decided."
      : `Nothing is paid out until an admin has decided. ${can.state_no_show ? "If this is wrong, state your side before that. " : ""}Both of you are notified by email.`;
  const title = viewer === "artist" ? `${name} reports that you did not appear.` : "A no-show was reported.";
  return cherry(title, text);
}

/** An open objection blocks the money at any time. An open dispute blocks the completion of a past show. */
function blockedMessage(booking: BookingResponse): StatusMessage | undefined {
  const { completion_block: block, viewer, deadlines } = booking;
  if (block === "objection")
    return cherry(
      "An objection to the contract is open.",
      `Nothing is charged or paid out until ${viewer === "admin" ? "you have" : "an admin has"} decided.`,
    );
  const isOver = !deadlines.some(({ kind }) => kind === "show_starts");
  if (block === "dispute" && isOver)
    return gold(
      "A payment is disputed.",
      `${disputeMessageOf(booking)?.text ?? "The payment is held."} The booking completes when the dispute has ended.`,
    );
  return undefined;
}

function atCheckout(booking: BookingResponse, heldUntil: string): StatusMessage {
  const { promoter_name: name, event_date: date } = booking;
  const after = nightHeldText(booking) ?? "It is available again if the deposit is not paid by then.";
  const text = `${formatDay(date)} is held until ${formatDeadline(heldUntil)}. ${after}`;
  return gold(`${name} is at the checkout.`, text);
}

/** A ranked hold reserves the night for the request, also after its checkout. */
const nightHeldText = ({ holds }: BookingResponse): string | undefined =>
  holds?.from?.state === "active" ? `The promoter's hold runs until ${formatDeadline(holds.from.until)}.` : undefined;

/** Returns which event of another calendar takes the time of an open request, and what the artist can do, or an empty text. */
function describeBusy({ busy_elsewhere: busy, can }: BookingResponse): string {
  if (!busy) return "";
  const event = ` Your calendar ${busy.calendar} has an event then, from ${formatDeadline(busy.starts_at)}.`;
  return can.answer
    ? `${event} If you are busy, decline. If it is your note of this request, remove it there.`
    : `${event} The deposit cannot be paid until you remove it there. If you are busy, cancel the request.`;
}

function artistMessage(booking: BookingResponse): StatusMessage {
  const { status, money, promoter_name: name } = booking;
  const day = formatDay(booking.event_date);
  switch (status) {
    case "initiated":
      if (booking.hold) return atCheckout(booking, booking.hold.expires_at);
      if (booking.answer_due_at)
        return gold(
          `${name} requests ${day}. Accept this booking?`,
          `No deposit is required. If you accept, the date is booked and we send the contract. If you do not answer, the request expires ${formatDeadline(booking.answer_due_at)}.${describeBusy(booking)}`,
        );
      return plain(
        `${name} requests ${day}.`,
        booking.answered_by_email
          ? `${describeWithoutPayment(booking)} Nothing is due, and the date is not held. Answer ${name} by email.`
          : `The date is booked when the deposit is paid. ${nightHeldText(booking) ?? "Until then, others can book it."}${describeBusy(booking)}`,
      );
    case "deposit_paid":
      return green(
        `${day} is booked.`,
        booking.answer_due_at
          ? "You accepted it without a deposit. We email you the contract."
          : money.dispute
            ? "We email you the contract."
            : "The deposit is held until the show is over. We email you the contract.",
      );
    case "contract_sent":
      return blue("The contract is waiting for signatures.", describeSigningOrder(booking));
    case "contract_signed":
      if (unpaidAfterStart(booking)) return unpaidAfterStartMessage(booking);
      if (booking.balance?.artist_decides)
        return cherry(
          "The balance is unpaid: you decide.",
          `${describeDecline(booking)}It ${describeDue(booking.balance)}. Give ${name} more time, or release the date by the cancellation terms. Until then it can still be paid.`,
        );
      if (booking.balance?.overdue)
        return gold(
          "The balance is overdue.",
          `${describeDecline(booking)}It ${describeDue(booking.balance)}. We remind ${name}. If it stays unpaid, you decide.`,
        );
      if (booking.balance_unpayable) return gold("The contract is signed.", describeUnpayable(booking));
      return money.outstanding_cents > 0
        ? blue("The contract is signed.", `${describeDecline(booking)}The balance is not paid yet.`)
        : green(
            "Everything is paid and signed.",
            new Date(booking.ends_at) > currentTime()
              ? "You are paid after the show."
              : `You are paid once the show is confirmed. We confirm it ${completionHours} hours after the show.`,
          );
    case "completed":
      return green("The show is completed.", describeOwnPayout(booking));
    case "canceled":
      return canceledMessage(booking);
  }
}

function describeOwnPayout(booking: BookingResponse): string {
  const owed = booking.money.payout?.owed_cents ?? 0;
  if (owed > 0) return `Please pay back ${formatMoney(owed, booking.currency)}. We contact you about how.`;
  return unsentPayout(booking)?.payout?.waits_for === "account"
    ? "We pay you once your payment account is set up."
    : "You do not need to do anything.";
}

const unsentPayout = ({ money }: BookingResponse) =>
  money.parts.find(({ held_by: by, cents }) => by === "artist_owed" && cents > 0);

function describeRelease(booking: BookingResponse): string {
  if (booking.money.released_cents === 0) return "No money was released.";
  if (!unsentPayout(booking)) return "The artist has been paid.";
  const isPartPaid = booking.money.parts.some(({ held_by: by, cents }) => by === "artist" && cents > 0);
  return isPartPaid ? "A part of the artist's share is not paid yet." : "The artist has not been paid yet.";
}

function adminMessage(booking: BookingResponse): StatusMessage {
  const { status, money, artist } = booking;
  switch (status) {
    case "initiated":
      if (booking.hold) return atCheckout(booking, booking.hold.expires_at);
      if (booking.answer_due_at)
        return plain(
          "Waiting for the artist.",
          `${artist.name} requires no deposit and accepts or declines by ${formatDeadline(booking.answer_due_at)}. The date is not held.`,
        );
      return booking.answered_by_email
        ? plain(
            money.fee_cents > 0 ? "A request without a payment." : "A request without a price.",
            `${artist.name} has it. Nothing is due.`,
          )
        : plain("Waiting for the deposit.", "The night is not held. It is booked when the deposit is paid.");
    case "deposit_paid":
      return gold(
        "Waiting for the contract.",
        booking.answer_due_at
          ? "We promise it within 24 hours of the acceptance."
          : "We promise it within 24 hours of the deposit.",
      );
    case "contract_sent":
      return blue("Waiting for signatures.", describeSigningOrder(booking));
    case "contract_signed":
      if (booking.balance_unpayable) return gold("The balance cannot be paid here.", describeUnpayable(booking));
      if (unpaidAfterStart(booking)) return unpaidAfterStartMessage(booking);
      return money.outstanding_cents > 0
        ? blue(
            "Waiting for the balance.",
            `${describeDecline(booking)}${
              booking.balance?.overdue
                ? `It ${describeDue(booking.balance)}.${booking.balance.artist_decides ? " The artist decides." : ""}`
                : "The promoter has not paid it yet."
            }`,
          )
        : green("Everything is paid and signed.", "The booking completes after the show.");
    case "completed":
      return green("The show is completed.", describeRelease(booking));
    case "canceled":
      return canceledMessage(booking);
  }
}

function promoterMessage(booking: BookingResponse): StatusMessage {
  const { artist, can, money, status } = booking;
  const day = formatDay(booking.event_date);
  const held = booking.holds?.from?.state === "active" ? booking.holds.from : undefined;
  switch (status) {
    case "initiated":
      if (can.pay === "deposit" && booking.hold)
        return gold(
          "Your checkout is open.",
          `It holds ${day} until ${formatDeadline(booking.hold.expires_at)}. Pay the deposit to book the date.`,
        );
      if (can.confirm_request)
        return gold(
          "Was this you?",
          "This request has your email address, but was not sent from your account. Confirm it before you pay, or withdraw it.",
        );
      if (booking.date?.state === "held" && booking.answer_due_at)
        return gold(
          "Another promoter's hold comes first.",
          `${booking.date.message} ${artist.name} can accept your request only if that hold ends first, by ${formatDeadline(booking.answer_due_at)} at the latest. You can wait, or request another date.`,
        );
      if (booking.date && !["free", "own_hold"].includes(booking.date.state))
        return gold(
          "You cannot pay the deposit now.",
          `${booking.date.message}${booking.date.from ? ` Try again from ${formatDeadline(booking.date.from)}.` : ""}`,
        );
      if (can.pay === "deposit")
        return blue(
          "Now: pay the deposit.",
          `It books ${day}. ${held ? `Your hold of the night runs until ${formatDeadline(held.until)}.` : "Until then, other promoters can book the date."}`,
        );
      if (booking.answer_due_at)
        return plain(
          "Your request is with the artist.",
          `No deposit is required. ${artist.name} accepts or declines by ${formatDeadline(booking.answer_due_at)}. ${held ? "Until then you hold the night." : "Until then the date is not held."}`,
        );
      if (!booking.answered_by_email)
        return gold("You cannot pay the deposit now.", "Nothing is due, and the date is not held.");
      return plain(
        "Your request is with the artist.",
        `${artist.name} answers by email. Nothing is due, and the date is not held.`,
      );
    case "deposit_paid":
      return green(`${day} is yours.`, "You do not need to do anything now. We email you the contract.");
    case "contract_sent":
      return blue(
        "The contract is waiting for signatures.",
        `${booking.viewer === "guest" && can.sign ? `We emailed the signing link to ${booking.promoter_email ?? "you"}. ` : ""}${describeSigningOrder(booking)} ${booking.balance_paid ? "The balance is already paid." : "The balance follows once both have signed."}`,
      );
    case "contract_signed":
      if (booking.automatic_payment)
        return blue(
          booking.automatic_payment.state === "charging"
            ? "The balance is being charged."
            : "You do not need to do anything now.",
          describeAutomaticPayment(booking.automatic_payment),
        );
      if (unpaidAfterStart(booking)) return unpaidAfterStartMessage(booking);
      if (can.pay === "balance" && booking.balance?.overdue)
        return {
          title: "The balance is overdue.",
          text: `${describeDecline(booking)}It ${describeDue(booking.balance)}. ${booking.balance.artist_decides ? `Until it is paid, ${artist.name} may release the date. The cancellation terms then determine your refund.` : "Pay it now to keep the date."}`,
          tone: booking.balance.artist_decides ? "cherry" : "gold",
        };
      if (can.pay === "balance")
        return blue(
          `${isBalanceFarAhead(booking) ? "Next" : "Now"}: pay the balance.`,
          `${describeDecline(booking)}It is ${money.balance_due ? `due on ${formatDayAndMonth(money.balance_due)}` : "already due"}.${booking.balance?.extended ? ` ${artist.name} gave you more time.` : ""}`,
        );
      if (booking.balance_unpayable) return gold("The contract is signed.", describeUnpayable(booking));
      if (can.complete)
        return blue(
          "The show is over.",
          `Confirm that ${artist.name} performed${can.report_no_show ? `, or report a no-show by ${formatDeadline(noShowReportEndsAt(new Date(booking.ends_at)))}` : ""}. Otherwise we confirm it ${completionHours} hours after the show.`,
        );
      return green(
        "Everything is paid and signed.",
        booking.deadlines.some(({ kind }) => kind === "show_starts") ? `See you on ${day}.` : "The show has begun.",
      );
    case "completed":
      return green(
        "The show is completed.",
        booking.no_show?.refunded_cents === 0
          ? "We have decided about the no-show that you reported: nothing is refunded."
          : `Thank you for booking ${artist.name}.`,
      );
    case "canceled":
      return canceledMessage(booking);
  }
}

const canceledMessage = (booking: BookingResponse): StatusMessage =>
  booking.cancel_code === "date_lost"
    ? cherry("This date is no longer available.", `The request has ended. ${describeReturned(booking)}`)
    : cherry(canceledTitle(booking), describeReturned(booking));

/** A request that was never booked is not called a booking, as in the emails. */
function canceledTitle({ cancel_code: code, canceled_by: by, timeline }: BookingResponse): string {
  if (timeline.some(({ kind }) => kind === "deposit_paid" || kind === "accepted")) return "This booking is canceled.";
  if (code === "request_declined") return "This request was declined.";
  return by === "system" ? "This request has ended." : "This request is canceled.";
}
