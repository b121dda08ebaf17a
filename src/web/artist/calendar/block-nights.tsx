import { TextInput } from "@mantine/core";
import { rankName } from "#calendar/queue.rules.ts";
import { maxBlockedNights } from "#settings/choices.rules.ts";
import { openDialog, DialogForm, useApiForm } from "../../dashboard/forms/api-form.tsx";
import { FormDateField, typedDay } from "../../dashboard/forms/form-date-field.tsx";
import { SectionFailed } from "../../dashboard/section-failed.tsx";
import { useBlockTime, useHoldsAndRequests, useUnblockTime } from "../../lib/api/artist/calendar.ts";
import { errorToast } from "../../lib/attempt.ts";
import { addDays, daysBetween, formatDay, formatNight } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";

export type SuggestedNights = Readonly<{
  from: string;
  to: string;
  /** In the artist's time zone. */
  today: string;
  nightEndsAt: string;
  onDone?(): void;
}>;

export const openBlockNights = (suggested: SuggestedNights): void =>
  openDialog("Block nights", (onClose) => <BlockNights {...suggested} onClose={onClose} />);

export const nightsText = (from: string, to: string): string => [...new Set([from, to])].map(formatNight).join(" to ");

export function countText(from: string, to: string): string {
  const count = daysBetween(from, to) + 1;
  return count === 1 ? "1 night" : `${count} nights`;
}

/** Returns "Tue 9 Feb to Wed 10 Feb, 2 nights", or one night without a number. */
export const countedNightsText = (from: string, to: string): string =>
  from === to ? nightsText(from, to) : `${nightsText(from, to)}, ${countText(from, to)}`;

/** The time begins at the end of the previous night. */
export const nightsToBlock = (nights: { from: string; to: string; note: string }, nightEndsAt: string) => ({
  starts_at: `${nights.from}T${nightEndsAt}`,
  ends_at: `${addDays(nights.to, 1)}T${nightEndsAt}`,
  note: nights.note,
});

function BlockNights({
  from,
  to,
  today,
  nightEndsAt,
  onDone,
  onClose,
}: SuggestedNights & Readonly<{ onClose(): void }>) {
  const block = useBlockTime();
  const unblock = useUnblockTime();
  // The current night lasts until the morning.
  const currentNight = addDays(today, -1);
  const undo = (id: string) => unblock.mutateAsync({ id }).catch(errorToast("Not undone"));
  const form = useApiForm({
    initialValues: { from, to, note: "" },
    validate: {
      from: (text) => {
        const first = typedDay(text, today);
        if (!first) return "Choose the first night.";
        return first < currentNight ? `${formatNight(first)} has passed. Choose a later night.` : undefined;
      },
      to: (last, { from: first }) => {
        if (!typedDay(last, today)) return "Choose the last night.";
        if (typedDay(last, today) < typedDay(first, today)) return "The last night cannot be before the first.";
        return typedDay(first, today) && daysBetween(typedDay(first, today), typedDay(last, today)) >= maxBlockedNights
          ? `You can block at most ${maxBlockedNights} nights at once. Check the years.`
          : undefined;
      },
    },
    send: async ({ note, ...typed }) => {
      const nights = { from: typedDay(typed.from, today), to: typedDay(typed.to, today) };
      const holds = ending.flatMap(({ hold }) => hold?.id ?? []);
      const { id } = await block
        .mutateAsync({
          ...nightsToBlock({ ...nights, note }, nightEndsAt),
          release_holds: [...new Set(holds)],
        })
        .catch((error: unknown) => {
          // A promoter may have placed a hold or sent a request since.
          void entries.refetch();
          throw error;
        });
      const text = countedNightsText(nights.from, nights.to);
      toast(
        ending.length > 0
          ? { title: "Blocked", text: `${text}. The holds and requests have ended.` }
          : { title: "Blocked", text, action: { label: "Undo", run: () => void undo(id) } },
      );
      onClose();
      onDone?.();
    },
  });
  const entries = useHoldsAndRequests({ from: typedDay(form.values.from, today), to: typedDay(form.values.to, today) });
  const ending = entries.data ?? [];
  return (
    <DialogForm
      form={form}
      submit="Block nights"
      busyLabel="Blocking…"
      // Nothing may end that is not listed.
      disabled={entries.isLoading || entries.isLoadingError}
      onClose={onClose}
    >
      <p>A blocked night cannot be requested or booked. Others see only that it is unavailable.</p>
      <FormDateField label="First night" form={form} name="from" today={today} />
      <FormDateField label="Last night" form={form} name="to" today={today} />
      <TextInput
        label="Note (optional)"
        data-autofocus
        description="Only you see it."
        maxLength={200}
        {...form.field("note")}
      />
      {entries.isLoadingError ? <SectionFailed what="The holds and requests of these nights" query={entries} /> : null}
      <div aria-live="polite" hidden={ending.length === 0}>
        <p>
          Blocking ends the holds and requests that need this time. We email their promoters, but not for a hold without
          an account. You cannot undo this.
        </p>
        <ul>
          {ending.map(({ id, night, title, hold }) => (
            <li key={id}>
              {formatDay(night, { short: true })}: {title}, {hold ? `${rankName(hold.rank)} hold` : "request"}
            </li>
          ))}
        </ul>
      </div>
    </DialogForm>
  );
}
