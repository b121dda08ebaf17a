import { type ReactNode, useRef } from "react";
import type { ArtistProfile } from "#artists/api.ts";
import {
  describeDuration,
  eventKindOf,
  eventTypes,
  type FormField,
  maxLengths,
  maxGuests,
  readDuration,
} from "#bookings/rules.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { localInstant } from "#platform/time/local-time.rules.ts";
import { formatTimeZone } from "#platform/time/time-zones.rules.ts";
import { ContractText } from "../../booking/contract/contract-text.tsx";
import { useHydrated } from "../../lib/browser/use-hydrated.ts";
import { phoneQuery, useMediaQuery } from "../../lib/browser/use-media-query.ts";
import type { ValidationMessages } from "../../lib/form-validation.ts";
import { isDay, timeIn } from "../../lib/format/dates.ts";
import { Button } from "../../ui/button.tsx";
import { DateField } from "../../ui/date-field/date-field.tsx";
import { artistLimits, todayIn } from "../../ui/date-field/day-limits.ts";
import { controlProps, FieldLayout, SelectField, TextArea, TextField } from "../../ui/fields/field.tsx";
import { LostRequest } from "../../ui/states/lost-request.tsx";
import type { SearchedDate } from "../searched-date.ts";
import { bookingText, contractQuestion } from "./booking-form-validation.ts";
import type { SentBooking } from "./booking-thanks.tsx";
import { OwnHoldNotice } from "./current-hold.tsx";
import { DateAnswer, dateFieldMessage } from "./date-availability.tsx";
import { PhoneBar, PricePanel } from "./price-panel.tsx";
import { useBooking } from "./use-booking.ts";
import type { Check, RequestedTime } from "./use-date-check.ts";
import shared from "../programme.module.css";
import styles from "./booking.module.css";

type Props = { artist: ArtistProfile; searched: SearchedDate; onSent(booking: SentBooking): void };

export function BookingForm({ artist, searched, onSent }: Props) {
  const ready = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const booking = useBooking(form, artist, searched, onSent);
  const { busy, wrong, check, zone } = booking;
  const closed = check !== undefined && check.date.state !== "incomplete" && check.date.state !== "free";
  const missing = check?.date.state === "invalid_time";
  const onPhone = useMediaQuery(phoneQuery);
  const panel = { artist, date: booking.request.eventDate, check, failed: booking.failed };
  const answer = { ...panel, onChoose: booking.chooseNearest };
  const shown = { ...dateFieldMessage(check), ...wrong };
  const isOwnHold = check?.date.state === "own_hold";
  const button = (position: "panel" | "bar") => (
    <Button
      type="submit"
      form="booking"
      size={position === "panel" ? "big" : undefined}
      wide={position === "panel"}
      tone={check?.own_hold?.open ? "line" : "main"}
      className={styles.send}
      busy={busy}
      busyLabel="Submitting..."
      disabled={!ready || closed}
      data-waiting={!ready || undefined}
    >
      Request booking
    </Button>
  );
  return (
    <>
      {check?.own_hold ? (
        <OwnHoldNotice
          key={check.own_hold.booking_id}
          artist={artist.name}
          hold={check.own_hold}
          onChanged={(isReleased) => {
            booking.recheck();
            if (isReleased) form.current?.querySelector("input")?.focus();
          }}
        />
      ) : null}
      <div className={shared.cols}>
        <form
          id="booking"
          ref={form}
          className={shared.stack}
          method="post"
          noValidate
          onSubmit={(event) => void booking.send(event)}
          onChange={booking.follow}
        >
          <noscript>
            <p className="note gold">The booking form needs JavaScript to check your date.</p>
          </noscript>
          <Night
            artist={artist}
            wrong={
              missing
                ? { ...shown, eventTime: "This time does not exist on this date, because the clocks change." }
                : shown
            }
            date={searched.date}
            checked={check?.date}
            request={booking.request}
            onChoose={booking.choose}
            result={
              // On a phone the panel is far below, so the result is shown at the date.
              <div
                aria-live="polite"
                className={`${styles.answer} ${shared.stack}`}
                data-date={(!isOwnHold && panel.date) || undefined}
                data-holds={artist.hold_days === null ? undefined : ""}
              >
                {onPhone && !isOwnHold ? <DateAnswer {...answer} /> : null}
              </div>
            }
          />
          <You wrong={wrong} />
          <fieldset className={shared.group}>
            <legend>Anything else</legend>
            <TextArea
              label="Special requests (optional)"
              name="specialRequests"
              rows={4}
              maxLength={maxLengths.specialRequests}
              error={wrong.specialRequests}
            />
          </fieldset>
          {check?.balance_consent && !closed ? (
            <BalanceConsent key={check.balance_consent} text={check.balance_consent} />
          ) : null}
          <LostRequest message={onPhone ? booking.lost : undefined} />
        </form>
        <aside className={shared.stick} aria-label="Price and date">
          <PricePanel {...answer} isResultAtDate={onPhone}>
            {(check?.price.fee_cents ?? artist.base_rate) > 0 ? (
              <ContractText
                load={(api) => {
                  const text = bookingText(new FormData(form.current ?? undefined), zone);
                  return api.bookings.contract.templates.previewForm(contractQuestion(artist.slug, text));
                }}
              />
            ) : null}
            {closed && !isOwnHold ? <p className="small quiet">{nextStepOf(check.date.state)} to continue.</p> : null}
            <LostRequest message={onPhone ? undefined : booking.lost} />
            {onPhone || isOwnHold ? null : button("panel")}
          </PricePanel>
        </aside>
      </div>
      {onPhone && !isOwnHold ? (
        <PhoneBar {...panel} isCurrent={booking.isCurrent}>
          {button("bar")}
        </PhoneBar>
      ) : null}
    </>
  );
}

function timesHint(checked: Check["date"] | undefined): string {
  if (!checked) return "Times are local to the venue.";
  const zone = formatTimeZone(checked.time_zone);
  return checked.location_unknown
    ? `We do not know this town, so times are in the artist’s time zone (${zone}). A larger town nearby sets the venue’s.`
    : `Times are local to the venue (${zone}).`;
}

function Night({
  artist,
  wrong,
  date,
  checked,
  request,
  result,
  onChoose,
}: {
  artist: ArtistProfile;
  wrong: ValidationMessages<FormField>;
  date: string | undefined;
  checked: Check["date"] | undefined;
  request: RequestedTime;
  result: ReactNode;
  onChoose(request: { date: string } | { duration: string }): void;
}) {
  const isPlayed = (type: string) => {
    const kind = eventKindOf(type);
    return kind === undefined || !artist.declined_kinds.includes(kind);
  };
  return (
    <fieldset className={shared.group}>
      <legend>The night</legend>
      <div className={shared.grid2}>
        <DateField
          label="Event date"
          name="eventDate"
          required
          defaultValue={date}
          error={wrong.eventDate}
          limitsOf={() => artistLimits(artist, todayIn(checked?.time_zone ?? artist.time_zone))}
          onPick={(chosen) => onChoose({ date: chosen })}
        />
        <TextField label="Event time" name="eventTime" type="time" required error={wrong.eventTime} />
        {result}
        <TextField
          label="Event location"
          name="eventLocation"
          required
          all
          maxLength={maxLengths.eventLocation}
          autoComplete="off"
          hint={`Venue and town. ${timesHint(checked)}`}
          error={wrong.eventLocation}
        />
        <SelectField label="Event type" name="eventType" required defaultValue="" error={wrong.eventType}>
          <option value="" disabled>
            Choose one
          </option>
          {eventTypes.filter(isPlayed).map((type) => (
            <option key={type}>{type}</option>
          ))}
        </SelectField>
        <TextField
          label="Guest count (optional)"
          name="guestCount"
          type="number"
          min={1}
          max={maxGuests}
          step={1}
          inputMode="numeric"
          error={wrong.guestCount}
        />
        <DurationField
          request={request}
          zone={checked?.time_zone ?? artist.time_zone}
          error={wrong.duration}
          onChoose={(duration) => onChoose({ duration })}
        />
      </div>
    </fieldset>
  );
}

const usualDurations = ["1 hour", "2 hours", "3 hours", "4 hours"];

type DurationProps = Readonly<{
  request: RequestedTime;
  zone: string;
  error: string | undefined;
  onChoose(duration: string): void;
}>;

function DurationField({ request, zone, error, onChoose }: DurationProps) {
  const { duration } = request;
  const field = { name: "duration", hint: durationHint(request, zone), error };
  return (
    <FieldLayout label="Duration (optional)" all {...field}>
      <div className={styles.duration}>
        <div role="group" aria-label="Usual set lengths">
          {usualDurations.map((length) => (
            <button key={length} type="button" aria-pressed={duration === length} onClick={() => onChoose(length)}>
              {length}
            </button>
          ))}
        </div>
        <input
          className="in"
          maxLength={maxLengths.duration}
          autoComplete="off"
          placeholder="Other, such as 2 x 45 minutes"
          {...controlProps(field)}
        />
      </div>
    </FieldLayout>
  );
}

/** The consent to the automatic charge, unchecked at first and after a new text. It has no name, because the form has ten fields. */
function BalanceConsent({ text }: { text: string }) {
  return (
    <fieldset className={shared.group}>
      <legend>The balance</legend>
      <label className={styles.consent}>
        <input type="checkbox" data-consent="" value={text} />
        <span>{text}</span>
      </label>
      <p className="small quiet">Optional. Otherwise we email you when the balance is due.</p>
    </fieldset>
  );
}

function nextStepOf(state: Check["date"]["state"]): string {
  if (state === "too_many_holds") return "Release one of your dates";
  if (state === "invalid_time") return "Choose a valid time";
  return state === "kind_declined" ? "Choose another event type" : "Choose a free date";
}

function durationHint({ duration, eventDate, eventTime }: RequestedTime, zone: string): string {
  const { minutes, understood } = readDuration(duration);
  const [day, at] = isDay(eventDate) ? [eventDate, zone] : ["2000-01-01", "UTC"];
  const endsAt = () => new Date(localInstant(`${day}T${eventTime}`, at).getTime() + minutes * minuteMs);
  const end = /^\d\d:\d\d$/.test(eventTime) ? `, ends ${timeIn(at, endsAt())}` : "";
  if (!duration.trim()) return `Leave empty for 3 hours${end}.`;
  return understood
    ? `${describeDuration(minutes)}${end}.`
    : `We could not read this length, so we plan 3 hours${end}.`;
}

function You({ wrong }: { wrong: ValidationMessages<FormField> }) {
  return (
    <fieldset className={shared.group}>
      <legend>You</legend>
      <div className={shared.grid2}>
        <TextField
          label="Full name"
          name="clientName"
          autoComplete="name"
          required
          all
          maxLength={maxLengths.clientName}
          error={wrong.clientName}
        />
        <TextField
          label="Email"
          name="clientEmail"
          type="email"
          autoComplete="email"
          required
          maxLength={maxLengths.clientEmail}
          error={wrong.clientEmail}
        />
        <TextField
          label="Phone"
          name="clientPhone"
          type="tel"
          autoComplete="tel"
          required
          maxLength={maxLengths.clientPhone}
          error={wrong.clientPhone}
        />
      </div>
      {/* A honeypot, filled only by bots. It has no name, because the form has ten fields. */}
      <input className="sr" data-trap="" type="text" tabIndex={-1} autoComplete="off" aria-hidden="true" />
    </fieldset>
  );
}
