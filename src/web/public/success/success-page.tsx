import { useEffect, useRef } from "react";
import { useSearchParams } from "react-router";
import { formatMoney } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { AddToCalendar } from "../../booking/add-to-calendar.tsx";
import { isPromoter } from "../../booking/status/progress.ts";
import { unlessMissing } from "../../lib/api-error.ts";
import { apiContext, asReceived } from "../../lib/api/api-context.ts";
import { mayBeSignedIn } from "../../lib/auth/session.ts";
import { usePageTime } from "../../lib/browser/use-page-time.ts";
import { useTitle } from "../../lib/browser/use-title.ts";
import { formatDay, formatWeekdayDate, formatDayAndMonth } from "../../lib/format/dates.ts";
import type { PageTime } from "../../lib/page-time.ts";
import { renderedTime } from "../../lib/rendered-time.ts";
import { privateHeaders, unlistedMeta } from "../../lib/unlisted-meta.ts";
import { LinkButton } from "../../ui/button.tsx";
import { DetailRow } from "../../ui/detail-row.tsx";
import { ErrorState } from "../../ui/states/states.tsx";
import { BreakableEmail, ArtistSummary, WhatHappensNow } from "../booking/step-list.tsx";
import boxOffice from "../box-office.svg?url";
import { MissingPage } from "../not-found/missing-page.tsx";
import { Amount, PosterPage } from "../poster-page.tsx";
import type { Route } from "./+types/success-page.ts";
import { DatedPoster } from "./dated-poster.tsx";
import { balanceLabel, stepsOf } from "./paid-steps.ts";
import {
  type PaidBooking,
  type PaidForOther,
  type PaidState,
  storedStateOf,
  usePaidBooking,
} from "./use-paid-booking.ts";
import posterPage from "../poster-page.module.css";
import shared from "../programme.module.css";
import spotlight from "../spotlight.module.css";
import hung from "./dated-poster.module.css";

export const meta = () => unlistedMeta("Your payment");

export const headers = privateHeaders;

type Rendered = Readonly<{ state: PaidState; time?: PageTime }>;

const sessionOf = (query: URLSearchParams): string => query.get("session_id") ?? "";

/** The checkout's return page. Renders what is stored for the browser's cookies. The browser then queries the provider. */
export async function loader({ request, context }: Route.LoaderArgs): Promise<Rendered> {
  const sessionId = sessionOf(new URL(request.url).searchParams);
  const stored = { sessionId, state: "stored" } as const;
  const reply = await unlessMissing(context.get(apiContext).bookings.bySession(stored));
  const state = reply ? storedStateOf(asReceived(reply)) : ({ phase: "unknown" } as const);
  // An account may have access. Only the browser knows it.
  if (state.phase === "unknown" && mayBeSignedIn(request.headers.get("cookie") ?? ""))
    return { state: { phase: "asking" } };
  return { state, ...(reply?.found ? { time: await renderedTime(context, reply.booking.time_zone) } : {}) };
}

export const clientLoader = (): Rendered => ({ state: { phase: "asking" } });

export default function SuccessPage({ loaderData }: Route.ComponentProps) {
  usePageTime(loaderData.time);
  const [query] = useSearchParams();
  const { state, retry } = usePaidBooking(sessionOf(query), loaderData.state);
  switch (state.phase) {
    case "asking":
      return <Message title="Your payment" text="One moment, the payment is being looked up." busy />;
    case "confirming":
      return (
        <Message
          title="Your payment is being confirmed"
          text="We are waiting for the payment provider. This page updates automatically. You can close it. We will email you the confirmation."
          busy
        />
      );
    case "late":
      return (
        <Message
          title="Your payment is being confirmed"
          text="This is taking longer than usual. Do not pay again. We email you as soon as the payment is confirmed."
        />
      );
    case "unknown":
      return (
        <Message
          title="We cannot show this payment here"
          text="If you have paid, you need not pay again: we confirm the payment by email. To see it here, sign in, or open this page in the browser you paid with."
        />
      );
    case "failed":
      return (
        <div className="wrap">
          <ErrorState
            heading="h1"
            title="Your payment could not be looked up"
            text={`${state.message} Nothing was changed. You are not charged twice.`}
            reference={state.reference}
            onRetry={retry}
          />
        </div>
      );
    case "known":
      return isBooked(state.paid) ? <PaymentReceived paid={state.paid} /> : <PaymentNotBooked paid={state.paid} />;
    case "payer":
      return <PaidByOther paid={state.paid} />;
  }
}

function PaidByOther({ paid: { payment, booking, receipt_email: email } }: { paid: PaidForOther }) {
  const isPaid = payment.status === "succeeded";
  return (
    <PosterPage artist={booking.artist} night={booking}>
      <p className={posterPage.kicker}>{isPaid ? "Paid" : `Booking ${booking.number}`}</p>
      <h1>{isPaid ? "Thank you, it is paid" : payment.status === "refunded" ? headings.refunded : headings.failed}</h1>
      <p className={posterPage.lead} role="status">
        {isPaid
          ? email
            ? "The receipt is being sent to you."
            : `The receipt goes to ${booking.promoter_name}.`
          : payment.status === "refunded"
            ? "The full amount is refunded to the card it was paid with."
            : "Nothing was charged. You can open the link again and try another card."}
      </p>
      <Amount remark={`${payment.kind === "deposit" ? "Deposit" : "Balance"} for ${booking.artist.name}`}>
        {formatMoney(payment.amount, payment.currency)}
      </Amount>
      <dl className={posterPage.details}>
        <DetailRow label="Booking">
          <span className="num">{booking.number}</span>
        </DetailRow>
        {isPaid && email ? (
          <DetailRow label="Receipt">
            <BreakableEmail address={email} />
          </DetailRow>
        ) : null}
      </dl>
      <div className={posterPage.bar}>
        <LinkButton tone="line" size="big" wide href={paths.artist(booking.artist.slug)}>
          See {booking.artist.name}
        </LinkButton>
      </div>
    </PosterPage>
  );
}

function Message({ title, text, busy = false }: Readonly<{ title: string; text: string; busy?: boolean }>) {
  if (busy)
    return (
      <div className={shared.mid} aria-busy>
        <h1>{title}</h1>
        <p className={`${shared.lead} ${hung.scripted}`} role="status">
          {text}
        </p>
        <noscript>
          <p className={shared.lead}>
            This page needs JavaScript to look up the payment. Do not pay again. If you have paid, we email you the
            confirmation.
          </p>
        </noscript>
      </div>
    );
  return (
    <MissingPage titleIsText title={title} text={<span role="status">{text}</span>} poster={boxOffice}>
      <div className={shared.actions}>
        <LinkButton className="when-in" href={paths.dashboard}>
          Dashboard
        </LinkButton>
        <LinkButton className="when-out" href={paths.signIn}>
          Sign In
        </LinkButton>
        <LinkButton tone="line" href={paths.contact}>
          Contact us
        </LinkButton>
      </div>
    </MissingPage>
  );
}

const headings = {
  succeeded: "Payment Successful!",
  refunded: "The payment was returned",
  failed: "The payment did not go through",
  requires_payment_method: "Pending Payment",
} as const;

const isBooked = ({ payment, booking }: PaidBooking) => payment.status === "succeeded" && booking.status !== "canceled";

function PaymentReceived({ paid }: { paid: PaidBooking }) {
  const { payment, booking, artist, balance } = paid;
  const title = useRef<HTMLHeadingElement>(null);
  useTitle(
    `${payment.kind === "deposit" ? "Booked" : "Paid"}: ${artist.name}, ${formatDayAndMonth(booking.event_date, { short: true })}`,
  );
  // The heading states the result, so a screen reader begins there.
  useEffect(() => title.current?.focus(), []);
  return (
    <>
      <section className={`${spotlight.wall} ${hung.beam}`}>
        <div className={`wrap ${hung.opened}`}>
          <div>
            <h1 ref={title} tabIndex={-1}>
              {headings.succeeded}
            </h1>
            <p className={hung.say} role="status">
              {leadText(paid)}
            </p>
            <dl className={`${shared.lines} ${hung.lines}`}>
              <DetailRow label="Artist">
                {artist.name}, {artist.genre}
              </DetailRow>
              <DetailRow label={amountLabel(paid)}>
                <strong className="num">{formatMoney(payment.amount, payment.currency)}</strong>
              </DetailRow>
              {payment.kind === "deposit" && balance > 0 ? (
                <DetailRow label={balanceLabel(paid)}>
                  <span className="num">{formatMoney(balance, payment.currency)}</span>
                </DetailRow>
              ) : null}
              <DetailRow label="Booking">
                <span className="num">{booking.number}</span>
              </DetailRow>
              {booking.promoter_email ? (
                <DetailRow label="Receipt">
                  <BreakableEmail address={booking.promoter_email} />
                </DetailRow>
              ) : null}
            </dl>
            <div className={`${shared.actions} ${hung.actions}`}>
              <NextStep paid={paid} />
            </div>
          </div>
          <DatedPoster night={{ ...booking, artist: artist.name }} artist={artist} />
        </div>
      </section>
      <div className="wrap">
        <WhatHappensNow steps={stepsOf(paid)} />
      </div>
    </>
  );
}

function PaymentNotBooked({ paid }: { paid: PaidBooking }) {
  const { payment, booking, artist } = paid;
  return (
    <div className={shared.mid}>
      <h1>{payment.status === "succeeded" ? "This booking is canceled" : headings[payment.status]}</h1>
      <p className={shared.lead} role="status">
        {leadText(paid)}
      </p>
      <ArtistSummary artist={artist}>
        <DetailRow label={amountLabel(paid)}>
          <strong className="num">{formatMoney(payment.amount, payment.currency)}</strong>
        </DetailRow>
        <DetailRow label="Event">
          {formatWeekdayDate(booking.event_date)}, {booking.event_time}
        </DetailRow>
        <DetailRow label="Venue">{booking.venue_name}</DetailRow>
        <DetailRow label="Booking">
          <span className="num">{booking.number}</span>
        </DetailRow>
        <DetailRow label="Receipt">
          {booking.promoter_email ? <BreakableEmail address={booking.promoter_email} /> : null}
        </DetailRow>
      </ArtistSummary>
      <div className={shared.actions}>
        <NextStep paid={paid} />
        <LinkButton tone="line" href={paths.browse()}>
          Browse Artists
        </LinkButton>
      </div>
    </div>
  );
}

const ownPage = ({ viewer, booking }: PaidBooking): string =>
  viewer === "admin"
    ? paths.admin.booking(booking.id)
    : viewer === "artist"
      ? paths.artistArea.booking(booking.id)
      : paths.guestBooking(booking.id);

function NextStep({ paid }: { paid: PaidBooking }) {
  const { payment, booking, artist } = paid;
  const isPayer = isPromoter(paid);
  if (isPayer && (payment.status === "failed" || payment.status === "requires_payment_method"))
    return <LinkButton href={paths.pay(booking.id, payment.kind)}>Try again</LinkButton>;
  if (isPayer && payment.status === "refunded")
    return <LinkButton href={paths.artist(artist.slug)}>View other dates of {artist.name}</LinkButton>;
  return (
    <>
      <LinkButton href={ownPage(paid)}>Open the booking</LinkButton>
      <AddToCalendar id={booking.id} canceled={booking.status === "canceled"} />
      {booking.promoter_email ? (
        <LinkButton
          tone="line"
          className="when-out"
          href={paths.signUpAs({ name: booking.promoter_name, email: booking.promoter_email })}
        >
          Create an account with this address
        </LinkButton>
      ) : null}
    </>
  );
}

function amountLabel({ payment }: PaidBooking): string {
  const kind = payment.kind === "deposit" ? "Deposit" : "Balance";
  if (payment.status === "succeeded") return `${kind} paid`;
  return payment.status === "refunded" ? `${kind} returned` : kind;
}

function leadText(paid: PaidBooking): string {
  const { payment, booking, artist, viewer } = paid;
  const isPayer = isPromoter(paid);
  const day = formatDay(booking.event_date);
  if (payment.status === "refunded")
    return `${describeReturn(booking, day)} The full amount is refunded to the card it was paid with.`;
  if (payment.status === "failed")
    return `Nothing was charged.${isPayer ? " You can try again with the same or another card." : ""}`;
  if (payment.status !== "succeeded") return "The payment has not been made yet.";
  if (booking.status === "canceled") return "The payment was received. The page of the booking shows what is refunded.";
  if (payment.kind === "balance") return `We pay ${viewer === "artist" ? "you" : artist.name} after the show.`;
  return isPayer
    ? `${day} is yours. ${artist.name} is booked.`
    : `${day} is booked. ${booking.promoter_name} has paid the deposit.`;
}

function describeReturn(booking: PaidBooking["booking"], day: string): string {
  if (booking.cancel_code === "date_lost") return `${day} was no longer available when the payment arrived.`;
  return booking.status === "canceled" ? "The booking was canceled." : "The booking did not need this payment.";
}
