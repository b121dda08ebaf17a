import { balanceDueDays } from "#bookings/rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { addDays, formatDayAndMonth, localMoment, localToday } from "../../lib/format/dates.ts";
import { chargeStep, type Step } from "../../booking/progress.ts";
import type { PaidBooking } from "./use-paid-booking.ts";

function dueDay({ event_date: date }: PaidBooking["booking"]): string | undefined {
  const due = addDays(date, -balanceDueDays);
  return due > localToday() ? formatDayAndMonth(due) : undefined;
}

export function balanceLabel({ booking, automatic }: PaidBooking): string {
  if (automatic) return "Balance, charged automatically";
  const day = dueDay(booking);
  return day ? `Balance, ${day}` : "Balance";
}

export function stepsOf({ payment, booking, balance, automatic }: PaidBooking): Step[] {
  const at = payment.payment_date ? localMoment(payment.payment_date) : undefined;
  const when = at ? `${at.day === localToday() ? "today" : formatDayAndMonth(at.day)} ${at.time}` : undefined;
  const show: Step = {
    title: "The show",
    text: "We pay the artist after the show.",
    when: formatDayAndMonth(booking.event_date),
  };
  if (payment.kind === "balance")
    return [
      {
        title: "Balance received",
        text: `${formatMoney(payment.amount, payment.currency)} is held until after the show.`,
        when,
        done: true,
      },
      show,
    ];
  const due = dueDay(booking);
  return [
    {
      title: "Deposit received",
      text: `${formatMoney(payment.amount, payment.currency)} is held until after the show.`,
      when,
      done: true,
    },
    { title: "Contract", text: "We email it within 24 hours. You can sign in any order." },
    ...(balance > 0
      ? [
          {
            title: "Balance",
            ...(automatic
              ? chargeStep(automatic, payment.currency)
              : {
                  text: `${formatMoney(balance, payment.currency)}, once both sides have signed.`,
                  when: due ? `by ${due}` : undefined,
                }),
          },
        ]
      : []),
    show,
  ];
}
