import { type FormEvent, useState } from "react";
import { agreedDivision, agreementHours, agreementReasonBounds } from "#bookings/rules/force-majeure.rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { parseCents } from "../../lib/format/amounts.ts";
import { Button } from "../../ui/button.tsx";
import { DetailRow } from "../../ui/detail-row.tsx";
import { TextArea, TextField } from "../../ui/fields/field.tsx";
import { ErrorNote } from "../../ui/states/error-note.tsx";
import { DialogButton } from "../plain-dialog.tsx";
import type { BookingResponse } from "../status/progress.ts";
import { useForceMajeure } from "./use-force-majeure.ts";
import dialogStyles from "../dialog.module.css";
import styles from "./force-majeure.module.css";

type Props = Readonly<{ booking: BookingResponse; onChanged(): void }>;
type Agreement = NonNullable<BookingResponse["force_majeure"]>;

export function ProposeForceMajeure(props: Props) {
  const offered = props.booking.force_majeure;
  const [last, setLast] = useState(offered);
  if (offered && offered !== last) setLast(offered);
  const agreement = offered ?? last;
  if (!agreement) return null;
  return (
    <DialogButton label="Force Majeure" tone="line" title="Force majeure: end by agreement?">
      {(close) => <ProposeForm {...props} agreement={agreement} close={close} />}
    </DialogButton>
  );
}

function ProposeForm({
  booking,
  agreement,
  onChanged,
  close,
}: Props & Readonly<{ agreement: Agreement; close(): void }>) {
  const { error, busy, run } = useForceMajeure(onChanged);
  const [split, setSplit] = useState(false);
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState("");
  const [shown, setShown] = useState(false);
  const [isSure, setSure] = useState(false);
  const { paid_cents: paid } = agreement;
  const sum = (cents: number) => formatMoney(cents, booking.currency);
  const isArtist = booking.viewer === "artist";
  const other = isArtist ? booking.promoter_name : booking.artist.name;
  const refund = split ? parseCents(typed) : paid;
  const isWrong = refund === undefined || refund > paid;
  // An artist who cancels gets nothing, so only the promoter can propose less than a cancellation returns.
  const canceled = isArtist ? undefined : booking.money.if_canceled?.refund_cents;
  const missing = refund === undefined || canceled === undefined ? 0 : Math.max(0, canceled - refund);
  const isShort = reason.trim().length < agreementReasonBounds.min;
  const proposal = paid === 0 || isWrong ? "Propose" : `Propose ${split ? "refund" : "full refund"}, ${sum(refund)}`;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setShown(true);
    if (isWrong || isShort) return;
    if (missing > 0 && !isSure) return setSure(true);
    const done = await run(
      (api) =>
        api.bookings.forceMajeure.propose({
          id: booking.id,
          reason: reason.trim(),
          refund_cents: split ? refund : null,
          expected_paid_cents: paid,
        }),
      {
        title: "Proposed",
        text: `${other} receives it by email and can answer for ${agreementHours} hours, but not after the show begins.`,
      },
    );
    if (done) close();
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <p className={`quiet ${dialogStyles.intro}`}>
        For an event outside the control of both of you, such as a storm or a government order. Nothing changes until{" "}
        {other} accepts, within {agreementHours} hours and before the show begins. To end it without an agreement,
        cancel instead.
      </p>
      <TextArea
        label={`What happened? (${other} will read this)`}
        name="reason"
        rows={3}
        required
        maxLength={agreementReasonBounds.max}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        error={shown && isShort ? `Enter at least ${agreementReasonBounds.min} characters.` : undefined}
      />
      {paid === 0 ? (
        <p>Nothing is paid yet, so the booking ends without a payment.</p>
      ) : (
        <>
          <fieldset className={styles.choice}>
            <legend>Of the {sum(paid)} that was paid</legend>
            <label>
              <input type="radio" name="choice" checked={!split} onChange={() => setSplit(false)} />
              <span>Refund everything to the card it was paid with</span>
            </label>
            <label>
              <input type="radio" name="choice" checked={split} onChange={() => setSplit(true)} />
              <span>Refund a part. {isArtist ? "I keep" : "The artist keeps"} the rest</span>
            </label>
          </fieldset>
          {split ? (
            <TextField
              label="Amount to refund"
              name="refund_cents"
              inputMode="decimal"
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
                setSure(false);
              }}
              error={shown && isWrong ? `Enter an amount from 0 to ${sum(paid)}.` : undefined}
            />
          ) : null}
        </>
      )}
      {canceled === undefined ? null : <p className="num">If you cancel now, {sum(canceled)} is refunded.</p>}
      {isWrong || paid === 0 ? null : <Division booking={booking} agreement={agreement} refund={refund} />}
      <div className={dialogStyles.actions}>
        <ErrorNote
          message={missing > 0 && !error ? `That is ${sum(missing)} less than if you cancel now.` : error?.message}
          className={dialogStyles.error}
        />
        <Button tone="line" onClick={close}>
          Keep Booking
        </Button>
        <Button type="submit" busy={busy} busyLabel="Proposing...">
          {missing > 0 && isSure ? `Propose ${sum(refund ?? 0)} anyway` : proposal}
        </Button>
      </div>
    </form>
  );
}

function Division({
  booking,
  agreement: { paid_cents: paid, commission_bps: bps },
  refund,
}: Readonly<{ booking: BookingResponse; agreement: Agreement; refund: number }>) {
  const sum = (cents: number) => formatMoney(cents, booking.currency);
  const isArtist = booking.viewer === "artist";
  const { artist, commission } = agreedDivision(paid, refund, bps ?? 0);
  return (
    <dl className={`num ${styles.figures}`} aria-label="Division" aria-live="polite">
      <DetailRow label="Refunded">{sum(refund)}</DetailRow>
      <DetailRow label={isArtist ? "You keep" : "Not refunded"}>{sum(artist)}</DetailRow>
      {bps === null ? null : <DetailRow label="Commission">{sum(commission)}</DetailRow>}
    </dl>
  );
}
