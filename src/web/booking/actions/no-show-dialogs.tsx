import "@mantine/core/styles/Radio.layer.css";
import "@mantine/core/styles/Stack.layer.css";
import { Radio, Stack, Textarea } from "@mantine/core";
import { noShowStatementBounds, noShowTextBounds } from "#bookings/rules/no-show.rules.ts";
import { openForm, DialogForm, useApiForm } from "../../dashboard/forms/api-form.tsx";
import { openTextDialog } from "../../dashboard/forms/text-dialog.tsx";
import { useDecideNoShow, useStateNoShow } from "../../lib/api/booking-page.ts";
import { currentTime } from "../../lib/clock.ts";
import { lengthMessage } from "../../lib/form-validation.ts";
import { parseCents } from "../../lib/format/amounts.ts";
import { Button } from "../../ui/button.tsx";
import type { BookingResponse } from "../status/progress.ts";
import { ReleaseField, releaseMessage } from "./release-field.tsx";
import dialog from "../../dashboard/dialogs/dialog.module.css";

export function StateNoShow({ booking }: Readonly<{ booking: BookingResponse }>) {
  const state = useStateNoShow();
  const open = () =>
    openTextDialog({
      title: "State your side",
      text: `${booking.promoter_name} writes: ${booking.no_show?.note}`,
      name: "statement",
      label: "What happened?",
      description: `${booking.promoter_name} and the admins can read this. You can submit it once, and not change it.`,
      rows: 6,
      bounds: noShowStatementBounds,
      confirm: "Submit statement",
      busy: "Submitting...",
      send: (statement) => state.mutateAsync({ id: booking.id, statement }),
      done: { title: "Your statement is saved", text: "The admins read it before they decide." },
    });
  return <Button onClick={open}>State your side</Button>;
}

export const openDecideNoShow = (booking: BookingResponse): void =>
  openForm("Decide about the no-show", (onClose) => <DecideForm booking={booking} onClose={onClose} />);

function DecideForm({ booking, onClose }: Readonly<{ booking: BookingResponse; onClose(): void }>) {
  const decide = useDecideNoShow();
  const isHeld = booking.money.held_cents > 0;
  const form = useApiForm({
    initialValues: { release_cents: "", appeared: "" as "yes" | "no" | "", decision: "" },
    fallback: "decision",
    validate: {
      release_cents: (text) => (isHeld ? releaseMessage(text, booking) : undefined),
      appeared: (answer) => (isHeld || answer !== "" ? undefined : "Choose a decision."),
      decision: (text) => lengthMessage(text, noShowTextBounds.min),
    },
    send: ({ release_cents: sum, appeared, decision }) => {
      const outcome = isHeld ? {} : { appeared: appeared === "yes" };
      const amounts = { release_cents: parseCents(sum) ?? 0, expected_held_cents: booking.money.held_cents };
      return decide.mutateAsync({ id: booking.id, ...amounts, decision, ...outcome });
    },
    done: { title: "Decided", text: "Both parties are notified by email." },
    onClose,
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
        {isHeld ? (
          <ReleaseField
            booking={booking}
            text={form.values.release_cents}
            effect={effectText(booking)}
            data-autofocus
            {...form.field("release_cents")}
          />
        ) : (
          <Radio.Group
            label={`Did ${booking.artist.name} appear? Nothing is held for this booking.`}
            required
            {...form.field("appeared")}
          >
            <Stack gap="xs" mt="xs">
              <Radio
                required
                value="yes"
                label="The artist appeared"
                description="The report is closed. The booking continues."
              />
              <Radio required value="no" label="The artist did not appear" description="The booking is canceled." />
            </Stack>
          </Radio.Group>
        )}
        <Textarea
          label="The reason (both parties can read it)"
          rows={4}
          maxLength={noShowTextBounds.max}
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
