import { completionHours } from "#bookings/rules/deadlines.rules.ts";
import { noShowReportEndsAt } from "#bookings/rules/no-show.rules.ts";
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
  return { title, text, tone: "cherry" };
}

/** An open objection blocks the money at any time. An open dispute blocks the completion of a past show. */
function blockedMessage(booking: BookingResponse): StatusMessage | undefined {
  const { completion_block: block, viewer, deadlines } = booking;
  if (block === "objection")
    return {
      title: "An objection to the contract is open.",
      text: `Nothing is charged or paid out until ${viewer === "admin" ? "you have" : "an admin has"} decided.`,
      tone: "cherry",
    };
  const isOver = !deadlines.some(({ kind }) => kind === "show_starts");
  if (block === "dispute" && isOver)
    return {
      title: "A payment is disputed.",
      text: `${disputeMessageOf(booking)?.text ?? "The payment is held."} The booking completes when the dispute has ended.`,
      tone: "gold",
    };
  return undefined;
}

function atCheckout(booking: BookingResponse, heldUntil: string): StatusMessage {
  const { promoter_name: name, event_date: date } = booking;
  const after = nightHeldText(booking) ?? "It is available again if the deposit is not paid by then.";
  const text = `${formatDay(date)} is held until ${formatDeadline(heldUntil)}. ${after}`;
  return { title: `${name} is at the checkout.`, text, tone: "gold" };
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
        return {
          title: `${name} requests ${day}. Accept this booking?`,
          text: `No deposit is required. If you accept, the date is booked and we send the contract. If you do not answer, the request expires ${formatDeadline(booking.answer_due_at)}.${describeBusy(booking)}`,
          tone: "gold",
        };
      return {
        title: `${name} requests ${day}.`,
        text: booking.answered_by_email
          ? `${describeWithoutPayment(booking)} Nothing is due, and the date is not held. Answer ${name} by email.`
          : `The date is booked when the deposit is paid. ${nightHeldText(booking) ?? "Until then, others can book it."}${describeBusy(booking)}`,
        tone: "",
      };
    case "deposit_paid":
      return {
        title: `${day} is booked.`,
        text: booking.answer_due_at
          ? "You accepted it without a deposit. We email you the contract."
          : money.dispute
            ? "We email you the contract."
            : "The deposit is held until the show is over. We email you the contract.",
        tone: "green",
      };
    case "contract_sent":
      return { title: "The contract is waiting for signatures.", text: describeSigningOrder(booking), tone: "blue" };
    case "contract_signed":
      if (unpaidAfterStart(booking)) return unpaidAfterStartMessage(booking);
      if (booking.balance?.artist_decides)
        return {
          title: "The balance is unpaid: you decide.",
          text: `${describeDecline(booking)}It ${describeDue(booking.balance)}. Give ${name} more time, or release the date by the cancellation terms. Until then it can still be paid.`,
          tone: "cherry",
        };
      if (booking.balance?.overdue)
        return {
          title: "The balance is overdue.",
          text: `${describeDecline(booking)}It ${describeDue(booking.balance)}. We remind ${name}. If it stays unpaid, you decide.`,
          tone: "gold",
        };
      if (booking.balance_unpayable)
        return { title: "The contract is signed.", text: describeUnpayable(booking), tone: "gold" };
      return money.outstanding_cents > 0
        ? {
            title: "The contract is signed.",
            text: `${describeDecline(booking)}The balance is not paid yet.`,
            tone: "blue",
          }
        : {
            title: "Everything is paid and signed.",
            text:
              new Date(booking.ends_at) > currentTime()
                ? "You are paid after the show."
                : `You are paid once the show is confirmed. We confirm it ${completionHours} hours after the show.`,
            tone: "green",
          };
    case "completed":
      return {
        title: "The show is completed.",
        text:
          unsentPayout(booking)?.payout?.waits_for === "account"
            ? "We pay you once your payment account is set up."
            : "You do not need to do anything.",
        tone: "green",
      };
    case "canceled":
      return canceledMessage(booking);
  }
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
        return {
          title: "Waiting for the artist.",
          text: `${artist.name} requires no deposit and accepts or declines by ${formatDeadline(booking.answer_due_at)}. The date is not held.`,
          tone: "",
        };
      return booking.answered_by_email
        ? {
            title: money.fee_cents > 0 ? "A request without a payment." : "A request without a price.",
            text: `${artist.name} has it. Nothing is due.`,
            tone: "",
          }
        : {
            title: "Waiting for the deposit.",
            text: "The night is not held. It is booked when the deposit is paid.",
            tone: "",
          };
    case "deposit_paid":
      return {
        title: "Waiting for the contract.",
        text: booking.answer_due_at
          ? "We promise it within 24 hours of the acceptance."
          : "We promise it within 24 hours of the deposit.",
        tone: "gold",
      };
    case "contract_sent":
      return { title: "Waiting for signatures.", text: describeSigningOrder(booking), tone: "blue" };
    case "contract_signed":
      if (booking.balance_unpayable)
        return { title: "The balance cannot be paid here.", text: describeUnpayable(booking), tone: "gold" };
      if (unpaidAfterStart(booking)) return unpaidAfterStartMessage(booking);
      return money.outstanding_cents > 0
        ? {
            title: "Waiting for the balance.",
            text: `${describeDecline(booking)}${
              booking.balance?.overdue
                ? `It ${describeDue(booking.balance)}.${booking.balance.artist_decides ? " The artist decides." : ""}`
                : "The promoter has not paid it yet."
            }`,
            tone: "blue",
          }
        : { title: "Everything is paid and signed.", text: "The booking completes after the show.", tone: "green" };
    case "completed":
      return {
        title: "The show is completed.",
        text: describeRelease(booking),
        tone: "green",
      };
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
        return {
          title: "Your checkout is open.",
          text: `It holds ${day} until ${formatDeadline(booking.hold.expires_at)}. Pay the deposit to book the date.`,
          tone: "gold",
        };
      if (can.confirm_request)
        return {
          title: "Was this you?",
          text: "This request has your email address, but was not sent from your account. Confirm it before you pay, or withdraw it.",
          tone: "gold",
        };
      if (booking.date?.state === "held" && booking.answer_due_at)
        return {
          title: "Another promoter's hold comes first.",
          text: `${booking.date.message} ${artist.name} can accept your request only if that hold ends first, by ${formatDeadline(booking.answer_due_at)} at the latest. You can wait, or request another date.`,
          tone: "gold",
        };
      if (booking.date && !["free", "own_hold"].includes(booking.date.state))
        return {
          title: "You cannot pay the deposit now.",
          text: `${booking.date.message}${booking.date.from ? ` Try again from ${formatDeadline(booking.date.from)}.` : ""}`,
          tone: "gold",
        };
      if (can.pay === "deposit")
        return {
          title: "Now: pay the deposit.",
          text: `It books ${day}. ${held ? `Your hold of the night runs until ${formatDeadline(held.until)}.` : "Until then, other promoters can book the date."}`,
          tone: "blue",
        };
      if (booking.answer_due_at)
        return {
          title: "Your request is with the artist.",
          text: `No deposit is required. ${artist.name} accepts or declines by ${formatDeadline(booking.answer_due_at)}. ${held ? "Until then you hold the night." : "Until then the date is not held."}`,
          tone: "",
        };
      if (!booking.answered_by_email)
        return {
          title: "You cannot pay the deposit now.",
          text: "Nothing is due, and the date is not held.",
          tone: "gold",
        };
      return {
        title: "Your request is with the artist.",
        text: `${artist.name} answers by email. Nothing is due, and the date is not held.`,
        tone: "",
      };
    case "deposit_paid":
      return {
        title: `${day} is yours.`,
        text: "You do not need to do anything now. We email you the contract.",
        tone: "green",
      };
    case "contract_sent":
      return {
        title: "The contract is waiting for signatures.",
        text: `${booking.viewer === "guest" && can.sign ? `We emailed the signing link to ${booking.promoter_email ?? "you"}. ` : ""}${describeSigningOrder(booking)} ${booking.balance_paid ? "The balance is already paid." : "The balance follows once both have signed."}`,
        tone: "blue",
      };
    case "contract_signed":
      if (booking.automatic_payment)
        return {
          title:
            booking.automatic_payment.state === "charging"
              ? "The balance is being charged."
              : "You do not need to do anything now.",
          text: describeAutomaticPayment(booking.automatic_payment),
          tone: "blue",
        };
      if (unpaidAfterStart(booking)) return unpaidAfterStartMessage(booking);
      if (can.pay === "balance" && booking.balance?.overdue)
        return {
          title: "The balance is overdue.",
          text: `${describeDecline(booking)}It ${describeDue(booking.balance)}. ${booking.balance.artist_decides ? `Until it is paid, ${artist.name} may release the date. The cancellation terms then determine your refund.` : "Pay it now to keep the date."}`,
          tone: booking.balance.artist_decides ? "cherry" : "gold",
        };
      if (can.pay === "balance")
        return {
          title: `${isBalanceFarAhead(booking) ? "Next" : "Now"}: pay the balance.`,
          text: `${describeDecline(booking)}It is ${money.balance_due ? `due on ${formatDayAndMonth(money.balance_due)}` : "already due"}.${booking.balance?.extended ? ` ${artist.name} gave you more time.` : ""}`,
          tone: "blue",
        };
      if (booking.balance_unpayable)
        return { title: "The contract is signed.", text: describeUnpayable(booking), tone: "gold" };
      if (can.complete)
        return {
          title: "The show is over.",
          text: `Confirm that ${artist.name} performed${can.report_no_show ? `, or report a no-show by ${formatDeadline(noShowReportEndsAt(new Date(booking.ends_at)))}` : ""}. Otherwise we confirm it ${completionHours} hours after the show.`,
          tone: "blue",
        };
      return {
        title: "Everything is paid and signed.",
        text: booking.deadlines.some(({ kind }) => kind === "show_starts")
          ? `See you on ${day}.`
          : "The show has begun.",
        tone: "green",
      };
    case "completed":
      return { title: "The show is completed.", text: `Thank you for booking ${artist.name}.`, tone: "green" };
    case "canceled":
      return canceledMessage(booking);
  }
}

const canceledMessage = (booking: BookingResponse): StatusMessage =>
  booking.cancel_code === "date_lost"
    ? {
        title: "This date is no longer available.",
        text: `The request has ended. ${describeReturned(booking)}`,
        tone: "cherry",
      }
    : { title: "This booking is canceled.", text: describeReturned(booking), tone: "cherry" };
