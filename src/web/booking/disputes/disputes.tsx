import { Textarea } from "@mantine/core";
import { isShortened } from "#bookings/disputes/evidence-length.rules.ts";
import { disputeReason } from "#disputes/reasons.rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { capitalized } from "#platform/text.rules.ts";
import { openConfirmation } from "../../dashboard/dialogs/confirmation.tsx";
import { useApiForm } from "../../dashboard/forms/api-form.tsx";
import { Loaded } from "../../dashboard/section-failed.tsx";
import { formatDeadline, formatMomentAlone, formatRelativeMoment } from "../../lib/format/dates.ts";
import { Button } from "../../ui/button.tsx";
import { DetailRow } from "../../ui/detail-row.tsx";
import { ErrorNote } from "../../ui/states/error-note.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { OpenContract } from "../contract/open-contract.tsx";
import { describeAnswerTime } from "../status/deadline-text.ts";
import { useNow } from "../use-now.ts";
import { type BookingDispute, useAcceptDispute, useDisputes, useReturnShare, useSendEvidence } from "./use-disputes.ts";
import styles from "../booking.module.css";
import disputeStyles from "./disputes.module.css";

export function Disputes({ bookingId }: Readonly<{ bookingId: string }>) {
  return (
    <Loaded query={useDisputes(bookingId)} what="Disputes" loading={null}>
      {({ items }) =>
        items.length === 0 ? null : (
          <section className={styles.section} aria-label="Disputes" id="disputes">
            <h2>Disputes</h2>
            {items.map((one) => (
              <Dispute key={one.id} dispute={one} />
            ))}
          </section>
        )
      }
    </Loaded>
  );
}

const kinds = { deposit: "Deposit", balance: "Balance" } as const;

function Dispute({ dispute: one }: Readonly<{ dispute: BookingDispute }>) {
  const sum = (cents: number) => formatMoney(cents, one.currency);
  return (
    <article className={disputeStyles.dispute}>
      <header className={disputeStyles.head}>
        <h3 className="num">
          {one.kind ? `${kinds[one.kind]}, ` : ""}
          {sum(one.amount)}
        </h3>
        <StatusBadge entity="dispute" value={one.state} />
      </header>
      <p>{disputeReason(one.reason)}.</p>
      <Deadline dispute={one} />
      <dl className={`num ${styles.earnings}`}>
        <DetailRow label="Opened">{formatMomentAlone(one.opened_at)}</DetailRow>
        {one.withdrawn_cents > 0 && !one.borne ? (
          <DetailRow label="Withdrawn by the bank">{sum(one.withdrawn_cents)}</DetailRow>
        ) : null}
        {one.closed_at ? <DetailRow label="Decided">{formatMomentAlone(one.closed_at)}</DetailRow> : null}
        {one.borne ? <Borne borne={one.borne} sum={sum} /> : null}
        {one.returned ? <DetailRow label="Returned to the artist">{sum(one.returned.artist)}</DetailRow> : null}
      </dl>
      <ReturnShare dispute={one} />
      <Answer dispute={one} />
      <Pieces dispute={one} />
      {one.can_send ? <SendForm dispute={one} /> : null}
      {one.can_accept ? <AcceptDispute dispute={one} /> : null}
      {one.sandbox ? (
        <p className="small">
          <a href={paths.sandboxPayment(one.provider_payment)}>Open this payment in the sandbox</a>
        </p>
      ) : null}
    </article>
  );
}

function Deadline({ dispute: { can_send: canSend, due_at: due } }: Readonly<{ dispute: BookingDispute }>) {
  const now = useNow(30_000);
  if (!canSend || !due) return null;
  return (
    <p className="note cherry" role="status">
      <strong>{capitalized(describeAnswerTime(due, now))}.</strong> The bank accepts evidence until{" "}
      {formatDeadline(due)}, once.
    </p>
  );
}

type Shares = NonNullable<BookingDispute["borne"]>;

const shareNames: readonly (readonly [keyof Shares, string])[] = [
  ["refunded", "Instead of a refund"],
  ["held", "From what we held"],
  ["artist", "Borne by the artist"],
  ["platform", "Borne by us"],
];

function Borne({ borne, sum }: Readonly<{ borne: Shares; sum(cents: number): string }>) {
  return shareNames.map(([name, label]) =>
    borne[name] === 0 ? null : (
      <DetailRow key={name} label={label}>
        {sum(borne[name])}
      </DetailRow>
    ),
  );
}

function Answer({
  dispute: { evidence, closed_at: closedAt, can_send: canSend },
}: Readonly<{ dispute: BookingDispute }>) {
  if (!evidence) return null;
  if (evidence.status === "succeeded" && evidence.sent_at)
    return (
      <p>
        The evidence was sent {formatRelativeMoment(evidence.sent_at)}.{closedAt ? "" : " Banks take weeks to decide."}
      </p>
    );
  if (evidence.status === "failed")
    return (
      <p className="note cherry">
        <strong>The evidence was refused.</strong> {evidence.error}
        {canSend ? " You can send it again." : ""}
      </p>
    );
  return (
    <p className="note gold" role="status">
      The evidence is being sent to the bank.{evidence.error ? ` The last attempt failed: ${evidence.error}` : ""}
    </p>
  );
}

const pieceNames: Readonly<Record<string, string>> = {
  customer_signature: "The contract with its signatures and certificate",
  product_description: "What was booked",
  service_date: "Date of the show",
  customer_name: "Name of the payer",
  customer_email_address: "Email address of the payer",
  cancellation_policy_disclosure: "The agreed cancellation policy",
  access_activity_log: "What happened, step by step",
  uncategorized_text: "Attendance, signatures and messages",
};

function Pieces({ dispute: { pieces, contract_id: contractId, evidence } }: Readonly<{ dispute: BookingDispute }>) {
  if (pieces.length === 0) return null;
  const isSent = evidence?.status === "succeeded";
  return (
    <div>
      <h4>{isSent ? "Evidence that was sent" : "Evidence"}</h4>
      <ul className={disputeStyles.pieces}>
        {pieces.map(({ field, text, file }) => (
          <li key={field}>
            {file !== null ? (
              <>
                {pieceNames[field] ?? field}: {contractId ? <OpenContract id={contractId} label={file} /> : file}
              </>
            ) : (
              <details>
                <summary>
                  {pieceNames[field] ?? field}
                  {isShortened(text ?? "") ? " (shortened)" : ""}
                </summary>
                <p className={disputeStyles.text}>{text}</p>
              </details>
            )}
          </li>
        ))}
      </ul>
      {pieces.some(({ text }) => isShortened(text ?? "")) ? (
        <p className="small">
          Card networks limit the pages, so the end of each shortened part {isSent ? "was" : "is"} left out.
        </p>
      ) : null}
    </div>
  );
}

const maxTextLength = 5_000;

function SendForm({ dispute: { id } }: Readonly<{ dispute: BookingDispute }>) {
  const send = useSendEvidence();
  const form = useApiForm({
    initialValues: { note: "" },
    fallback: "note",
    send: async ({ note }) =>
      openConfirmation({
        title: "Send evidence",
        text: "The bank receives the evidence as it is now. You can send it once and cannot change it afterwards.",
        cancel: "Not yet",
        confirm: "Send evidence",
        busy: "Sending...",
        onConfirm: () => send.mutateAsync({ id, note }),
        done: { title: "Evidence saved", text: "We are sending it to the payer's bank." },
      }),
  });
  return (
    <form className={disputeStyles.form} {...form.props}>
      <Textarea
        label="What else should the bank know?"
        description="Optional. Shown first. If the evidence gets too long with it, we shorten the lists of steps, signatures and messages."
        rows={3}
        maxLength={maxTextLength}
        {...form.field("note")}
      />
      <ErrorNote message={form.error} />
      <div>
        <Button type="submit" busy={form.busy} busyLabel="Sending...">
          Send evidence
        </Button>
      </div>
    </form>
  );
}

function ReturnShare({ dispute }: Readonly<{ dispute: BookingDispute }>) {
  const { id, currency, returnable, payer_due_cents: due, unreturned_cents: unreturned } = dispute;
  const returnShare = useReturnShare();
  const sum = (cents: number) => formatMoney(cents, currency);
  const ofPayer =
    due > 0
      ? `By the terms of the cancellation, ${sum(due)} of it is due to the payer. Refund it in the provider's dashboard.`
      : "To return the money to the payer instead, refund the payment in the provider's dashboard.";
  if (!returnable)
    return due > 0 ? (
      <p className="note gold">
        <strong>The money was returned after an appeal.</strong> {ofPayer}
      </p>
    ) : null;
  const commission = returnable.platform > 0 ? ` ${sum(returnable.platform)} is our commission again.` : "";
  const wait =
    unreturned > 0
      ? ` The bank has not returned ${sum(unreturned)} yet. You can return a share only once, so wait if you expect more.`
      : "";
  const openDialog = () =>
    openConfirmation({
      title: "Return the artist's share",
      text: `We return ${sum(returnable.artist)}, which the lost dispute took, to the artist.${commission} It is sent to the payment account of the artist.${wait}`,
      cancel: "Not yet",
      confirm: `Return ${sum(returnable.artist)}`,
      busy: "Returning...",
      onConfirm: () => returnShare.mutateAsync({ id, expected_artist_cents: returnable.artist }),
      done: { title: "Share returned", text: `${sum(returnable.artist)} is returned to the artist.` },
    });
  return (
    <p className="note gold">
      <strong>The money was returned after an appeal.</strong> {sum(returnable.artist)} of it is the artist's share.{" "}
      {ofPayer}{" "}
      <Button size="sm" onClick={openDialog}>
        Return the artist's share
      </Button>
    </p>
  );
}

function AcceptDispute({ dispute: { id, amount, currency } }: Readonly<{ dispute: BookingDispute }>) {
  const accept = useAcceptDispute();
  const sum = formatMoney(amount, currency);
  const openDialog = () =>
    openConfirmation({
      title: "Accept dispute",
      text: `The dispute is lost immediately and the payer keeps ${sum}. You can no longer send evidence, and you cannot undo this. We take the amount from what we hold for the booking. The artist and we share what has already been released.`,
      cancel: "Keep it open",
      confirm: "Accept dispute",
      busy: "Accepting...",
      danger: true,
      onConfirm: () => accept.mutateAsync({ id }),
      done: { title: "Dispute accepted", text: `The payer keeps ${sum}.` },
    });
  return (
    <div>
      <Button tone="bad" size="sm" onClick={openDialog}>
        Accept dispute
      </Button>
      <p className="small quiet">Instead of answering it: the payer keeps the money.</p>
    </div>
  );
}
