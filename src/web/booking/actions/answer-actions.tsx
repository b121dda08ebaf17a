import { Textarea } from "@mantine/core";
import { formatMoney } from "#platform/money.rules.ts";
import { openDialog, DialogForm, useApiForm } from "../../dashboard/forms/api-form.tsx";
import { useAcceptRequest, useDeclineRequest } from "../../lib/api/booking-page.ts";
import { formatSignedMoney } from "../../lib/format/amounts.ts";
import { formatDay } from "../../lib/format/dates.ts";
import { Button } from "../../ui/button.tsx";
import { DetailRow } from "../../ui/detail-row.tsx";
import type { BookingResponse } from "../status/progress.ts";
import styles from "../booking.module.css";

type Control = Readonly<{ booking: BookingResponse }>;
type Dialog = Control & Readonly<{ onClose(): void }>;
const maxNoteLength = 500;

export function AcceptRequest({ booking }: Control) {
  const open = () => openDialog("Accept this request", (onClose) => <Accept booking={booking} onClose={onClose} />);
  return <Button onClick={open}>Accept</Button>;
}

function Accept({ booking, onClose }: Dialog) {
  const accept = useAcceptRequest();
  const { money, currency, promoter_name: name } = booking;
  const sum = (cents: number) => formatMoney(cents, currency);
  const commission = money.commission_cents ?? 0;
  const day = formatDay(booking.event_date);
  const form = useApiForm({
    initialValues: {},
    send: () => accept.mutateAsync({ id: booking.id }),
    done: { title: `${day} is booked`, text: "We email the contract to both of you." },
    onClose,
  });
  return (
    <DialogForm
      text={`${day} will be booked for ${name}. No deposit is paid. We send the contract within 24 hours, and the whole price is the balance.`}
      form={form}
      submit="Accept"
      busyLabel="Accepting..."
      cancel="Not yet"
      onClose={onClose}
    >
      <dl className={`num ${styles.earnings}`}>
        <DetailRow label="Gross">{sum(money.fee_cents)}</DetailRow>
        <DetailRow label="Commission">{formatSignedMoney(-commission, currency, formatMoney)}</DetailRow>
        <DetailRow label="Net">
          <strong>{sum(money.net_cents ?? 0)}</strong>
        </DetailRow>
      </dl>
    </DialogForm>
  );
}

export function DeclineRequest({ booking }: Control) {
  const open = () => openDialog("Decline this request", (onClose) => <Decline booking={booking} onClose={onClose} />);
  return (
    <Button tone="bad" onClick={open}>
      Decline
    </Button>
  );
}

function Decline({ booking, onClose }: Dialog) {
  const decline = useDeclineRequest();
  const form = useApiForm({
    initialValues: { note: "" },
    send: ({ note }) => decline.mutateAsync({ id: booking.id, note }),
    done: { title: "The request is declined", text: `${booking.promoter_name} is notified by email.` },
    onClose,
  });
  return (
    <DialogForm
      text={`The request for ${formatDay(booking.event_date)} ends, and ${booking.promoter_name} is notified. Nothing was paid.`}
      form={form}
      submit="Decline"
      busyLabel="Declining..."
      cancel="Keep the request"
      tone="bad"
      onClose={onClose}
    >
      <Textarea label="Note to the promoter (optional)" rows={3} maxLength={maxNoteLength} {...form.field("note")} />
    </DialogForm>
  );
}
