/** What a payment link pays, or why it no longer pays. It opens nothing else: the payer sees first name and night, no address and no contract. */

import { CircleHelp, FileText, Lock } from "lucide-react";
import type { ReactNode } from "react";
import type { PaymentKind } from "#payments/rules.ts";
import { formatMoney, formatPercent } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import type { ApiClient } from "../../lib/api/api-context.ts";
import { formatDay, formatDayAndMonth, formatInstant } from "../../lib/format/dates.ts";
import { LinkButton } from "../../ui/button.tsx";
import { DetailRow } from "../../ui/detail-row.tsx";
import { Amount, PosterPage } from "../poster-page.tsx";
import posterPage from "../poster-page.module.css";

export type PaidFor = Awaited<ReturnType<ApiClient["bookings"]["payLink"]>>;
type Link = Readonly<{ kind: PaymentKind; paidFor: PaidFor }>;

export function payTitle(kind: PaymentKind, paidFor: PaidFor): string {
  const { state, artist, event_date, amount_cents, currency } = paidFor;
  const what = `${kind} for ${artist.name}, ${formatDay(event_date, { short: true })}`;
  const title = state === "due" ? `Pay ${formatMoney(amount_cents, currency)}` : stateTexts(kind, paidFor).title;
  return `${title}: ${what}`;
}

export function DuePayment({ kind, paidFor, children }: Link & { children: ReactNode }) {
  const { promoter_name: name, artist, currency } = paidFor;
  return (
    <PosterPage artist={artist} night={paidFor}>
      <p className={posterPage.kicker}>
        {kind === "deposit" ? "Requested" : "Booked"} by <strong>{name}</strong>
      </p>
      <h1>
        The {kind} for {artist.name}
      </h1>
      <Amount remark={`${shareOf(kind, paidFor)} No fees on top.`}>
        {formatMoney(paidFor.amount_cents, currency)}
      </Amount>
      <dl className={posterPage.details}>
        <DetailRow label="For">
          {paidFor.event_type}, {formatDay(paidFor.event_date, { year: true })}
        </DetailRow>
        <DetailRow label="Booking">
          <span className="num">{paidFor.number}</span>
        </DetailRow>
        <WhenToPay kind={kind} paidFor={paidFor} />
        {kind === "deposit" && paidFor.balance_cents > 0 ? (
          <DetailRow label="Later">
            The other {formatMoney(paidFor.balance_cents, currency)}{" "}
            {paidFor.balance_due
              ? `by ${formatDayAndMonth(paidFor.balance_due)}.`
              : "once both have signed the contract."}
          </DetailRow>
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
          The receipt goes to {name}, or to you if you enter your name above. Refunds go back to your card.
        </li>
        <li>
          <CircleHelp aria-hidden />
          Not expecting this payment? Close this page. Nothing is charged.
        </li>
      </ul>
    </PosterPage>
  );
}

/** A balance has a due day. A deposit has none: only the date can be lost. */
function WhenToPay({ kind, paidFor: { pay_by: day, held_until: held, time_zone: zone } }: Link) {
  if (kind === "deposit")
    return (
      <DetailRow label="Date">
        {held ? (
          <>
            Held until <strong>{formatInstant(held, zone)}</strong>. If the deposit is not paid by then, other promoters
            can request the date.
          </>
        ) : (
          "Not held yet. Paying books it."
        )}
      </DetailRow>
    );
  return day ? (
    <DetailRow label="Pay by">
      <strong>{formatDay(day)}</strong>
    </DetailRow>
  ) : null;
}

const shareOf = (kind: PaymentKind, { deposit_percent, fee_cents, currency }: PaidFor): string =>
  kind === "deposit"
    ? `${formatPercent(deposit_percent)} of ${formatMoney(fee_cents, currency)}.`
    : `The rest of ${formatMoney(fee_cents, currency)}.`;

type OtherStateProps = Readonly<{
  paidFor: Pick<PaidFor, "artist" | "event_date" | "event_time">;
  title: string;
  text: string;
  role?: "alert";
  children: ReactNode;
}>;

export function OtherState({ title, text, role, paidFor, children }: OtherStateProps) {
  const { artist, event_date } = paidFor;
  return (
    <PosterPage artist={artist} night={paidFor}>
      <p className={posterPage.kicker}>
        {artist.name}, {formatDay(event_date)}
      </p>
      <h1>{title}</h1>
      <p className={posterPage.lead} role={role}>
        {text}
      </p>
      <div className={posterPage.bar}>{children}</div>
    </PosterPage>
  );
}

export const ArtistLink = ({ artist: { slug, name } }: Pick<PaidFor, "artist">) => (
  <LinkButton tone="line" size="big" wide href={paths.artist(slug)}>
    See {name}
  </LinkButton>
);

/** Returns the texts of a link whose payment is made, not due yet or no longer possible. */
export function stateTexts(kind: PaymentKind, { state, message }: PaidFor) {
  switch (state) {
    case "paid":
      return {
        title: kind === "deposit" ? "The deposit is paid" : "Paid in full",
        text: "Nothing more to pay with this link.",
      };
    case "not_due":
      return { title: "Nothing to pay yet", text: message ?? "" };
    default:
      return { title: "This link has ended", text: message ?? "" };
  }
}
