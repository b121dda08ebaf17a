import { Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { capitalized } from "#platform/text.rules.ts";
import { openForm, DialogForm, useApiForm } from "../../dashboard/forms/api-form.tsx";
import { openTextDialog } from "../../dashboard/forms/text-dialog.tsx";
import { SectionFailed } from "../../dashboard/section-failed.tsx";
import { apiErrorOf } from "../../lib/api-error.ts";
import { lengthMessage } from "../../lib/form-validation.ts";
import { formatDay, localMoment } from "../../lib/format/dates.ts";
import { Button } from "../../ui/button.tsx";
import {
  type UnreconciledItem,
  useApplyItem,
  useExplainItem,
  useMatch,
  useReturnItem,
  useUnreconciled,
} from "./use-unreconciled.ts";
import dialog from "../../dashboard/dialogs/dialog.module.css";
import pages from "../../dashboard/lists/pages.module.css";
import styles from "./unreconciled.module.css";

const sumOf = ({ amount, currency }: UnreconciledItem) =>
  amount !== null && currency !== null ? formatMoneyExact(amount, currency) : null;

function purposeOf({
  payment_kind: kind,
  booking_number: number,
  payer_name: name,
  payer_email: email,
}: UnreconciledItem) {
  const of = [kind === "deposit" ? "Deposit" : kind === "balance" ? "Balance" : null, number]
    .filter(Boolean)
    .join(" of ");
  const payer = name && email ? `${name} (${email})` : (name ?? email);
  return [of, payer ? `paid by ${payer}` : null].filter(Boolean).join(", ");
}

export function Unreconciled({ isFailureShown = true }: Readonly<{ isFailureShown?: boolean }>) {
  const query = useUnreconciled();
  const refund = useReturnItem();
  const explain = useExplainItem();
  if (query.error && !query.isFetching)
    return isFailureShown ? <SectionFailed className={pages.above} what="Unreconciled items" query={query} /> : null;
  if (!query.data || query.data.items.length === 0) return null;
  const openRefund = (item: UnreconciledItem) =>
    openTextDialog({
      title: "Refund",
      text: `${sumOf(item)} is refunded in full to the card it was paid with. This cannot be undone.`,
      confirm: `Refund ${sumOf(item)}`,
      tone: "danger",
      send: (reason) => refund.mutateAsync({ id: item.id, reason }),
      done: { title: "Refund sent", text: "We sent the refund to the payment provider." },
    });
  const openExplain = (item: UnreconciledItem) =>
    openTextDialog({
      title: "Mark as resolved",
      text: "No money moves. The item is removed from this list. Your text is stored in the log.",
      confirm: "Mark as resolved",
      send: (reason) => explain.mutateAsync({ id: item.id, reason }),
      done: { title: "Marked as resolved", text: "The reason is in the log." },
    });
  return (
    <section className={`note cherry ${styles.section}`} aria-label="Unreconciled">
      <h2>Unreconciled</h2>
      <p>The payment provider and the ledger do not match. Resolve each item.</p>
      <ul>
        {query.data.items.map((item) => (
          <li key={item.id}>
            <span>
              <strong>
                {capitalized(item.what)}, <span className="num">{sumOf(item) ?? "amount unknown"}</span>
              </strong>
              <span className={`small ${styles.purpose}`}>
                {[`Since ${formatDay(localMoment(item.first_seen_at).day, { short: true })}`, purposeOf(item)]
                  .filter(Boolean)
                  .join(", ")}
                , <code>{item.ref}</code>
              </span>
            </span>
            <span className={styles.actions}>
              {item.kind === "payment" ? (
                <>
                  <Button size="sm" tone="line" onClick={() => openApply(item)}>
                    Assign to a booking
                  </Button>
                  <Button size="sm" tone="bad" onClick={() => openRefund(item)}>
                    Refund
                  </Button>
                </>
              ) : null}
              <Button size="sm" tone="line" onClick={() => openExplain(item)}>
                Mark as resolved
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const openApply = (item: UnreconciledItem): void =>
  openForm("Assign to a booking", (onClose) => <ApplyForm item={item} onClose={onClose} />);

const numberShape = /^SD-[2-9A-HJ-NP-Z]{6}$/i;

function ApplyForm({ item, onClose }: Readonly<{ item: UnreconciledItem; onClose(): void }>) {
  const apply = useApplyItem();
  const [number, setNumber] = useState(item.booking_number ?? "");
  const typed = number.trim().toUpperCase();
  const isNumber = numberShape.test(typed);
  const [left, setLeft] = useState(false);
  const match = useMatch(item.id, isNumber ? typed : "");
  const form = useApiForm({
    initialValues: { reason: "" },
    fallback: "reason",
    validate: { reason: (reason) => lengthMessage(reason, 10) },
    send: ({ reason }) => apply.mutateAsync({ id: item.id, number: typed, reason }),
    done: { title: "Payment assigned", text: `The payment belongs to ${typed} now.` },
    onClose,
  });
  const fits = match.data?.reason === null;
  return (
    <DialogForm
      text={`${sumOf(item)} becomes the deposit or the balance of a booking that is due exactly this amount. The booking continues as after any payment.`}
      form={form}
      submit="Assign"
      busyLabel="Assigning..."
      disabled={!fits}
      onClose={onClose}
    >
      <TextInput
        label="Number of the booking"
        placeholder="SD-7KQ4MN"
        value={number}
        onChange={(event) => setNumber(event.currentTarget.value)}
        onBlur={() => setLeft(true)}
        error={left && typed !== "" && !isNumber ? "A booking number looks like SD-7KQ4MN." : undefined}
        required
        data-autofocus
      />
      <div aria-live="polite">
        {match.error ? <p className={dialog.text}>{apiErrorOf(match.error).message}</p> : null}
        {match.data ? (
          <p className={dialog.text}>
            {match.data.booking.artist_name} for {match.data.booking.promoter_name},{" "}
            {formatDay(match.data.booking.event_date, { year: true })}.{" "}
            <strong>{match.data.reason ?? `This pays its ${match.data.kind}, exactly.`}</strong>
          </p>
        ) : null}
      </div>
      <Textarea label="The reason, for the record" rows={3} maxLength={500} required {...form.field("reason")} />
    </DialogForm>
  );
}
