import { TextInput } from "@mantine/core";
import { modals } from "@mantine/modals";
import { DialogForm } from "../../dashboard/dialogs/dialog-form.tsx";
import { useApiForm } from "../../dashboard/use-api-form.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { useBlockTime, useUnblockTime } from "../../lib/api/artist-calendar.ts";
import { addDays, formatDay, isDay } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";

type Suggested = Readonly<{ night: string; nightEndsAt: string }>;

/** Opens the form that blocks one night or several in a row. */
export function openBlockNights(suggested: Suggested): void {
  const id = modals.open({
    title: "Block nights",
    children: <BlockNights {...suggested} onClose={() => modals.close(id)} />,
  });
}

/** "Fri 5 Feb", or "Fri 5 Feb to Sun 7 Feb". */
export const nightsText = (from: string, to: string): string =>
  [...new Set([from, to])].map((night) => formatDay(night, { short: true })).join(" to ");

/** Blocks whole nights, from the end of the night before to the end of the last one. */
export const nightsToBlock = (nights: { from: string; to: string; note: string }, nightEndsAt: string) => ({
  starts_at: `${nights.from}T${nightEndsAt}`,
  ends_at: `${addDays(nights.to, 1)}T${nightEndsAt}`,
  note: nights.note,
});

function BlockNights({ night, nightEndsAt, onClose }: Suggested & Readonly<{ onClose(): void }>) {
  const block = useBlockTime();
  const unblock = useUnblockTime();
  const undo = (id: string) =>
    unblock
      .mutateAsync({ id })
      .catch((error: unknown) => toast({ tone: "error", title: "Not undone", text: apiErrorOf(error).message }));
  const form = useApiForm({
    initialValues: { from: night, to: night, note: "" },
    validate: {
      from: (from) => (isDay(from) ? undefined : "Choose the first night."),
      to: (to, { from }) =>
        !isDay(to) ? "Choose the last night." : to < from ? "The last night cannot be before the first." : undefined,
    },
    send: async (values) => {
      const { id } = await block.mutateAsync(nightsToBlock(values, nightEndsAt));
      toast({
        title: "Blocked",
        text: nightsText(values.from, values.to),
        action: { label: "Undo", run: () => void undo(id) },
      });
      onClose();
    },
  });
  return (
    <DialogForm form={form} submit="Block nights" busyLabel="Blocking…" onClose={onClose}>
      <p>Nobody can request or book a blocked night. Others see only that it cannot be booked.</p>
      <TextInput label="First night" type="date" data-autofocus {...form.field("from")} />
      <TextInput label="Last night" type="date" {...form.field("to")} />
      <TextInput label="Note (optional)" description="Only you see it." maxLength={200} {...form.field("note")} />
    </DialogForm>
  );
}
