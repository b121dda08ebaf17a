import { TextInput } from "@mantine/core";
import { openDialog, DialogForm, useApiForm } from "../../dashboard/forms/api-form.tsx";
import { FormDateField, typedDay } from "../../dashboard/forms/form-date-field.tsx";
import { useAddHold } from "../../lib/api/artist/holds.ts";
import { addDays, formatDay } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { todayIn } from "../../ui/date-field/day-limits.ts";
import { HoldEndFields, holdEndRules, readHoldEnd } from "./hold-end-fields.tsx";

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
      until: addDays(today, 7),
      untilTime: "18:00",
      name: "",
      email: "",
      eventType: "",
      eventLocation: "",
      eventTime: "20:00",
    },
    validate: {
      night: (text) => (typedDay(text, today) ? undefined : "Choose a night."),
      ...holdEndRules(timeZone),
      name: required("Enter a name."),
      eventType: required("Enter the event type."),
      eventLocation: required("Enter a location."),
      eventTime: required("Enter a time."),
    },
    send: async ({ night: typed, until: day, untilTime, ...hold }) => {
      const chosen = typedDay(typed, today);
      const until = readHoldEnd({ until: day, untilTime }, timeZone);
      await add.mutateAsync({ ...hold, nights: [chosen], until });
      toast({ title: "Hold added", text: `${hold.name}, ${formatDay(chosen)}` });
      onClose();
    },
  });
  return (
    <DialogForm form={form} submit="Add hold" busyLabel="Adding…" onClose={onClose}>
      <p>The hold goes to the end of the queue of its night. While it is first, only its promoter can book.</p>
      <FormDateField label="Night" form={form} name="night" today={today} />
      <HoldEndFields form={form} timeZone={timeZone} />
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
