import { withReauthentication } from "../dashboard/dialogs/reauthentication-dialog.tsx";
import { Loaded } from "../dashboard/section-failed.tsx";
import { SettingsSection } from "../dashboard/settings/settings-sheet.tsx";
import { type ActiveSession, useEndSession, useActiveSessions } from "../lib/api/account.ts";
import { attempt } from "../lib/attempt.ts";
import { authClient, signOut } from "../lib/auth/session.ts";
import { formatDay, localMoment } from "../lib/format/dates.ts";
import { toast } from "../lib/toasts.ts";
import { Button } from "../ui/button.tsx";
import { Skeleton } from "../ui/states/skeleton.tsx";
import { useAccountAction } from "./use-account-action.ts";
import overview from "../dashboard/overview.module.css";
import styles from "./account.module.css";

export function SessionsSection() {
  const sessions = useActiveSessions();
  const { busy, runAction } = useAccountAction();
  const leaveAll = async () => {
    // Ends the other sessions first, because that call may fail until the user reauthenticates.
    const left = await runAction(async () => (await authClient()).signOut({ scope: "others" }));
    if (!left) return;
    const text = "Every device has to sign in again, this one too.";
    toast(
      (await signOut())
        ? { title: "Signed out everywhere", text }
        : {
            tone: "error",
            title: "Signed out of the other devices",
            text: "The server did not confirm the sign-out of this one. Sign in again here to end its session.",
          },
    );
  };
  return (
    <SettingsSection
      title="Active sessions"
      why="Where this account is signed in. A device that is not yours? Sign out everywhere and change the password."
    >
      <Loaded
        query={sessions}
        what="Your sessions"
        loading={
          <div role="status" aria-label="Loading">
            <Skeleton height="1rem" width="70%" mb="0.9rem" />
            <Skeleton height="1rem" width="55%" mb="0.9rem" />
          </div>
        }
      >
        {({ items }) => (
          <ul className={overview.lines}>
            {items.map((session) => (
              <SessionItem key={session.id} session={session} />
            ))}
          </ul>
        )}
      </Loaded>
      <div className={styles.row}>
        <Button tone="bad" busy={busy} busyLabel="Signing out..." onClick={() => void leaveAll()}>
          Sign out everywhere
        </Button>
      </div>
    </SettingsSection>
  );
}

function SessionItem({ session }: Readonly<{ session: ActiveSession }>) {
  const end = useEndSession();
  const leave = () => attempt(() => withReauthentication(() => end.mutateAsync({ sessionId: session.id })));
  const [since, used] = [localMoment(session.signedInAt), localMoment(session.lastUsedAt)];
  return (
    <li>
      <span>
        <strong>{session.device}</strong>
        <small>
          {session.place}. Signed in {formatDay(since.day, { short: true })}, {since.time}. Last used{" "}
          {formatDay(used.day, { short: true })}, {used.time}
        </small>
      </span>
      {session.current ? (
        <span className="badge green" data-done="100">
          This device
        </span>
      ) : (
        <Button
          tone="line"
          size="sm"
          aria-label={`Sign out ${session.device}`}
          busyLabel="Signing out..."
          onClick={leave}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
