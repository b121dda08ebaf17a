/** /booking/{id}: one's own request without an account, by the browser's cookie or the signed link of an email. */
import { useCallback, useEffect, useState } from "react";
import { useParams, useSearchParams } from "react-router";
import { posterUrl } from "#artists/rules.ts";
import { bookingStatusLabel } from "#bookings/rules.ts";
import { formatMoney } from "#payments/money.rules.ts";
import { apiErrorOf } from "../../lib/api/api-error.ts";
import { formatDay, formatDayAndMonth, localMoment } from "../../lib/format/dates.ts";
import { paths } from "../../paths.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { toast } from "../../ui/toaster.tsx";
import shared from "../programme.module.css";
import { Steps, Stub, StubLine } from "./steps.tsx";

export const meta = () => [
  { title: "Your booking" },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "no-referrer" },
];

type Api = typeof import("../../lib/api/browser-api.ts").browserApi;
type Booking = Awaited<ReturnType<Api["bookings"]["read"]>>;
type State =
  | Readonly<{ phase: "asking" | "closed" }>
  | Readonly<{ phase: "failed"; message: string; reference: string | undefined }>
  | Readonly<{ phase: "known"; booking: Booking }>;

/** Reads the booking. A signed link is traded for the browser's cookie first and leaves the address, so that nobody copies it. */
async function readBooking(id: string, link: string | null): Promise<State> {
  const { browserApi } = await import("../../lib/api/browser-api.ts");
  try {
    const booking = link ? await browserApi.bookings.open({ id, link }) : await browserApi.bookings.read({ id });
    return { phase: "known", booking };
  } catch (error) {
    const { status, message, reference } = apiErrorOf(error);
    return status === 404 || status === 400 ? { phase: "closed" } : { phase: "failed", message, reference };
  }
}

export default function GuestBookingPage() {
  const { id = "" } = useParams();
  const [query, setQuery] = useSearchParams();
  const link = query.get("link");
  const [state, setState] = useState<State>({ phase: "asking" });
  const load = useCallback(async () => {
    const next = await readBooking(id, link);
    setState(next);
    if (link && next.phase === "known") setQuery({}, { replace: true });
  }, [id, link, setQuery]);
  useEffect(() => {
    void load();
    // Paying happens in another tab; whoever comes back reads how things stand now.
    const again = () => void load();
    window.addEventListener("focus", again);
    return () => window.removeEventListener("focus", again);
  }, [load]);
  switch (state.phase) {
    case "asking":
      return (
        <div className={shared.mid} aria-busy>
          <h1>Your booking</h1>
          <p className={shared.lead} role="status">
            One moment, the booking is being looked up.
          </p>
        </div>
      );
    case "closed":
      return <Closed id={id} />;
    case "failed":
      return (
        <div className={shared.mid}>
          <ErrorState
            heading="h1"
            title="Your booking could not be read"
            text={state.message}
            reference={state.reference}
            onRetry={() => void load()}
          />
        </div>
      );
    case "known":
      return <Known booking={state.booking} />;
  }
}

/** The link has ended, or an account owns the booking by now. */
function Closed({ id }: Readonly<{ id: string }>) {
  const send = async () => {
    const { browserApi } = await import("../../lib/api/browser-api.ts");
    try {
      const { message } = await browserApi.bookings.sendLink({ id });
      toast({ title: "New link", text: message });
    } catch (error) {
      toast({ tone: "error", title: "Error", text: apiErrorOf(error).message });
    }
  };
  return (
    <div className={shared.mid}>
      <h1>This link does not open a booking</h1>
      <p className={shared.lead}>
        Links from emails work for 30 days, until an account with that address shows the booking. A new one is sent to
        the address of the request.
      </p>
      <div className={shared.actions}>
        <Button onClick={() => void send()}>Send a new link</Button>
        <a className={buttonClass({ tone: "line" })} href={paths.signIn}>
          Sign In
        </a>
      </div>
    </div>
  );
}

const payLabels = { deposit: "Pay Deposit", balance: "Pay Balance" } as const;

function Known({ booking }: Readonly<{ booking: Booking }>) {
  const { artist, money, can, hold, date, currency } = booking;
  return (
    <div className={shared.mid}>
      <h1>{formatDay(booking.event_date)}</h1>
      <p className={shared.lead} role="status">
        {hold
          ? "The date is held for you: your checkout is open."
          : (date?.message ?? bookingStatusLabel(booking.status))}
      </p>
      <Stub artist={{ ...artist, picture_url: posterUrl(artist) }}>
        <StubLine word="Booking">
          <span className="num">{booking.number}</span>
        </StubLine>
        <StubLine word="Status">{bookingStatusLabel(booking.status)}</StubLine>
        <StubLine word="Event">
          {formatDay(booking.event_date, { short: true, year: true })}, {booking.event_time}
        </StubLine>
        <StubLine word="Venue">{booking.venue_name}</StubLine>
        {money.fee_cents > 0 ? (
          <>
            <StubLine word="Price">{formatMoney(money.fee_cents, currency)}</StubLine>
            <StubLine word="Paid">{formatMoney(money.paid_cents - money.refunded_cents, currency)}</StubLine>
          </>
        ) : null}
      </Stub>
      <section className={shared.part}>
        <h2>So far</h2>
        <Steps
          steps={booking.timeline.map(({ at, text }) => {
            const moment = localMoment(at);
            return { text, when: `${formatDayAndMonth(moment.day)} ${moment.time}`, done: true };
          })}
        />
      </section>
      <div className={shared.actions}>
        {can.pay ? (
          <a className={buttonClass()} href={paths.pay(booking.id, can.pay)} target="_blank" rel="noopener">
            {payLabels[can.pay]}
            <span className="sr"> (opens in a new tab)</span>
          </a>
        ) : null}
        {booking.has_account ? null : (
          <a className={buttonClass({ tone: can.pay ? "line" : "main" })} href={paths.signUp}>
            Create an account to follow it
          </a>
        )}
        <a className={buttonClass({ tone: "line" })} href={paths.artist(artist.slug)}>
          Back to {artist.name}
        </a>
      </div>
    </div>
  );
}
