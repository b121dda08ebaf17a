import { useEffect, useRef } from "react";
import type { ArtistProfile } from "#artists/api.ts";
import { answerHours } from "#bookings/rules/acceptance.rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import type { browserApi } from "../../lib/api/browser-api.ts";
import { formatWeekdayDate, formatDeadline } from "../../lib/format/dates.ts";
import { LinkButton } from "../../ui/button.tsx";
import { DetailRow } from "../../ui/detail-row.tsx";
import { BreakableEmail, ArtistSummary, WhatHappensNow } from "./step-list.tsx";
import shared from "../programme.module.css";

export type SentBooking = Awaited<ReturnType<typeof browserApi.bookings.request>>;

export function BookingThanks({ artist, booking }: { artist: ArtistProfile; booking: SentBooking }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus();
    const before = document.title;
    document.title = "Thank you, your request is sent";
    return () => {
      document.title = before;
    };
  }, []);
  return (
    <div className={shared.mid}>
      <h1 ref={heading} tabIndex={-1}>
        Thank you, your request is sent
      </h1>
      <p className={shared.lead}>You have paid nothing and the date is not held.</p>
      <ArtistSummary artist={artist}>
        <DetailRow label="Price">
          <strong>{booking.fee_cents > 0 ? formatMoney(booking.fee_cents, booking.currency) : "On request"}</strong>
        </DetailRow>
        <DetailRow label="Event">
          {formatWeekdayDate(booking.event_date)}, {booking.event_time}
        </DetailRow>
        <DetailRow label="Venue">{booking.venue_name}</DetailRow>
        <DetailRow label="Booking">
          <span className="num">{booking.number}</span>
        </DetailRow>
        <DetailRow label="Answer goes to">
          <BreakableEmail address={booking.promoter_email} />
        </DetailRow>
      </ArtistSummary>
      <WhatHappensNow
        steps={[
          {
            title: "Request sent",
            text: booking.answered_by_email
              ? `${artist.name} gets everything that you entered in the form.`
              : `${artist.name} gets your request. Your email address and phone number follow in the contract.`,
            done: true,
          },
          ...(booking.needs_confirmation
            ? [
                {
                  title: "Confirm it",
                  text: "This address has an account here. Sign in and confirm that you sent the request.",
                },
              ]
            : []),
          ...stepsAfterSending(artist, booking),
        ]}
      />
      <div className={shared.actions}>
        {booking.needs_confirmation ? (
          <LinkButton to={paths.promoterArea.booking(booking.id)}>Sign in to confirm</LinkButton>
        ) : (
          <>
            <LinkButton to={paths.guestBooking(booking.id)}>Open the booking</LinkButton>
            <LinkButton
              tone="line"
              className="when-out"
              to={paths.signUpAs({ name: booking.promoter_name, email: booking.promoter_email })}
            >
              Create an account with this address
            </LinkButton>
          </>
        )}
        <LinkButton tone="line" to={paths.browse()}>
          Browse Artists
        </LinkButton>
      </div>
    </div>
  );
}

function stepsAfterSending({ name }: ArtistProfile, booking: SentBooking) {
  if (booking.answered_by_email)
    return [
      { title: "An answer", text: `${name} has your request and answers by email.` },
      { title: "The date", text: "Not held. Others can book it." },
    ];
  if (booking.answer_due_at === null)
    return [{ title: "The date", text: "Yours when the deposit is paid. Until then, other promoters can book it." }];
  return [
    {
      title: "An answer",
      text: `${name} accepts or declines within ${answerHours} hours. We email you.`,
      when: booking.needs_confirmation ? undefined : `by ${formatDeadline(booking.answer_due_at)}`,
    },
    { title: "The date", text: "Yours as soon as the request is accepted. Until then others can book it." },
    {
      title: "The contract and the balance",
      text: "The contract follows within 24 hours. The whole price is the balance.",
    },
  ];
}
