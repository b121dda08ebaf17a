import { TextInput } from "@mantine/core";
import { modals } from "@mantine/modals";
import { holdRules } from "#calendar/queue.rules.ts";
import { DialogForm } from "../../dashboard/dialogs/dialog-form.tsx";
import { useApiForm } from "../../dashboard/use-api-form.ts";
import { useAddHold } from "../../lib/api/artist/holds.ts";
import { addDays, formatDay, isDay, localToday } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";

/** Opens the form by which the artist enters a hold that was agreed by telephone or email. */
export function openAddHold(night: string): void {
  const id = modals.open({
    title: "Add a hold",
    children: <AddHold night={night} onClose={() => modals.close(id)} />,
  });
}

const required = (message: string) => (value: string) => (value ? undefined : message);

function AddHold({ night, onClose }: Readonly<{ night: string; onClose(): void }>) {
  const add = useAddHold();
  const form = useApiForm({
    initialValues: {
      night,
      until: `${addDays(localToday(), 7)}T18:00`,
      name: "",
      email: "",
      eventType: "",
      eventLocation: "",
      eventTime: "20:00",
    },
    validate: {
      night: (text) => (isDay(text) ? undefined : "Choose a night."),
      until: (text) => (Number.isNaN(Date.parse(text)) ? "Choose a day and a time." : undefined),
      name: required("Enter a name."),
      eventType: required("Enter the kind of event."),
      eventLocation: required("Enter a location."),
      eventTime: required("Enter a time."),
    },
    send: async ({ night: chosen, until, ...hold }) => {
      await add.mutateAsync({ ...hold, nights: [chosen], until: new Date(until) });
      toast({ title: "Hold added", text: `${hold.name}, ${formatDay(chosen)}` });
      onClose();
    },
  });
  return (
    <DialogForm form={form} submit="Add hold" busyLabel="Adding…" onClose={onClose}>
      <p>The hold goes to the end of the queue of its night. While it is the first one, only its promoter can book.</p>
      <TextInput label="Night" type="date" data-autofocus {...form.field("night")} />
      <TextInput
        label="Ends"
        description={`Within the next ${holdRules.longestDays} days.`}
        type="datetime-local"
        {...form.field("until")}
      />
      <TextInput label="Promoter or agency" maxLength={120} {...form.field("name")} />
      <TextInput
        label="Email (optional)"
        description="If this is the address of a promoter here, we email them and they can book the night. We also send the link to pay there."
        type="email"
        {...form.field("email")}
      />
      <TextInput label="Kind of event" maxLength={100} {...form.field("eventType")} />
      <TextInput label="Location" maxLength={300} {...form.field("eventLocation")} />
      <TextInput label="Set begins" type="time" {...form.field("eventTime")} />
    </DialogForm>
  );
}
