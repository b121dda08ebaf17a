import type { ReactNode } from "react";
import type { ArtistProfile } from "#artists/api.ts";
import { type FormField, holdLimits } from "#bookings/rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import type { ValidationMessages } from "../../lib/form-validation.ts";
import { daysBetween, formatDay, localToday } from "../../lib/format/dates.ts";
import { LinkButton } from "../../ui/button.tsx";
import type { Check } from "./use-date-check.ts";
import styles from "./booking.module.css";

type Props = {
  artist: Pick<ArtistProfile, "name" | "slug" | "hold_days">;
  date: string;
  check: Check | undefined;
  failed: string | undefined;
} & Pick<ChoicesProps, "onChoose">;

type DateState = Check["date"]["state"];

const fieldMessages: Partial<Record<DateState, string>> = {
  taken: "This date is not available. Choose another one.",
  held: "This date is on hold. Choose another one, or wait until the hold has ended.",
  closed: "This artist does not play on this date. Choose another one.",
  too_soon: "This date cannot be booked. Choose a later one.",
  too_far: "This date is too far ahead. Choose an earlier one.",
};

const kindMessage = "This artist does not play events of this kind.";

/** Returns true for a date or kind of event that the artist does not play. It shows no deposit, because none can be paid. */
export const isRefused = (state: DateState): boolean => state === "kind_declined" || state in fieldMessages;

export function dateFieldMessage(check: Check | undefined): ValidationMessages<FormField> {
  if (check?.date.state === "kind_declined") return { eventType: kindMessage };
  const message = check && fieldMessages[check.date.state];
  return message ? { eventDate: message } : {};
}

const choiceTitles: Partial<Record<DateState, string>> = {
  too_soon: "First possible dates",
  too_far: "Last possible dates",
};

export function DateAnswer({ artist, date, check, failed, onChoose }: Props) {
  const { nearest = [], next_valid: valid } = check?.date ?? {};
  const calendarLink =
    check && fieldMessages[check.date.state] ? (
      <a className="small" href={paths.availability(artist.slug, date)}>
        See the whole calendar
      </a>
    ) : null;
  if (failed)
    return (
      <p className="note gold">
        The date could not be checked just now: {failed} It is checked again when you send the form.
      </p>
    );
  return (
    <>
      <DateSlip artist={artist.name} date={date} check={check} />
      {artist.hold_days === null ? null : (
        <HoldLink slug={artist.slug} night={check?.date.night ?? date} state={check?.date.state} />
      )}
      {nearest.length > 0 ? (
        <Choices
          title={(check && choiceTitles[check.date.state]) ?? "Nearest free dates"}
          choices={nearest.map((day) => ({
            request: { date: day.date },
            label: formatDay(day.date, { short: true, year: isFarAhead(day.date) }),
            reason: day.reason,
          }))}
          link={calendarLink}
          onChoose={onChoose}
        />
      ) : (
        calendarLink
      )}
      {valid ? (
        <Choices
          title="Next valid time"
          choices={[{ request: valid, label: valid.time, reason: formatDay(valid.date, { short: true }) }]}
          onChoose={onChoose}
        />
      ) : null}
    </>
  );
}

/** Returns true for a day that could be read as a past one without its year. */
const isFarAhead = (day: string): boolean => daysBetween(localToday(), day) > 180;

function HoldLink({ slug, night, state }: Readonly<{ slug: string; night: string; state: DateState | undefined }>) {
  const to = paths.promoterArea.newHold(slug, night);
  if (state === "held")
    return (
      <LinkButton tone="line" href={to}>
        Join the queue
      </LinkButton>
    );
  if (state === "free")
    return (
      <p className="small">
        Not sure yet? <a href={to}>Hold this night while you decide</a>. It costs nothing.
      </p>
    );
  if (state && state !== "incomplete") return null;
  return (
    <p className={`small ${styles.otherNight}`}>
      Not sure yet? <a href={paths.promoterArea.newHold(slug)}>Hold a night while you decide</a>. It costs nothing.
    </p>
  );
}

const signs = {
  green: <path d="M5.5 10.4l3 3 6-6.4" fill="none" stroke="var(--green-p)" strokeWidth="2.2" />,
  gold: <path d="M10 5v5l3.4 2.2" fill="none" stroke="var(--gold-p)" strokeWidth="2.2" />,
  cherry: <path d="M6.3 6.3l7.4 7.4M13.7 6.3l-7.4 7.4" fill="none" stroke="var(--cherry-p)" strokeWidth="2.2" />,
};

const note = `note ${styles.result}`;

function DateSlip({ artist, date, check }: { artist: string } & Pick<Props, "date" | "check">) {
  const slip = check?.date;
  if (!date) return <p className={note}>Choose a date to see whether {artist} is available.</p>;
  if (!slip)
    return (
      <p className={note}>
        We are checking whether {artist} is available on {formatDay(date)}.
      </p>
    );
  if (slip.state === "incomplete") return <p className={note}>{slip.message}</p>;
  if (slip.state === "free") return <Slip tone="green" message={`${slip.message} ${freeNotes[check.checkout]}`} />;
  if (slip.state === "own_booking" && slip.booking_id)
    return (
      <>
        <Slip tone="green" message={slip.message} />
        <p className="small">
          <a href={paths.guestBooking(slip.booking_id)}>Open the booking</a>
        </p>
      </>
    );
  if (slip.state === "too_many_holds" && slip.open_checkouts.length > 0)
    return (
      <>
        <Slip tone="cherry" message={slip.message} />
        <ul className="small">
          {slip.open_checkouts.map(({ slug, name, event_date: day }) => (
            <li key={`${slug} ${day}`}>
              <a href={paths.book(slug, day)}>
                {formatDay(day, { short: true })}, {name}: pay or release
              </a>
            </li>
          ))}
        </ul>
      </>
    );
  return (
    <Slip
      tone={slip.state === "held" || slip.state === "own_hold" ? "gold" : "cherry"}
      message={slip.state === "taken" ? `${slip.message} Your entries stay as they are.` : slip.message}
    />
  );
}

const freeNotes: Record<Check["checkout"], string> = {
  deposit: `We hold it for ${holdLimits.shownMinutes} minutes while you pay. Once the deposit is paid, it is yours.`,
  on_request: "A request does not hold the date. Others can still book it.",
  no_deposit: "A request does not hold the date. It is yours when the artist accepts.",
  payments_not_set_up: "A request does not hold the date. Others can still book it.",
};

function Slip({ tone, message }: { tone: keyof typeof signs; message: string }) {
  const [first = "", ...rest] = message.split(/(?<=\.) /);
  return (
    // A new element for a new message, because the browser counts moved text as a layout shift.
    <p key={message} className={`${note} ${tone} ${styles.slip}`}>
      <svg viewBox="0 0 20 20" aria-hidden>
        <circle cx="10" cy="10" r="10" fill="currentColor" />
        {signs[tone]}
      </svg>
      <span>
        <strong>{first}</strong> {rest.join(" ")}
      </span>
    </p>
  );
}

export type ChoicesProps = {
  title: string;
  link?: ReactNode;
  choices: readonly { request: { date: string; time?: string }; label: string; reason: string }[];
  onChoose(request: { date: string; time?: string }): void;
};

function Choices({ title, link, choices, onChoose }: ChoicesProps) {
  return (
    <div role="group" aria-label={title}>
      <div className={styles.choicesHead}>
        <p>{title}</p>
        {link}
      </div>
      <div className={styles.dates}>
        {choices.map(({ request, label, reason }) => (
          <button key={request.date} type="button" onClick={() => onChoose(request)}>
            {label}
            <small>{reason}</small>
          </button>
        ))}
      </div>
    </div>
  );
}
