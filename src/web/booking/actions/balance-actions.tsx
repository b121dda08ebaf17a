import { TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { formatMoney } from "#platform/money.rules.ts";
import { openDialog, DialogForm, useApiForm } from "../../dashboard/forms/api-form.tsx";
import { FormDateField, typedDay } from "../../dashboard/forms/form-date-field.tsx";
import { Loaded } from "../../dashboard/section-failed.tsx";
import { apiErrorOf } from "../../lib/api-error.ts";
import {
  useCreateBalanceLink,
  useExtendBalance,
  useReleaseDate,
  useReleaseFigures,
} from "../../lib/api/booking-page.ts";
import { copyText } from "../../lib/browser/copy-text.ts";
import { addDays, formatDay } from "../../lib/format/dates.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { todayIn } from "../../ui/date-field/day-limits.ts";
import { DetailRow } from "../../ui/detail-row.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { ErrorState } from "../../ui/states/states.tsx";
import type { BookingResponse } from "../status/progress.ts";
import dialog from "../../dashboard/dialogs/dialog.module.css";
import styles from "../booking.module.css";

type Booking = Pick<BookingResponse, "id" | "event_date" | "promoter_name" | "balance_cents" | "currency">;
const proposedDays = 3;

type Closing = Readonly<{ onClose(): void }>;

export const openBalanceLink = (booking: Booking): void =>
  openDialog("Balance link", (onClose) => <BalanceLink booking={booking} onClose={onClose} />);

export function CreateBalanceLink({ booking, size }: Readonly<{ booking: Booking; size?: "sm" }>) {
  return (
    <Button tone="line" size={size} onClick={() => openBalanceLink(booking)}>
      Create Balance Link
    </Button>
  );
}

function BalanceLink({ booking, onClose }: Readonly<{ booking: Booking }> & Closing) {
  const { mutate, data, error } = useCreateBalanceLink();
  const [copied, setCopied] = useState(false);
  const prepare = () => mutate({ id: booking.id });
  useEffect(() => mutate({ id: booking.id }), [mutate, booking.id]);
  if (error)
    return <ErrorState title="The link could not be prepared" text={apiErrorOf(error).message} onRetry={prepare} />;
  if (!data) return <Skeleton height="9rem" aria-label="Preparing the link" role="status" />;
  const copy = async () => setCopied(await copyText(data.url, { otherwise: "Please select the link and copy it." }));
  return (
    <>
      <p className={dialog.text}>
        Anyone with this link can pay the balance of {formatMoney(booking.balance_cents, booking.currency)}, and nothing
        else. {data.message}
      </p>
      <TextInput label="Link" value={data.url} readOnly onFocus={(event) => event.currentTarget.select()} />
      <div className={dialog.actions}>
        <Button tone="line" onClick={onClose}>
          Close
        </Button>
        <LinkButton tone="line" href={data.url} target="_blank" rel="noopener">
          Open<span className="sr"> (opens in a new tab)</span>
        </LinkButton>
        <Button onClick={() => void copy()} data-autofocus>
          {copied ? "Copied" : "Copy"}
        </Button>
      </div>
    </>
  );
}

export function ExtendBalance({ booking }: Readonly<{ booking: BookingResponse }>) {
  const days = booking.balance?.extend;
  if (!days) return null;
  const open = () =>
    openDialog("Give more time", (onClose) => <ExtendForm booking={booking} days={days} onClose={onClose} />);
  return <Button onClick={open}>Give more time</Button>;
}

function ExtendForm({
  booking,
  days,
  onClose,
}: Readonly<{ booking: BookingResponse; days: { from: string; to: string } }> & Closing) {
  const extend = useExtendBalance();
  const { commission_cents: commission, net_cents: net } = booking.money;
  const sum = (cents: number) => formatMoney(cents, booking.currency);
  const returned = booking.fee_cents - (commission ?? 0) - (net ?? 0);
  const today = todayIn(booking.time_zone);
  const proposed = addDays(days.from, proposedDays);
  const form = useApiForm({
    initialValues: { due_day: proposed < days.to ? proposed : days.to },
    fallback: "due_day",
    validate: {
      due_day: (text) => {
        const day = typedDay(text, today);
        return day >= days.from && day <= days.to
          ? undefined
          : `Choose a day from ${formatDay(days.from)} to ${formatDay(days.to)}.`;
      },
    },
    send: ({ due_day: day }) => extend.mutateAsync({ id: booking.id, due_day: typedDay(day, today) }),
    done: { title: "Deadline extended", text: `${booking.promoter_name} is notified by email.` },
    onClose,
  });
  return (
    <DialogForm
      text={`${booking.promoter_name} gets until the end of this day to pay ${sum(booking.balance_cents)}. We remind them again. If it is still unpaid, you decide again. You get ${sum(net ?? 0)} after the show: ${sum(booking.fee_cents)}${returned > 0 ? ` less refunds and lost disputes of ${sum(returned)} and` : " less"} a commission of ${sum(commission ?? 0)}.`}
      form={form}
      submit="Give more time"
      busyLabel="Saving..."
      cancel="Not now"
      onClose={onClose}
    >
      <FormDateField label="Pay by" form={form} name="due_day" today={today} days={days} isFirst />
    </DialogForm>
  );
}

export function ReleaseDate({ booking }: Readonly<{ booking: Booking }>) {
  const open = () =>
    openDialog("Release the date", (onClose) => <ReleaseDateDialog booking={booking} onClose={onClose} />);
  return (
    <Button tone="bad" onClick={open}>
      Release the date
    </Button>
  );
}

function ReleaseDateDialog({ booking, onClose }: Readonly<{ booking: Booking }> & Closing) {
  const query = useReleaseFigures(booking.id);
  const loading = <Skeleton height="9rem" aria-label="Loading the amounts" role="status" />;
  return (
    <Loaded what="The amounts" query={query} loading={loading}>
      {(figures) => <ReleaseForm booking={booking} figures={figures} reload={query.refetch} onClose={onClose} />}
    </Loaded>
  );
}

type ReleaseFormProps = Closing &
  Readonly<{
    booking: Booking;
    figures: NonNullable<ReturnType<typeof useReleaseFigures>["data"]>;
    reload(): unknown;
  }>;

function ReleaseForm({ booking, figures, reload, onClose }: ReleaseFormProps) {
  const release = useReleaseDate();
  const { refund_cents, artist_keeps_cents, commission_cents, currency } = figures;
  const sum = (cents: number) => formatMoney(cents, currency);
  const day = formatDay(booking.event_date);
  const form = useApiForm({
    initialValues: {},
    send: () =>
      release.mutateAsync({ id: booking.id, expected_refund_cents: refund_cents }).catch((error: unknown) => {
        void reload();
        throw error;
      }),
    done: { title: "The date is released", text: `${day} is free again.` },
    onClose,
  });
  return (
    <DialogForm
      form={form}
      submit="Release the date"
      busyLabel="Releasing..."
      cancel="Keep the booking"
      tone="danger"
      focusCancel
      onClose={onClose}
    >
      <p>
        The booking ends because {booking.promoter_name} did not pay. Others can book {day} immediately. By the
        cancellation terms:
      </p>
      <dl className={`num ${styles.earnings}`}>
        <DetailRow label="You keep">
          <strong>{sum(artist_keeps_cents)}</strong>
        </DetailRow>
        <DetailRow label="Commission">{sum(commission_cents)}</DetailRow>
        <DetailRow label="Refund to the payer">{sum(refund_cents)}</DetailRow>
      </dl>
      <p>It cannot be undone.</p>
    </DialogForm>
  );
}
