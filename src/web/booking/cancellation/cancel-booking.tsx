import { type FormEvent, useState } from "react";
import { blockingCancelCode, type CancelCode } from "#bookings/rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { currentTime } from "../../lib/clock.ts";
import { formatDay, formatDeadline } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextArea } from "../../ui/fields/field.tsx";
import { ErrorNote } from "../../ui/states/error-note.tsx";
import { Spinner } from "../../ui/states/spinner.tsx";
import { DialogButton } from "../plain-dialog.tsx";
import type { BookingResponse } from "../status/progress.ts";
import { type Canceler, cancelerOf, confirmLabel, figureLabels, noteLabels, reasonsOf } from "./cancel-reasons.ts";
import { RefundCurve, RefundTable } from "./refund-curve.tsx";
import { type Figures, isCanceled, useCancellation } from "./use-cancellation.ts";
import dialog from "../../dashboard/dialogs/dialog.module.css";
import dialogStyles from "../dialog.module.css";
import styles from "./cancellation.module.css";

type Props = Readonly<{ booking: BookingResponse; onChanged(): void }>;

export const cancelTitle = "Cancel this booking?";

export const CancelBooking = (props: Props) => (
  <DialogButton label="Cancel Booking" tone="bad" title={cancelTitle}>
    {(close) => <CancelForm {...props} close={close} />}
  </DialogButton>
);

export function CancelForm({ booking, onChanged, close }: Props & Readonly<{ close(): void }>) {
  const { figures, error, busy, load, cancel } = useCancellation(booking.id);
  const canceler = cancelerOf(booking);
  const [opened] = useState(currentTime);
  const [code, setCode] = useState<CancelCode>(() => reasonsOf(canceler)[0]?.code ?? "other");
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.currentTarget);
    const refused = await cancel(code, String(form.get("note") ?? "").trim());
    if (refused && !isCanceled(refused.detail)) return;
    close();
    toast(
      refused
        ? { title: "The booking has changed", text: refused.message }
        : {
            title: "The booking is canceled",
            text: `We notify ${canceler === "admin" ? "both parties" : "the other party"}.`,
          },
    );
    onChanged();
  };
  if (!figures)
    return error ? (
      <>
        <p role="alert">{error.message} Nothing was changed.</p>
        <div className={dialogStyles.actions}>
          <Button tone="line" onClick={close}>
            Keep Booking
          </Button>
          {error.status === 409 ? null : <Button onClick={() => void load()}>Retry</Button>}
        </div>
      </>
    ) : (
      <Spinner />
    );
  const balance = booking.money.payments.find(({ kind, status }) => kind === "balance" && status === "succeeded");
  const held = figures.refund_cents + figures.artist_keeps_cents + figures.commission_cents;
  return (
    <form onSubmit={(event) => void submit(event)}>
      <p className="quiet">
        {booking.artist.name}, {formatDay(booking.event_date, { year: true })},{" "}
        <span className={dialog.whole}>{booking.number}</span>.{" "}
        {held > 0
          ? `This is what happens with the ${formatMoney(held, figures.currency)} that ${canceler === "promoter" ? "you have" : "the promoter has"} paid:`
          : "Nothing has been paid, so nothing is refunded or retained."}
      </p>
      {canceler === "promoter" && booking.completion_block === "objection" ? (
        <p className="note gold">
          <strong>The artist objects to the contract.</strong> If you cancel now, no admin decides about it, and the
          cancellation terms apply.
        </p>
      ) : null}
      {held > 0 ? (
        <>
          <FigureRow
            figures={figures}
            canceler={canceler}
            inTwo={balance !== undefined && figures.refund_cents > balance.amount}
          />
          <WaitingRefund figures={figures} withheld={booking.money.dispute?.withheld_cents ?? 0} />
          {figures.steps.length > 1 ? (
            <>
              <RefundCurve figures={figures} now={opened} />
              <RefundTable figures={figures} canceler={canceler} />
            </>
          ) : null}
        </>
      ) : null}
      <div className={styles.why}>
        <SelectField
          label="Reason"
          name="code"
          required
          value={code}
          onChange={(event) => setCode(event.target.value as CancelCode)}
          hint={
            code === blockingCancelCode
              ? "We block this night in your calendar and end its holds, requests and checkouts, so it cannot be requested. Other booked shows stay. You can unblock the night there."
              : undefined
          }
        >
          {reasonsOf(canceler).map(({ code, label }) => (
            <option key={code} value={code}>
              {label}
            </option>
          ))}
        </SelectField>
        {/* Enter in it must not cancel the booking. */}
        <TextArea label={`${noteLabels[canceler]} (optional)`} name="note" rows={2} maxLength={500} />
      </div>
      <div className={dialogStyles.actions}>
        <ErrorNote message={error?.message} className={dialogStyles.error} />
        <p className="small quiet">{held > 0 ? untilWhen(figures) : ""}It cannot be undone.</p>
        <Button ref={focusWithoutScroll} tone="line" onClick={close}>
          Keep Booking
        </Button>
        <Button tone="danger" type="submit" busy={busy} busyLabel="Canceling...">
          {confirmLabel(canceler, figures.refund_cents, figures.currency)}
        </Button>
      </div>
    </form>
  );
}

const focusWithoutScroll = (button: HTMLButtonElement | null) => button?.focus({ preventScroll: true });

function untilWhen({ valid_until: until, steps }: Figures): string {
  if (!until) return "";
  if (steps.length === 1) return "These amounts are valid until the show begins. ";
  return `These amounts are valid until ${formatDeadline(until)}. `;
}

function WaitingRefund({ figures, withheld }: Readonly<{ figures: Figures; withheld: number }>) {
  const sum = (cents: number) => formatMoney(cents, figures.currency);
  const waiting = figures.waiting_cents;
  if (waiting === 0) return null;
  return (
    <p className="note gold">
      <strong>A payment is disputed.</strong>{" "}
      {withheld > 0 ? `The payer's bank withholds ${sum(withheld)} of it. ` : ""}
      {sum(figures.refund_cents - waiting)} is refunded now. {sum(waiting)} waits until the dispute has ended. If the
      bank returns it to the payer, it is not refunded again.
    </p>
  );
}

function FigureRow({ figures, canceler, inTwo }: Readonly<{ figures: Figures; canceler: Canceler; inTwo: boolean }>) {
  const [refund, retained, commission] = figureLabels[canceler];
  const rows = [
    [refund, figures.refund_cents, describeRefund(figures, inTwo)],
    [
      retained,
      figures.artist_keeps_cents,
      canceler === "admin"
        ? "an admin's cancellation refunds everything, and the cancellation terms do not apply"
        : "by the cancellation terms of this booking",
    ],
    [
      commission,
      figures.commission_cents,
      canceler === "promoter"
        ? "none for you, the artist pays the commission"
        : "the platform's share of the cancellation fee",
    ],
  ] as const;
  return (
    <dl className={styles.figures}>
      {rows.map(([label, cents, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{formatMoney(cents, figures.currency)}</dd>
          <dd className={styles.small}>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function describeRefund({ refund_cents: refund, waiting_cents: waiting }: Figures, inTwo: boolean): string {
  if (refund === 0) return "Nothing is refunded.";
  if (waiting > 0) return "to the card it was paid with, but not all of it now";
  return `${inTwo ? "in two parts, each to the card that paid it," : "to the card it was paid with,"} within 5 to 10 days`;
}
