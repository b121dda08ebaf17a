import { NativeSelect } from "@mantine/core";
import { type NightException, type Weekday, weekdays } from "#settings/nights.rules.ts";
import { DialogForm } from "../../dashboard/dialogs/dialog-form.tsx";
import { openDialog } from "../../dashboard/dialogs/open-dialog.ts";
import { FormDateField, typedDay } from "../../dashboard/form-date-field.tsx";
import { useApiForm } from "../../dashboard/use-api-form.ts";
import { useOpenNights } from "../../lib/api/artist-calendar.ts";
import { formatDay, formatWeekdayDate, formatNight, readDay, weekdayOf } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { useOpenOrBlockNights } from "../calendar/night-items.tsx";
import styles from "./night-exceptions.module.css";

type Props = Readonly<{
  openNights: readonly Weekday[];
  exceptions: readonly NightException[];
  /** In the artist's time zone. */
  today: string;
}>;

export function NightExceptions({ openNights, exceptions, today }: Props) {
  const change = useOpenOrBlockNights();
  const ahead = exceptions
    .filter(({ night }) => night >= today)
    .toSorted((one, other) => (one.night < other.night ? -1 : 1));
  return (
    <div className={styles.exceptions}>
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
