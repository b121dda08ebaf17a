import { Menu, TextInput } from "@mantine/core";
import { RefreshCw } from "lucide-react";
import {
  type ExternalCalendar,
  useAddCalendar,
  useExternalCalendars,
  useRefreshCalendar,
  useRemoveCalendar,
} from "../../lib/api/calendar-feeds.ts";
import { errorToast } from "../../lib/attempt.ts";
import { formatShortDate, formatDayAndMonth, localMoment } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { openConfirmation } from "../dialogs/confirmation.tsx";
import { openDialog, DialogForm, useApiForm } from "../forms/api-form.tsx";
import { ActionsMenu, DestructiveItem, DialogItem } from "../lists/list-cells.tsx";
import { elapsed, FeedPanel } from "./feed-panel.tsx";
import styles from "./feeds.module.css";

export function ExternalCalendars() {
  return (
    <FeedPanel
      title="Other calendars, shown here as busy"
      add={{ label: "Add", run: () => openCalendarDialog() }}
      hint="We check them every 15 minutes. A busy night can’t be booked. Others see that it is busy, and nothing more."
      query={useExternalCalendars()}
      what="Your other calendars"
      none="No calendar added yet."
    >
      {(calendar) => <CalendarItem key={calendar.id} calendar={calendar} />}
    </FeedPanel>
  );
}

const entries = (count: number) => `${count} ${count === 1 ? "entry" : "entries"}`;

function CalendarItem({ calendar }: Readonly<{ calendar: ExternalCalendar }>) {
  const refresh = useRefreshCalendar();
  const { id, name, url_host, entry_count, status } = calendar;
  const update = () =>
    refresh
      .mutateAsync({ id })
      .then(
        (read) =>
          read.status === "ok"
            ? toast({ title: "Calendar updated", text: `${name} has ${entries(read.entry_count)} ahead.` })
            : toast({ tone: "error", title: "Calendar not updated", text: read.message ?? undefined }),
        errorToast("Calendar not updated"),
      );
  return (
    <li className={styles.item}>
      <div>
        <strong>{name}</strong>
        <span className={styles.hint}>
          {url_host}, {entries(entry_count)} ahead
        </span>
        <ReadState calendar={calendar} />
        {calendar.unread ? <UnreadEntries {...calendar.unread} /> : null}
      </div>
      <span className={styles.actions}>
        {status === "failing" ? (
          <Button tone="line" size="sm" onClick={() => openCalendarDialog(calendar)}>
            Fix link
          </Button>
        ) : (
          <Button tone="line" size="sm" busy={refresh.isPending} busyLabel="Updating…" onClick={() => void update()}>
            <RefreshCw size={16} aria-hidden /> Update
          </Button>
        )}
        <ActionsMenu name={name}>
          <Menu.Item onClick={() => void update()}>Update now</Menu.Item>
          <DialogItem onClick={() => openCalendarDialog(calendar)}>Change link</DialogItem>
          <RemoveItem calendar={calendar} />
        </ActionsMenu>
      </span>
    </li>
  );
}

function ReadState({ calendar }: Readonly<{ calendar: ExternalCalendar }>) {
  const { failing_since, last_success_at, message, entry_count } = calendar;
  if (!failing_since)
    return (
      <span className={styles.state} data-is="ok">
        OK, updated {elapsed(last_success_at)}
      </span>
    );
  const { day, time } = localMoment(failing_since);
  return (
    <>
      <span className={styles.state} data-is="failing">
        Failing since {formatDayAndMonth(day)}, {time}
      </span>
      <span className={styles.hint}>
        {message} {entry_count > 0 ? `The ${entries(entry_count)} we know still block their nights.` : ""}
      </span>
    </>
  );
}

function UnreadEntries({ count, title, day, reason }: NonNullable<ExternalCalendar["unread"]>) {
  const named = `${title ? `“${title}”` : "an entry without a title"}${day ? ` on ${formatShortDate(day)}` : ", no readable date"}`;
  return (
    <span className={styles.hint}>
      <strong>{entries(count)} not read:</strong> {count > 1 ? `the first is ${named}` : named}. {reason} If we read it
      before, the last known times stay blocked. Otherwise block the time here yourself.
    </span>
  );
}

function RemoveItem({ calendar: { id, name } }: Readonly<{ calendar: ExternalCalendar }>) {
  const remove = useRemoveCalendar();
  return (
    <DestructiveItem
      label="Remove"
      onClick={() =>
        openConfirmation({
          title: `Remove ${name}`,
          text: "Its entries no longer block your nights. Your bookings do not change.",
          confirm: "Remove calendar",
          busy: "Removing…",
          cancel: "Keep calendar",
          danger: true,
          onConfirm: () => remove.mutateAsync({ id }),
          done: { title: "Calendar removed" },
          failed: "Not removed",
        })
      }
    />
  );
}

const openCalendarDialog = (replaced?: ExternalCalendar): void =>
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
      toast({
        title: replaced ? "Link changed" : "Calendar added",
        text: `${entries(added.entry_count)} ahead.`,
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
