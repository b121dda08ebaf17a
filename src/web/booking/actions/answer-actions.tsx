import { Textarea } from "@mantine/core";
import { useState } from "react";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { formatSignedMoney } from "../../lib/format/signed-money.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { useAcceptRequest, useDeclineRequest } from "../../lib/api/booking-page.ts";
import type { BookingResponse } from "../progress.ts";
import { formatDay } from "../../lib/format/dates.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toaster.tsx";
import { openDialog } from "../../dashboard/dialogs/open-dialog.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import dialog from "../../dashboard/dialogs/dialog.module.css";
import styles from "../booking.module.css";
import { DetailRow } from "../../ui/detail-row.tsx";

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
  const sum = (cents: number) => formatMoneyExact(cents, currency);
  const commission = money.commission_cents ?? 0;
  const day = formatDay(booking.event_date);
  const onSuccess = () => {
    toast({ title: `${day} is booked`, text: "We email the contract to both of you." });
    onClose();
  };
  return (
    <>
      <p className={dialog.text}>
        {day} will be booked for {name}. No deposit is paid. We send the contract within 24 hours, and the whole price
        is the balance.
      </p>
      <dl className={`num ${styles.earnings}`}>
        <DetailRow label="Gross">{sum(money.fee_cents)}</DetailRow>
        <DetailRow label="Commission">{formatSignedMoney(-commission, currency)}</DetailRow>
        <DetailRow label="Net">
          <strong>{sum(money.fee_cents - commission)}</strong>
        </DetailRow>
      </dl>
      <ErrorNote message={accept.error ? apiErrorOf(accept.error).message : undefined} />
      <div className={dialog.actions}>
        <Button tone="line" onClick={onClose}>
          Not yet
        </Button>
        <Button
          busy={accept.isPending}
          busyLabel="Accepting..."
          onClick={() => accept.mutate({ id: booking.id }, { onSuccess })}
        >
          Accept
        </Button>
      </div>
    </>
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
  const [note, setNote] = useState("");
  const onSuccess = () => {
    toast({ title: "The request is declined", text: `${booking.promoter_name} is notified by email.` });
    onClose();
  };
  return (
    <>
      <p className={dialog.text}>
        The request for {formatDay(booking.event_date)} ends, and {booking.promoter_name} is notified. Nothing was paid.
      </p>
      <Textarea
        label="Note to the promoter (optional)"
        rows={3}
        maxLength={maxNoteLength}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <ErrorNote message={decline.error ? apiErrorOf(decline.error).message : undefined} />
      <div className={dialog.actions}>
        <Button tone="line" onClick={onClose}>
          Keep the request
        </Button>
        <Button
          tone="bad"
          busy={decline.isPending}
          busyLabel="Declining..."
          onClick={() => decline.mutate({ id: booking.id, note }, { onSuccess })}
        >
          Decline
        </Button>
      </div>
    </>
  );
}
