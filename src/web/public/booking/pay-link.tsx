/** What an email's link pays, or why it no longer pays. The payer sees first name and night, no address and no contract. */
import { CircleHelp, FileText, Lock } from "lucide-react";
import type { ReactNode } from "react";
import type { PaymentKind } from "#payments/rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import type { ApiClient } from "../../lib/api/api-context.ts";
import { formatDay, formatDayAndMonth } from "../../lib/format/dates.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Amount, Detail, posterPage, PosterPage } from "../poster-page.tsx";

export type PaidFor = Awaited<ReturnType<ApiClient["bookings"]["payLink"]>>;
type Link = Readonly<{ bookingId: string; kind: PaymentKind; paidFor: PaidFor }>;

export function payTitle(kind: PaymentKind, { artist, event_date, amount_cents, currency }: PaidFor): string {
  const what = `${kind} for ${artist.name}, ${formatDay(event_date, { short: true })}`;
  return `Pay ${formatMoney(amount_cents, currency)}: ${what}`;
}

export function DuePayment({ kind, paidFor, children }: Link & { children: ReactNode }) {
  const { promoter_name: name, artist, is_payer: isPayer, currency } = paidFor;
  return (
    <PosterPage artist={artist} night={paidFor}>
      <p className={posterPage.kicker}>
        {isPayer ? (
          <>
            Booked by <strong>{name}</strong>
          </>
        ) : (
          "Your booking"
        )}
      </p>
      <h1>
        The {kind} for {artist.name}
      </h1>
      <Amount remark={`${shareOf(kind, paidFor)} No fees on top.`}>
        {formatMoney(paidFor.amount_cents, currency)}
      </Amount>
      <dl className={posterPage.details}>
        <Detail label="For">
          {paidFor.event_type}, {formatDay(paidFor.event_date, { year: true })}
        </Detail>
        <Detail label="Booking">
          <span className="num">{paidFor.number}</span>
        </Detail>
        {paidFor.pay_by ? (
          <Detail label="Pay by">
            <strong>{formatDay(paidFor.pay_by)}</strong>
          </Detail>
        ) : null}
        {kind === "deposit" && paidFor.balance_cents > 0 ? (
          <Detail label="Later">
            The other {formatMoney(paidFor.balance_cents, currency)}{" "}
            {paidFor.balance_due
              ? `by ${formatDayAndMonth(paidFor.balance_due)}.`
              : "once both have signed the contract."}
          </Detail>
        ) : null}
      </dl>
      {children}
      <ul className={posterPage.notes}>
        <li>
          <Lock aria-hidden />
          You pay by card on the page of our payment provider. We never see your card number.
        </li>
        <li>
          <FileText aria-hidden />
          {isPayer
            ? `The receipt goes to ${name}, or to you if you enter your name above. Refunds go back to your card.`
            : "We email you the receipt. Refunds go back to your card."}
        </li>
        <li>
          <CircleHelp aria-hidden />
          {isPayer ? "Not expecting this payment?" : "Not your booking?"} Close this page. Nothing is charged.
        </li>
      </ul>
    </PosterPage>
  );
}

const shareOf = (kind: PaymentKind, { deposit_percent, fee_cents, currency }: PaidFor): string =>
  kind === "deposit"
    ? `${deposit_percent}% of ${formatMoney(fee_cents, currency)}.`
    : `The rest of ${formatMoney(fee_cents, currency)}.`;

export function OtherState({
  title,
  text,
  role,
  bookingId,
  paidFor,
  children,
}: Omit<Link, "kind"> & { title: string; text: string; role?: "alert"; children?: ReactNode }) {
  const { artist, event_date, is_payer: isPayer } = paidFor;
  const line = { tone: "line", size: "big", wide: true } as const;
  return (
    <PosterPage artist={artist} night={paidFor}>
      <p className={posterPage.kicker}>
        {artist.name}, {formatDay(event_date)}
      </p>
      <h1>{title}</h1>
      <p className={posterPage.lead} role={role}>
        {text}
      </p>
      <div className={posterPage.bar}>
        {children}
        {isPayer ? (
          <a className={buttonClass(line)} href={paths.artist(artist.slug)}>
            See {artist.name}
          </a>
        ) : (
          <a className={buttonClass(children ? line : { ...line, tone: "main" })} href={paths.guestBooking(bookingId)}>
            Open the booking
          </a>
        )}
      </div>
    </PosterPage>
  );
}

/** Returns the texts of a link that is paid, too early or expired. A used one may still pay in the browser that opened it. */
export function stateTexts(kind: PaymentKind, { state, message, artist, promoter_name, is_payer }: PaidFor) {
  switch (state) {
    case "paid":
      return {
        title: kind === "deposit" ? "Paid. The night is booked." : "Paid in full",
        text: is_payer
          ? `Nothing more to pay. We have notified ${promoter_name} and ${artist.name}.`
          : `Nothing more to pay with this link. We have notified ${artist.name}.`,
      };
    case "not_due":
      return { title: "Nothing to pay yet", text: message ?? "" };
    case "used":
      return {
        title: "This link was already used",
        text: "A payment link works once. Nothing was charged. Continue in the browser that opened it, or use the newest link from your email.",
      };
    default:
      return { title: "This link has ended", text: message ?? "" };
  }
}
