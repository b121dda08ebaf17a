import "@mantine/core/styles/Radio.layer.css";
import "@mantine/core/styles/Stack.layer.css";
import { Radio, Stack, Textarea } from "@mantine/core";
import { type ObjectionDecision } from "#contracts/rules.ts";
import { openForm, DialogForm, useApiForm } from "../../dashboard/forms/api-form.tsx";
import { Loaded } from "../../dashboard/section-failed.tsx";
import { useBooking, useDecideObjection } from "../../lib/api/booking-page.ts";
import { currentTime } from "../../lib/clock.ts";
import { parseCents } from "../../lib/format/amounts.ts";
import { formatInstant, formatRelativeMoment } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import type { BookingResponse } from "../status/progress.ts";
import { describeHeld, ReleaseField, releaseMessage } from "./release-field.tsx";
import dialog from "../../dashboard/dialogs/dialog.module.css";

const minReasonLength = 20;

export const openDecideObjection = (bookingId: string): void =>
  openForm("Decide about the objection", (onClose) => <DecideObjection bookingId={bookingId} onClose={onClose} />);

function DecideObjection({ bookingId, onClose }: Readonly<{ bookingId: string; onClose(): void }>) {
  return (
    <Loaded what="The booking" query={useBooking(bookingId)}>
      {(booking) => <DecideForm booking={booking} onClose={onClose} />}
    </Loaded>
  );
}

function DecideForm({ booking, onClose }: Readonly<{ booking: BookingResponse; onClose(): void }>) {
  const decide = useDecideObjection();
  const held = describeHeld(booking);
  const isDivided = (decision: string) =>
    decision === "annulled" && booking.contract?.attestation?.withdrawal === "divided";
  const form = useApiForm({
    initialValues: { decision: "" as ObjectionDecision | "", release_cents: "", reason: "" },
    fallback: "reason",
    validate: {
      decision: (decision) => (decision === "" ? "Choose a decision." : undefined),
      release_cents: (text, { decision }) => (isDivided(decision) ? releaseMessage(text, booking) : undefined),
      reason: (reason) =>
        reason.length < minReasonLength ? `Enter a reason of at least ${minReasonLength} characters.` : undefined,
    },
    send: async ({ decision, release_cents: text, reason }) => {
      if (decision === "") return;
      const amounts = { release_cents: parseCents(text) ?? 0, expected_held_cents: booking.money.held_cents };
      const release = isDivided(decision) ? amounts : {};
      await decide.mutateAsync({ id: booking.id, decision, reason, ...release });
      toast({ title: "Decided", text: "Both parties are notified by email." });
      onClose();
    },
  });
  return (
    <>
      <Objections booking={booking} />
      <DialogForm form={form} submit="Decide" busyLabel="Deciding..." onClose={onClose}>
        <Radio.Group label="Your decision" required {...form.field("decision")}>
          <Stack gap="xs" mt="xs">
            <Radio
              required
              value="upheld"
              label="The signature is valid"
              description={`The booking continues. Nothing is refunded. ${held} is held.`}
            />
            {booking.status === "completed" ? null : (
              <Radio required value="annulled" label="Withdraw the signature" description={withdrawalText(booking)} />
            )}
          </Stack>
        </Radio.Group>
        {isDivided(form.values.decision) ? (
          <ReleaseField booking={booking} text={form.values.release_cents} {...form.field("release_cents")} />
        ) : null}
        <Textarea
          label="The reason (both parties can read it)"
          rows={4}
          maxLength={1_000}
          required
          {...form.field("reason")}
        />
        <p>It cannot be undone.</p>
      </DialogForm>
    </>
  );
}

function Objections({ booking }: Readonly<{ booking: BookingResponse }>) {
  const { artist, contract, starts_at: starts, ends_at: ends, time_zone: zone } = booking;
  const nameOf = { artist: artist.name, promoter: booking.promoter_name };
  const [now, start, end] = [currentTime(), new Date(starts), new Date(ends)];
  return (
    <>
      {contract?.attestation?.objections
        .filter(({ decision }) => decision === null)
        .map(({ side, reason, at }) => (
          <p key={side} className={dialog.text}>
            {nameOf[side]}, the {side}, objects to the signature of the contract of{" "}
            <span className={dialog.whole}>{booking.number}</span>, {formatRelativeMoment(at)}: “{reason}”
          </p>
        ))}
      <p className={dialog.text}>
        {end <= now
          ? `The show ended on ${formatInstant(end, zone)}.`
          : `The show ${start <= now ? "began" : "begins"} on ${formatInstant(start, zone)}.`}{" "}
        {booking.status === "completed"
          ? "The booking is completed, so its signature can no longer be withdrawn. Nothing is paid out until you decide."
          : "Nothing is charged or paid out until you decide."}
      </p>
    </>
  );
}

function withdrawalText(booking: BookingResponse): string {
  const { contract, artist } = booking;
  const held = describeHeld(booking);
  const isOpen = contract?.attestation?.objections.some(({ decision }) => decision === null);
  if (!isOpen) return "Another admin has already decided.";
  switch (contract?.attestation?.withdrawal) {
    case "signed_again":
      return `The contract is signed again. ${held} stays held. If it is not signed in time, the booking is canceled.`;
    case "divided":
      return `The show has begun, so the contract is not signed again: the booking is canceled. You enter how much of ${held} is released to ${artist.name}.`;
    default:
      return `The contract cannot be signed again before the show, so the booking is canceled. ${held} is refunded, and ${artist.name} is paid nothing.`;
  }
}
