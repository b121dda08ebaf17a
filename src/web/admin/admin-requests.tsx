import { useState } from "react";
import { withReauthentication } from "../dashboard/dialogs/reauthentication-dialog.tsx";
import { SectionFailed } from "../dashboard/section-failed.tsx";
import { type AdminRequest, useAdminRequests, useDecideAdminRequest } from "../lib/api/users.ts";
import { attempt } from "../lib/attempt.ts";
import { formatLocalDayAndMonth } from "../lib/format/dates.ts";
import { toast } from "../lib/toasts.ts";
import { Button } from "../ui/button.tsx";
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
      <p className={`small quiet ${overview.foot}`}>Until you decide, they work as promoters.</p>
    </section>
  );
}

function Request({ request, primary }: Readonly<{ request: AdminRequest; primary: boolean }>) {
  const decide = useDecideAdminRequest();
  const [busy, setBusy] = useState<"grant" | "decline">();
  const who = request.name || request.email;
  const answer = async (granted: boolean) => {
    if (busy) return;
    setBusy(granted ? "grant" : "decline");
    await attempt(async () => {
      const done = await withReauthentication(() => decide.mutateAsync({ userId: request.userId, granted }));
      if (done) toast(granted ? grantedToast(who) : { title: "Request declined", text: `${who} is still a promoter.` });
    });
    setBusy(undefined);
  };
  return (
    <li>
      <span className={overview.whole}>
        <strong>{request.name}</strong>
        <small>
          {request.email}, {request.emailVerified ? "verified" : "not verified"}, asked{" "}
          {formatLocalDayAndMonth(request.createdAt)}
        </small>
      </span>
      <Button
        tone="line"
        size="sm"
        aria-label={`Decline the request of ${who}`}
        busy={busy === "decline"}
        onClick={() => void answer(false)}
      >
        Decline
      </Button>
      <Button
        size="sm"
        tone={primary ? "main" : "line"}
        aria-label={`Make admin: ${who}`}
        busy={busy === "grant"}
        onClick={() => void answer(true)}
      >
        Make admin
      </Button>
    </li>
  );
}

const grantedToast = (who: string) => ({ title: "Request granted", text: `${who} is an admin now.` });
