/** "Report a no-show", for a promoter with or without an account. */
import { type SubmitEvent, useState } from "react";
import { noShowReportEndsAt, noShowTextBounds } from "#bookings/rules/no-show.rules.ts";
import dialogStyles from "../dialog.module.css";
import { DialogButton } from "../plain-dialog.tsx";
import type { BookingResponse } from "../progress.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { formatDeadline } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";

type Props = Readonly<{ booking: BookingResponse; onChanged(): void }>;

export const ReportNoShow = (props: Props) => (
  <DialogButton label="Report a no-show" tone="bad" title="Report a no-show">
    {(close) => <ReportForm {...props} close={close} />}
  </DialogButton>
);

function ReportForm({ booking, onChanged, close }: Props & Readonly<{ close(): void }>) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    const note = String(new FormData(form).get("note") ?? "").trim();
    if (note.length < noShowTextBounds.min) {
      setError(`Enter at least ${noShowTextBounds.min} characters.`);
      return form.querySelector("textarea")?.focus();
    }
    setBusy(true);
    setError(undefined);
    try {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      await browserApi.bookings.reportNoShow({ id: booking.id, note });
      close();
      toast({ title: "Reported", text: "We pay nothing out until an admin has decided." });
      onChanged();
    } catch (failure) {
      setError(apiErrorOf(failure).message);
      setBusy(false);
    }
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <p className={`quiet ${dialogStyles.intro}`}>
        Report that {booking.artist.name} did not appear. We pay nothing out until an admin has decided. The artist and
        the admins can read this. You can report a no-show until{" "}
        {formatDeadline(noShowReportEndsAt(new Date(booking.ends_at)))}.
      </p>
      <TextArea label="What happened?" name="note" rows={4} maxLength={noShowTextBounds.max} required error={error} />
      <div className={dialogStyles.actions}>
        <Button tone="line" onClick={close}>
          Cancel
        </Button>
        <Button tone="danger" type="submit" busy={busy} busyLabel="Reporting...">
          Report
        </Button>
      </div>
    </form>
  );
}
