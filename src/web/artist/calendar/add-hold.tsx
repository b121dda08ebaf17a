import { TextInput } from "@mantine/core";
import { holdRules } from "#calendar/queue.rules.ts";
import { localInstant } from "#platform/time/local-time.rules.ts";
import { formatTimeZone } from "#platform/time/time-zones.rules.ts";
import { openDialog, DialogForm, useApiForm } from "../../dashboard/forms/api-form.tsx";
import { FormDateField, typedDay } from "../../dashboard/forms/form-date-field.tsx";
import { useAddHold } from "../../lib/api/artist/holds.ts";
import { addDays, formatDay } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { todayIn } from "../../ui/date-field/day-limits.ts";

type Suggested = Readonly<{
  night: string;
  /** The artist's, in which the hold ends. */
  timeZone: string;
}>;

export const openAddHold = (suggested: Suggested): void =>
  openDialog("Add a hold", (onClose) => <AddHold {...suggested} onClose={onClose} />);

const required = (message: string) => (value: string) => (value ? undefined : message);

function AddHold({ night, timeZone, onClose }: Suggested & Readonly<{ onClose(): void }>) {
  const add = useAddHold();
  const today = todayIn(timeZone);
  const form = useApiForm({
    initialValues: {
      night,
      untilDay: addDays(today, 7),
      untilTime: "18:00",
      name: "",
      email: "",
      eventType: "",
      eventLocation: "",
      eventTime: "20:00",
    },
    validate: {
      night: (text) => (typedDay(text, today) ? undefined : "Choose a night."),
      untilDay: (text) => (typedDay(text, today) ? undefined : "Choose a day."),
      untilTime: required("Enter a time."),
      name: required("Enter a name."),
      eventType: required("Enter the event type."),
      eventLocation: required("Enter a location."),
      eventTime: required("Enter a time."),
    },
    send: async ({ night: typed, untilDay, untilTime, ...hold }) => {
      const chosen = typedDay(typed, today);
      const until = localInstant(`${typedDay(untilDay, today)}T${untilTime}`, timeZone);
      await add.mutateAsync({ ...hold, nights: [chosen], until });
      toast({ title: "Hold added", text: `${hold.name}, ${formatDay(chosen)}` });
      onClose();
    },
  });
  return (
    <DialogForm form={form} submit="Add hold" busyLabel="Adding…" onClose={onClose}>
      <p>The hold goes to the end of the queue of its night. While it is first, only its promoter can book.</p>
      <FormDateField label="Night" form={form} name="night" today={today} />
      <FormDateField label="Ends on" form={form} name="untilDay" today={today} />
      <TextInput
        label="Ends at"
        description={`Within the next ${holdRules.maxDays} days, in your profile’s time zone (${formatTimeZone(timeZone)}).`}
        type="time"
        {...form.field("untilTime")}
      />
      <TextInput label="Promoter or agency" data-autofocus maxLength={120} {...form.field("name")} />
      <TextInput
        label="Email (optional)"
        description="If this is the address of a promoter here, we email them and they can book the night. We also send the link to pay there."
        type="email"
        {...form.field("email")}
      />
      <TextInput label="Event type" maxLength={100} {...form.field("eventType")} />
      <TextInput label="Location" maxLength={300} {...form.field("eventLocation")} />
      <TextInput label="Set begins" type="time" {...form.field("eventTime")} />
    </DialogForm>
  );
}
