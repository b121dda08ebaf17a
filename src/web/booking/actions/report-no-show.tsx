import { noShowReportEndsAt, noShowTextBounds } from "#bookings/rules/no-show.rules.ts";
import { formatDeadline } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/fields/field.tsx";
import { ErrorNote } from "../../ui/states/error-note.tsx";
import { DialogButton } from "../plain-dialog.tsx";
import type { BookingResponse } from "../status/progress.ts";
import { useTextForm } from "../use-text-form.ts";
import dialogStyles from "../dialog.module.css";

type Props = Readonly<{ booking: BookingResponse; onChanged(): void }>;

export const ReportNoShow = (props: Props) => (
  <DialogButton label="Report a no-show" tone="bad" title="Report a no-show">
    {(close) => <ReportForm {...props} close={close} />}
  </DialogButton>
);

function ReportForm({ booking, onChanged, close }: Props & Readonly<{ close(): void }>) {
  const { busy, error, fieldError, onSubmit } = useTextForm({
    name: "note",
    min: noShowTextBounds.min,
    send: async (note) => {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      await browserApi.bookings.reportNoShow({ id: booking.id, note });
      close();
      toast({ title: "Reported", text: "We pay nothing out until an admin has decided." });
      onChanged();
    },
  });
  return (
    <form noValidate onSubmit={onSubmit}>
      <p className={`quiet ${dialogStyles.intro}`}>
        Report that {booking.artist.name} did not appear. We pay nothing out until an admin has decided. The artist and
        the admins can read this. You can report a no-show until{" "}
        {formatDeadline(noShowReportEndsAt(new Date(booking.ends_at)))}.
      </p>
      <TextArea
        label="What happened?"
        name="note"
        rows={4}
        maxLength={noShowTextBounds.max}
        required
        error={fieldError}
      />
      <div className={dialogStyles.actions}>
        <ErrorNote message={error} className={dialogStyles.error} />
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
