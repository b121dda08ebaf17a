/** Who says that an artist's record is theirs. Stands above the list only while somebody waits, or when that cannot be known. */
import { Modal } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Link } from "react-router";
import dialog from "../dashboard/dialog.module.css";
import overview from "../dashboard/overview.module.css";
import { SectionFailed } from "../dashboard/section-failed.tsx";
import { useDecideProfileClaim, usePendingProfileClaims, type PendingProfileClaim } from "../lib/api/profile-claims.ts";
import { formatDayAndMonth, localMoment } from "../lib/format/dates.ts";
import { apiErrorOf } from "../lib/api/api-error.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/button.tsx";
import { TextArea } from "../ui/field.tsx";
import { toast } from "../ui/toaster.tsx";

/** Lists the claims with their evidence and their two answers. */
export function ProfileClaimsSection() {
  const claims = usePendingProfileClaims();
  const decide = useDecideProfileClaim();
  const [declining, setDeclining] = useState<PendingProfileClaim>();
  const waiting = claims.data?.items ?? [];
  if (!claims.data && claims.error)
    return (
      <div className={overview.above}>
        <SectionFailed what="Artist claims" error={claims.error} onRetry={() => void claims.refetch()} />
      </div>
    );
  if (waiting.length === 0) return null;
  const grant = async (claim: PendingProfileClaim) => {
    try {
      await decide.mutateAsync({ claimId: claim.id, granted: true });
      toast({ title: "Claim granted", text: `${claim.artistName} belongs to ${claim.userName} now.` });
    } catch (error) {
      toast({ tone: "error", title: "Error", text: apiErrorOf(error).message });
    }
  };
  return (
    <section className={`${overview.pane} ${overview.above}`}>
      <h2>Artist claims</h2>
      <ul className={overview.lines}>
        {waiting.map((claim) => (
          <li key={claim.id}>
            <span className={overview.whole}>
              <strong>
                {claim.userName} asks for <Link to={paths.artist(claim.artistSlug)}>{claim.artistName}</Link>
              </strong>
              <small>
                {claim.userEmail}, {claim.emailVerified ? "verified" : "not verified"}, asked{" "}
                {formatDayAndMonth(localMoment(claim.createdAt).day)}
              </small>
              <span className={`small ${overview.evidence}`}>{claim.evidence}</span>
            </span>
            <Button
              tone="line"
              size="sm"
              aria-label={`Decline the claim of ${claim.userName}`}
              onClick={() => setDeclining(claim)}
            >
              Decline
            </Button>
            <Button
              size="sm"
              aria-label={`Grant the claim of ${claim.userName}`}
              busy={decide.isPending}
              onClick={() => void grant(claim)}
            >
              Grant
            </Button>
          </li>
        ))}
      </ul>
      <p className={`small quiet ${overview.foot}`}>
        Only a confirmed mailbox with the very same name can ask. A name proves nothing: check the evidence yourself. A
        grant hands over the profile and its bookings.
      </p>
      <DeclineDialog key={declining?.id} claim={declining} onClose={() => setDeclining(undefined)} />
    </section>
  );
}

function DeclineDialog({ claim, onClose }: Readonly<{ claim: PendingProfileClaim | undefined; onClose(): void }>) {
  const decide = useDecideProfileClaim();
  const [note, setNote] = useState("");
  if (!claim) return null;
  const go = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await decide.mutateAsync({ claimId: claim.id, granted: false, note: note.trim() });
      toast({ title: "Claim declined", text: `${claim.userName} gets your reason by mail.` });
      onClose();
    } catch (error) {
      toast({ tone: "error", title: "Error", text: apiErrorOf(error).message });
    }
  };
  return (
    <Modal opened onClose={onClose} title="Decline this claim" size="36rem" closeOnClickOutside={false}>
      <p className={dialog.text}>
        <strong>{claim.userName}</strong> does not get <strong>{claim.artistName}</strong>. The record stays without an
        owner.
      </p>
      <form className={dialog.form} onSubmit={(event) => void go(event)}>
        <TextArea
          label="Reason"
          name="claim-note"
          rows={3}
          minLength={3}
          maxLength={500}
          required
          value={note}
          onChange={(event) => setNote(event.target.value)}
          hint={`${claim.userName} will read it.`}
        />
        <div className={dialog.acts}>
          <Button tone="line" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={decide.isPending} busyLabel="Declining...">
            Decline
          </Button>
        </div>
      </form>
    </Modal>
  );
}
