import { openDialog } from "../dialogs/open-dialog.ts";
import { TextInput } from "@mantine/core";
import { type ExternalCalendar, useAddCalendar, useRemoveCalendar } from "../../lib/api/calendar-feeds.ts";
import { toast } from "../../lib/toasts.ts";
import { DialogForm } from "../dialogs/dialog-form.tsx";
import { useApiForm } from "../use-api-form.ts";

export const openCalendarDialog = (replaced?: ExternalCalendar): void =>
  openDialog(replaced ? `New link for ${replaced.name}` : "Add a calendar", (onClose) => (
    <CalendarForm replaced={replaced} onClose={onClose} />
  ));

function CalendarForm({ replaced, onClose }: Readonly<{ replaced: ExternalCalendar | undefined; onClose(): void }>) {
  const add = useAddCalendar();
  const remove = useRemoveCalendar();
  const form = useApiForm({
    initialValues: { name: replaced?.name ?? "", url: "" },
    validate: {
      name: (name) => (name === "" ? "Give the calendar a name." : undefined),
      url: (url) => (url === "" ? "Enter the calendar's iCal address." : undefined),
    },
    // Adds the new link before it removes the old one, so a wrong link loses nothing.
    send: async (values) => {
      const added = await add.mutateAsync(values);
      if (replaced) await remove.mutateAsync({ id: replaced.id });
      const count = added.entry_count;
      toast({
        title: replaced ? "Link changed" : "Calendar added",
        text: `${count} ${count === 1 ? "entry" : "entries"} ahead.`,
      });
      onClose();
    },
  });
  return (
    <DialogForm
      form={form}
      submit={replaced ? "Change link" : "Add calendar"}
      busyLabel="Reading calendar…"
      onClose={onClose}
    >
      <TextInput label="Name" maxLength={80} data-autofocus {...form.field("name")} />
      <TextInput
        label="iCal address"
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://"
        maxLength={2000}
        description="Google: Settings, your calendar, “Secret address in iCal format”. Apple: share the calendar as public. Outlook: publish the calendar, ICS link."
        {...form.field("url")}
      />
    </DialogForm>
  );
}
