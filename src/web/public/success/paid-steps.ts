import { balanceDueDay } from "#bookings/rules/money/due-day.rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { chargeStep, describeSigningOrder, isPromoter, type Step } from "../../booking/status/progress.ts";
import { currentTime } from "../../lib/clock.ts";
import { formatDayAndMonth, formatMomentAlone, formatDeadline } from "../../lib/format/dates.ts";
import type { PaidBooking } from "./use-paid-booking.ts";

function dueDay({ event_date: date, time_zone: zone }: PaidBooking["booking"]): string | undefined {
  const due = balanceDueDay(date, zone, currentTime());
  return due ? formatDayAndMonth(due) : undefined;
}

export function balanceLabel({ booking, automatic }: PaidBooking): string {
  if (automatic) return "Balance, charged automatically";
  const day = dueDay(booking);
  return day ? `Balance, ${day}` : "Balance";
}

export function stepsOf(paid: PaidBooking): Step[] {
  const { payment, booking, viewer } = paid;
  const amount = formatMoney(payment.amount, payment.currency);
  const played = booking.status === "completed";
  const received = {
    title: payment.kind === "deposit" ? "Deposit received" : "Balance received",
    text: played ? `${amount}.` : `${amount} is held until after the show.`,
    when: payment.payment_date ? formatMomentAlone(payment.payment_date) : undefined,
    done: true,
  };
  const show = {
    title: "The show",
    text: `We pay ${viewer === "artist" ? "you" : "the artist"} after the show.`,
    when: formatDayAndMonth(booking.event_date),
    done: played,
  };
  return payment.kind === "balance" ? [received, show] : [received, contractStep(paid), ...balanceSteps(paid), show];
}

function contractStep({ contract, artist, viewer }: PaidBooking): Step {
  if (contract?.status === "signed")
    return {
      title: "Contract",
      text: "Signed by both sides.",
      when: contract.signed_at ? formatMomentAlone(contract.signed_at) : undefined,
      done: true,
    };
  if (contract?.status !== "sent")
    return {
      title: "Contract",
      text: `We email it within 24 hours, for ${viewer === "admin" ? "both sides" : "both of you"} to sign.`,
    };
  const hasSigned = (side: "promoter" | "artist") =>
    contract.signers.some((signer) => signer.side === side && signer.signed_at !== null);
  return {
    title: "Contract",
    text: !isPromoter({ viewer })
      ? describeSigningOrder({ contract, viewer })
      : hasSigned("promoter")
        ? `You have signed. ${artist.name} has not signed yet.`
        : hasSigned("artist")
          ? `${artist.name} has signed. It is your turn.`
          : `We emailed it to you. ${describeSigningOrder({ contract, viewer })}`,
    when: contract.expires_at ? `by ${formatDeadline(contract.expires_at)}` : undefined,
  };
}

function balanceSteps({ payment: { currency }, booking, contract, balance, automatic }: PaidBooking): Step[] {
  const sum = formatMoney(booking.balance_cents, currency);
  if (booking.balance_paid_at)
    return [
      {
        title: "Balance received",
        text: `${sum}.`,
        when: booking.balance_paid_at ? formatMomentAlone(booking.balance_paid_at) : undefined,
        done: true,
      },
    ];
  if (balance <= 0) return [];
  if (automatic) {
    const step = chargeStep(automatic);
    return [{ ...step, title: "Balance", text: `${sum}, ${step.text.charAt(0).toLowerCase()}${step.text.slice(1)}` }];
  }
  const due = dueDay(booking);
  const text = contract?.status === "signed" ? `${sum}.` : `${sum}, once both sides have signed.`;
  return [{ title: "Balance", text, when: due ? `by ${due}` : undefined }];
}
