import { Textarea } from "@mantine/core";
import { noShowStatementBounds } from "#bookings/rules/no-show.rules.ts";
import { DialogForm } from "../../dashboard/dialogs/dialog-form.tsx";
import { openForm } from "../../dashboard/dialogs/open-dialog.ts";
import { useApiForm } from "../../dashboard/use-api-form.ts";
import { useStateNoShow } from "../../lib/api/booking-page.ts";
import { toast } from "../../lib/toasts.ts";
import type { BookingResponse } from "../progress.ts";
import dialog from "../../dashboard/dialogs/dialog.module.css";

const { min, max } = noShowStatementBounds;

export const openStateNoShow = (booking: BookingResponse): void =>
  openForm("State your side", (onClose) => <StatementForm booking={booking} onClose={onClose} />);

function StatementForm({ booking, onClose }: Readonly<{ booking: BookingResponse; onClose(): void }>) {
  const state = useStateNoShow();
  const form = useApiForm({
    initialValues: { statement: "" },
    fallback: "statement",
    validate: {
      statement: (text) => (text.length < min ? `Enter at least ${min} characters.` : undefined),
    },
    send: async ({ statement }) => {
      await state.mutateAsync({ id: booking.id, statement });
      toast({ title: "Your statement is saved", text: "The admins read it before they decide." });
      onClose();
    },
  });
  return (
    <>
      <p className={dialog.text}>
        {booking.promoter_name} writes: {booking.no_show?.note}
      </p>
      <DialogForm form={form} submit="Submit statement" busyLabel="Submitting..." onClose={onClose}>
        <Textarea
          label="What happened?"
          description={`${booking.promoter_name} and the admins can read this. You can submit it once, and not change it.`}
          rows={6}
          maxLength={max}
          required
          data-autofocus
          {...form.field("statement")}
        />
      </DialogForm>
    </>
  );
}
