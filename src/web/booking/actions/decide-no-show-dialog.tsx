import { Textarea } from "@mantine/core";
import { noShowTextBounds } from "#bookings/rules/no-show.rules.ts";
import { DialogForm } from "../../dashboard/dialogs/dialog-form.tsx";
import { openForm } from "../../dashboard/dialogs/open-dialog.ts";
import { useApiForm } from "../../dashboard/use-api-form.ts";
import { useDecideNoShow } from "../../lib/api/booking-page.ts";
import { currentTime } from "../../lib/clock.ts";
import { parseCents } from "../../lib/format/amounts.ts";
import { toast } from "../../lib/toasts.ts";
import type { BookingResponse } from "../progress.ts";
import { ReleaseField, releaseMessage } from "./release-field.tsx";
import dialog from "../../dashboard/dialogs/dialog.module.css";

const { min, max } = noShowTextBounds;

type Form = Readonly<{ booking: BookingResponse; onClose(): void }>;

export const openDecideNoShow = (booking: BookingResponse): void =>
  openForm("Decide about the no-show", (onClose) => <DecideForm booking={booking} onClose={onClose} />);

function DecideForm({ booking, onClose }: Form) {
  const decide = useDecideNoShow();
  const form = useApiForm({
    initialValues: { release_cents: "", decision: "" },
    fallback: "decision",
    validate: {
      release_cents: (text) => releaseMessage(text, booking),
      decision: (text) => (text.length < min ? `Enter at least ${min} characters.` : undefined),
    },
    send: async ({ release_cents: sum, decision }) => {
      await decide.mutateAsync({ id: booking.id, release_cents: parseCents(sum) ?? 0, decision });
      toast({ title: "Decided", text: "Both parties are notified by email." });
      onClose();
    },
  });
  return (
    <>
      <p className={dialog.text}>
        {booking.promoter_name} writes: {booking.no_show?.note}
      </p>
      <p className={dialog.text}>
        {booking.no_show?.statement
          ? `${booking.artist.name} states: ${booking.no_show.statement}`
          : `${booking.artist.name} has not stated their side.`}
      </p>
      <DialogForm form={form} submit="Decide" busyLabel="Deciding..." onClose={onClose}>
        <ReleaseField
          booking={booking}
          text={form.values.release_cents}
          effect={effectText(booking)}
          data-autofocus
          {...form.field("release_cents")}
        />
        <Textarea
          label="The reason (both parties can read it)"
          rows={4}
          maxLength={max}
          required
          {...form.field("decision")}
        />
        <p>It cannot be undone.</p>
      </DialogForm>
    </>
  );
}

function effectText({ money, ends_at: end }: BookingResponse): string {
  const text = " With 0, the booking is canceled.";
  if (money.outstanding_cents > 0)
    return `${text} While the balance is unpaid, you can release only all or nothing. Releasing all closes the report.`;
  return new Date(end) > currentTime()
    ? `${text} Releasing all closes the report, and the booking is completed after the show.`
    : text;
}
