import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields/field.tsx";
import { ErrorNote } from "../../ui/states/error-note.tsx";
import { DialogButton } from "../plain-dialog.tsx";
import type { BookingResponse } from "../status/progress.ts";
import { useTextForm } from "../use-text-form.ts";
import dialogStyles from "../dialog.module.css";

type Props = Readonly<{ booking: BookingResponse; onChanged(): void }>;

export const CorrectEmail = (props: Props) => (
  <DialogButton
    label={props.booking.viewer === "guest" ? "Wrong email? Change it" : "Correct email"}
    tone="line"
    size="sm"
    title="Correct email"
  >
    {(close) => <EmailForm {...props} close={close} />}
  </DialogButton>
);

function EmailForm({ booking, onChanged, close }: Props & Readonly<{ close(): void }>) {
  const { busy, error, fieldError, onSubmit } = useTextForm({
    name: "email",
    min: 3,
    message: "Enter an email address.",
    send: async (email) => {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      await browserApi.bookings.correctEmail({ id: booking.id, email });
      close();
      toast({ title: "Email corrected", text: `We have sent new links to ${email}.` });
      onChanged();
    },
  });
  return (
    <form noValidate onSubmit={onSubmit}>
      <p className={`quiet ${dialogStyles.intro}`}>
        The booking and signing links in the emails to {booking.promoter_email} stop working, and we send new ones to
        the correct address. This is possible until the booking is opened or signed from one of these emails.
      </p>
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={booking.promoter_email ?? ""}
        required
        error={fieldError}
      />
      <div className={dialogStyles.actions}>
        <ErrorNote message={error} className={dialogStyles.error} />
        <Button tone="line" onClick={close}>
          Cancel
        </Button>
        <Button type="submit" busy={busy} busyLabel="Correcting...">
          Correct
        </Button>
      </div>
    </form>
  );
}
