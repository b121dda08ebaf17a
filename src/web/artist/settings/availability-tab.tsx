import { Checkbox, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { type NightException, speedUnitNames, speedUnits, type Weekday, weekdays } from "#settings/choices.rules.ts";
import { openDialog, DialogForm, useApiForm } from "../../dashboard/forms/api-form.tsx";
import { FormDateField, typedDay } from "../../dashboard/forms/form-date-field.tsx";
import { SwitchRow, SettingsSection } from "../../dashboard/settings/settings-sheet.tsx";
import { UnitInput } from "../../dashboard/settings/unit-input.tsx";
import { useOpenNights } from "../../lib/api/artist/calendar.ts";
import { currentTime } from "../../lib/clock.ts";
import {
  addDays,
  dayIn,
  describeDay,
  formatDay,
  formatWeekdayDate,
  formatNight,
  readDay,
  weekdayOf,
} from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { useOpenOrBlockNights } from "../calendar/night-items.tsx";
import type { TabProps } from "./policy-section.tsx";
import { weekNights } from "./weekdays.ts";
import styles from "../../dashboard/settings/settings.module.css";
import nightStyles from "./night-exceptions.module.css";

export function AvailabilityTab({ form, stored }: TabProps) {
  const { location, time_zone } = stored.artist;
  return (
    <>
      <SettingsSection title="When" why="Minimum notice and maximum advance booking.">
        <div className={styles.two}>
          <UnitInput label="Minimum Notice" unit="days" {...form.numberField("minimumNotice")} />
          <UnitInput label="Maximum Advance Booking" unit="days" {...form.numberField("maximumBookingDays")} />
        </div>
        <BookableDays
          notice={Number(form.textOf("minimumNotice"))}
          advance={Number(form.textOf("maximumBookingDays"))}
          timeZone={time_zone}
        />
      </SettingsSection>
      <SettingsSection title="Nights" why="A night that is off cannot be booked. Existing bookings do not change.">
        <fieldset className={styles.week} aria-label="Nights that can be booked">
          {weekNights.map(({ setting, label }) => {
            const { checked, name, onChange } = form.switchField(setting);
            return (
              <Checkbox
                key={setting}
                name={name}
                label={label}
                checked={checked}
                onChange={(event) => onChange(event.currentTarget.checked)}
              />
            );
          })}
        </fieldset>
        <NightExceptions
          openNights={stored.values.openNights}
          exceptions={stored.values.nightExceptions}
          today={dayIn(time_zone, currentTime())}
        />
        <p className="small quiet">
          <Link to={paths.artistArea.calendar}>Your calendar</Link> opens, closes and blocks nights too.
        </p>
      </SettingsSection>
      <SettingsSection
        title="Holds"
        why="Promoters reserve up to three nights without a payment while they decide. Existing holds do not change."
      >
        <SwitchRow
          label="Take Holds"
          description="A night on hold cannot be booked by anyone else. Later holds queue behind the first. A promoter who is ready to pay can challenge the holds before theirs."
          {...form.switchField("holdsEnabled")}
        />
        <div className={styles.two}>
          <UnitInput label="A Hold Lasts" unit="days" {...form.numberField("holdDays")} />
          <UnitInput
            label="Time to Pay After a Challenge"
            unit="hours"
            more="A challenged promoter pays the deposit by then, or loses the night."
            {...form.numberField("challengeHours")}
          />
        </div>
      </SettingsSection>
      <SettingsSection title="Around a show" why="You cannot be booked during travel and set-up time.">
        <div className={styles.two}>
          <UnitInput label="Before a Show" unit="minutes" {...form.numberField("bufferBefore")} />
          <UnitInput label="After a Show" unit="minutes" {...form.numberField("bufferAfter")} />
        </div>
        <TextInput
          label="A Night Ends At"
          description="A set after midnight belongs to the night before. A time before noon, like 06:00."
          autoComplete="off"
          {...form.field("nightEndsAt")}
        />
      </SettingsSection>
      <SettingsSection
        title="Where"
        why={location ? `Measured from ${location} in a straight line.` : "Add your location to your profile first."}
      >
        <UnitInput
          label="Travel Radius"
          unit="miles"
          more="If a venue is farther away, the promoter and you see the distance. The request can still be sent."
          {...form.numberField("travelRadius")}
        />
        <div className={styles.two}>
          <UnitInput
            label="Travel Speed"
            more="We warn you if two shows are too far apart to drive between in time. Nothing is refused."
            {...form.numberField("travelSpeed")}
          />
          <NativeSelect
            label="Speed Unit"
            data={speedUnits.map((value) => ({ value, label: speedUnitNames[value] }))}
            {...form.field("travelSpeedUnit")}
          />
        </div>
      </SettingsSection>
      <SettingsSection title="Note" why="Shown to everyone beside your calendar.">
        <Textarea label="Availability Note (optional)" rows={3} maxLength={2000} {...form.field("availabilityNote")} />
      </SettingsSection>
    </>
  );
}

function BookableDays({ notice, advance, timeZone }: Readonly<{ notice: number; advance: number; timeZone: string }>) {
  const [now] = useState(currentTime);
  if (!Number.isInteger(notice) || !Number.isInteger(advance) || notice < 0 || advance > 730)
    return <p className="small quiet">Enter whole numbers to see the open days here.</p>;
  if (notice > advance)
    return (
      <p className="small" role="status">
        <strong>No day is left:</strong> the minimum notice is longer than the maximum advance, so no date can be
        requested.
      </p>
    );
  const today = dayIn(timeZone, now);
  const [first, last] = [addDays(today, notice), addDays(today, advance)];
  return (
    <div>
      <div className={styles.bar} aria-hidden>
        <i className={styles.hatched} style={{ flex: notice }} />
        <i style={{ flex: Math.max(advance - notice, 1), background: "var(--ch-3)" }} />
        <i className={styles.hatched} style={{ flex: 56 }} />
      </div>
      <p className="small" role="status">
        Today that is{" "}
        <strong>
          {describeDay(first)} to {describeDay(last)}
        </strong>
        .
      </p>
    </div>
  );
}

type NightsProps = Readonly<{
  openNights: readonly Weekday[];
  exceptions: readonly NightException[];
  /** In the artist's time zone. */
  today: string;
}>;

function NightExceptions({ openNights, exceptions, today }: NightsProps) {
  const change = useOpenOrBlockNights();
  const ahead = exceptions
    .filter(({ night }) => night >= today)
    .toSorted((one, other) => (one.night < other.night ? -1 : 1));
  return (
    <div className={nightStyles.exceptions}>
      <h3>Single nights that differ</h3>
      {ahead.length === 0 ? (
        <p className="small quiet">None. Every night follows its weekday.</p>
      ) : (
        <ul>
          {ahead.map(({ night, open }) => (
            <li key={night}>
              <span>
                {formatWeekdayDate(night)}: <strong>{open ? "open" : "closed"}</strong>
              </span>
              <Button tone="line" size="sm" onClick={() => void change([night], isOpenWeekly(night, openNights))}>
                Remove <span className="sr">{formatDay(night)}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Button tone="line" size="sm" onClick={() => openAddException(today)}>
        Add night
      </Button>
    </div>
  );
}

function isOpenWeekly(night: string, openNights: readonly Weekday[]): boolean {
  const day = readDay(night);
  return openNights.some((weekday) => day && weekday === weekdays[weekdayOf(day)]);
}

const openAddException = (today: string): void =>
  openDialog("A night that differs", (onClose) => <AddException today={today} onClose={onClose} />);

const choices = [
  { value: "open", label: "Open to requests" },
  { value: "closed", label: "Closed to requests" },
];

function AddException({ today, onClose }: Readonly<{ today: string; onClose(): void }>) {
  const save = useOpenNights();
  const form = useApiForm({
    initialValues: { nights: "", state: "open" },
    validate: { nights: (text) => (typedDay(text, today) ? undefined : "Choose a night.") },
    fallback: "nights",
    send: async ({ nights, state }) => {
      const night = typedDay(nights, today);
      await save.mutateAsync({ nights: [night], open: state === "open" });
      toast({ title: state === "open" ? "Open to requests" : "Closed to requests", text: formatNight(night) });
      onClose();
    },
  });
  return (
    <DialogForm form={form} submit="Save night" busyLabel="Saving…" onClose={onClose}>
      <p>Bookings, holds and blocked times of this night do not change.</p>
      <FormDateField label="Night" form={form} name="nights" today={today} isFirst />
      <NativeSelect label="This night is" data={choices} {...form.field("state")} />
    </DialogForm>
  );
}
