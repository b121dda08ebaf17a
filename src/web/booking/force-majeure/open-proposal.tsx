import { useEffect, useRef, useState } from "react";
import { formatMoney } from "#platform/money.rules.ts";
import { formatDeadline } from "../../lib/format/dates.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/states/error-note.tsx";
import { type BookingResponse, isPromoter } from "../status/progress.ts";
import { useForceMajeure } from "./use-force-majeure.ts";
import styles from "./force-majeure.module.css";

export function OpenProposal({ booking, onChanged }: Readonly<{ booking: BookingResponse; onChanged(): void }>) {
  const { error, busy, run } = useForceMajeure(onChanged);
  // The proposal of the last action, and the one that the next press accepts: neither applies to a later proposal.
  const [acted, setActed] = useState<string>();
  const [armed, setArmed] = useState<string>();
  const confirm = useRef<HTMLDivElement>(null);
  const proposal = booking.force_majeure?.proposal;
  const sure = proposal != null && armed === proposal.id;
  useEffect(() => {
    if (sure) confirm.current?.querySelector("button")?.focus();
  }, [sure]);
  const failure = error && (!proposal || acted === proposal.id) ? error.message : undefined;
  if (!proposal) return <ErrorNote message={failure} />;
  const { id, currency } = booking;
  const sum = (cents: number) => formatMoney(cents, currency);
  const isArtist = booking.viewer === "artist";
  const by = proposal.by === "artist" ? booking.artist.name : booking.promoter_name;
  const answer = (accept: boolean) => {
    setActed(proposal.id);
    return run(
      (api) =>
        api.bookings.forceMajeure.answer({
          id,
          proposal_id: proposal.id,
          accept,
          expected_refund_cents: proposal.refund_cents,
        }),
      accept
        ? { title: "The booking has ended by agreement", text: "The money is divided as agreed." }
        : { title: "Proposal refused", text: "The booking continues unchanged." },
    );
  };
  const withdraw = () => {
    setActed(proposal.id);
    return run((api) => api.bookings.forceMajeure.withdraw({ id, proposal_id: proposal.id }), {
      title: "Withdrawn",
      text: "The booking continues unchanged.",
    });
  };
  return (
    <section className={`note gold ${styles.proposal}`} aria-label="Proposed end by agreement">
      <p>
        <strong>
          {proposal.can_withdraw ? "You have proposed" : `${by} proposes`} to end this booking because of force majeure.
        </strong>{" "}
        {proposal.reason}
      </p>
      {proposal.refund_cents + proposal.artist_keeps_cents === 0 ? (
        <p>Nothing is paid yet, so there is nothing to divide.</p>
      ) : (
        <p className="num">
          {sum(proposal.refund_cents)} is refunded to {isPromoter(booking) ? "the card it was paid with" : "the payer"}.{" "}
          {isPromoter(booking)
            ? `${sum(proposal.artist_keeps_cents)} is not refunded`
            : `${isArtist ? "You keep" : "The artist keeps"} ${sum(proposal.artist_keeps_cents)}`}
          {proposal.commission_cents ? ` after a commission of ${sum(proposal.commission_cents)}` : ""}.
        </p>
      )}
      <p className="small">
        {proposal.outdated
          ? "A payment has arrived since then that this proposal does not divide. It can no longer be accepted."
          : `Open until ${formatDeadline(proposal.expires_at)}. Without an answer, the booking continues.`}
      </p>
      {failure ? (
        <p role="alert">
          <strong>{failure}</strong>
        </p>
      ) : null}
      <div className={styles.actions} ref={confirm}>
        {proposal.can_answer && !proposal.outdated && !sure ? (
          <Button onClick={() => setArmed(proposal.id)}>Accept</Button>
        ) : null}
        {proposal.can_answer && !proposal.outdated && sure ? (
          <Button tone="danger" busy={busy} busyLabel="Ending..." onClick={() => void answer(true)}>
            {proposal.refund_cents === 0
              ? "Accept and end the booking"
              : `Accept and refund ${sum(proposal.refund_cents)}`}
          </Button>
        ) : null}
        {proposal.can_answer ? (
          <Button tone="line" busy={busy && !sure} busyLabel="Refusing..." onClick={() => void answer(false)}>
            Refuse
          </Button>
        ) : null}
        {proposal.can_withdraw ? (
          <Button tone="line" busy={busy} busyLabel="Withdrawing..." onClick={() => void withdraw()}>
            Withdraw
          </Button>
        ) : null}
      </div>
      {sure ? <p className="small">This ends the booking. It cannot be undone.</p> : null}
    </section>
  );
}
