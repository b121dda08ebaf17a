import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { Decision } from "../dashboard/decision.tsx";
import { withReauthentication } from "../dashboard/dialogs/reauthentication-dialog.tsx";
import { openTextDialog } from "../dashboard/forms/text-dialog.tsx";
import { SectionFailed } from "../dashboard/section-failed.tsx";
import { useDecideProfileClaim, usePendingProfileClaims, type PendingProfileClaim } from "../lib/api/profile-claims.ts";
import { type AdminRequest, useAdminRequests, useDecideAdminRequest } from "../lib/api/users.ts";
import { attempt } from "../lib/attempt.ts";
import { formatLocalDayAndMonth } from "../lib/format/dates.ts";
import { toast } from "../lib/toasts.ts";
import overview from "../dashboard/overview.module.css";

export function AdminRequests() {
  const requests = useAdminRequests();
  const waiting = requests.data?.items ?? [];
  if (!requests.data && requests.error)
    return <SectionFailed className={overview.above} what="Admin requests" query={requests} />;
  if (waiting.length === 0) return null;
  return (
    <section className={`${overview.section} ${overview.above}`}>
      <h2>Admin requests</h2>
      <ul className={overview.lines}>
        {waiting.map((one, at) => (
          <Request key={one.userId} request={one} primary={at === 0} />
        ))}
      </ul>
      <p className={`small quiet ${overview.foot}`}>
        <OldestOnly data={requests.data} />
        Until you decide, they work as promoters.
      </p>
    </section>
  );
}

function OldestOnly({ data }: Readonly<{ data: { items: readonly unknown[]; total: number } | undefined }>) {
  const shown = data?.items.length ?? 0;
  return data && data.total > shown
    ? `These are the oldest ${shown} of ${data.total}. The next ones follow when these are decided. `
    : null;
}

function Request({ request, primary }: Readonly<{ request: AdminRequest; primary: boolean }>) {
  const decide = useDecideAdminRequest();
  const who = request.name || request.email;
  const answer = (granted: boolean) =>
    attempt(async () => {
      const done = await withReauthentication(() => decide.mutateAsync({ userId: request.userId, granted }));
      if (done) toast(granted ? grantedToast(who) : { title: "Request declined", text: `${who} is still a promoter.` });
    });
  return (
    <Decision
      primary={primary}
      actions={[
        { label: "Decline", name: `Decline the request of ${who}`, run: () => answer(false) },
        { label: "Make admin", name: `Make admin: ${who}`, run: () => answer(true) },
      ]}
    >
      <strong>{request.name}</strong>
      <small>
        {request.email}, {request.emailVerified ? "verified" : "not verified"}, asked{" "}
        {formatLocalDayAndMonth(request.createdAt)}
      </small>
    </Decision>
  );
}

const grantedToast = (who: string) => ({ title: "Request granted", text: `${who} is an admin now.` });

/** Lists the claims with their evidence and both decisions. `primary`: no other button on the page is filled. */
export function ProfileClaims({ primary = true }: Readonly<{ primary?: boolean }>) {
  const claims = usePendingProfileClaims();
  const decide = useDecideProfileClaim();
  const waiting = claims.data?.items ?? [];
  if (!claims.data && claims.error)
    return <SectionFailed className={overview.above} what="Artist claims" query={claims} />;
  if (waiting.length === 0) return null;
  const grant = (claim: PendingProfileClaim) =>
    attempt(() => decide.mutateAsync({ claimId: claim.id, granted: true }), {
      title: "Claim granted",
      text: `${claim.artistName} belongs to ${claim.userEmail} now.`,
    });
  const openDecline = (claim: PendingProfileClaim) =>
    openTextDialog({
      title: "Decline this claim",
      size: "36rem",
      text: (
        <>
          <strong>{claim.userEmail}</strong> does not get <strong>{claim.artistName}</strong>. The profile remains
          without an owner.
        </>
      ),
      name: "note",
      label: "Reason",
      description: `${claim.userEmail} will read it.`,
      bounds: { min: 3, max: 500 },
      missing: `Enter the reason. ${claim.userEmail} will read it.`,
      confirm: "Decline",
      busy: "Declining...",
      tone: "danger",
      send: (note) => decide.mutateAsync({ claimId: claim.id, granted: false, note }),
      done: { title: "Claim declined", text: `${claim.userEmail} gets your reason by email.` },
    });
  return (
    <section className={`${overview.section} ${overview.above}`}>
      <h2>Artist claims</h2>
      <ul className={overview.lines}>
        {waiting.map((claim, at) => (
          <Decision
            key={claim.id}
            primary={primary && at === 0}
            actions={[
              { label: "Decline", name: `Decline the claim of ${claim.userEmail}`, run: () => openDecline(claim) },
              { label: "Grant", name: `Grant the claim of ${claim.userEmail}`, run: () => grant(claim) },
            ]}
          >
            <strong>
              {claim.userName} claims <Link to={paths.admin.artist(claim.artistId)}>{claim.artistName}</Link>
            </strong>
            <small>
              {claim.userEmail}, {claim.emailVerified ? "verified" : "not verified"}, asked{" "}
              {formatLocalDayAndMonth(claim.createdAt)}
            </small>
            <span className={`small ${overview.evidence}`}>{claim.evidence}</span>
          </Decision>
        ))}
      </ul>
      <p className={`small quiet ${overview.foot}`}>
        <OldestOnly data={claims.data} />
        Only an account with a confirmed email address and the same name can claim a profile. A name is not proof. Check
        the evidence. If you grant the claim, the account gets the profile and its bookings.
      </p>
    </section>
  );
}
