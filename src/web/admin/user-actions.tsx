import styles from "../dashboard/lists/list.module.css";
import type { UserListItem } from "../lib/api/users.ts";
import { useHostedAuth } from "../dashboard/use-hosted-auth.ts";
import { Button } from "../ui/button.tsx";
import { type AccessAction, openAccessDialog } from "./access-dialog.tsx";

export function SuspendedState({ user }: Readonly<{ user: UserListItem }>) {
  if (!user.suspended) return null;
  return (
    <>
      <span className="badge cherry">Suspended</span>
      {user.suspendedReason ? <small>{user.suspendedReason}</small> : null}
    </>
  );
}

type Props = Readonly<{ user: UserListItem; ownId: string | undefined }>;

/** Suspend or Restore, and Reset two-factor where there is a factor. Nothing in one's own row: the server refuses both to oneself. */
export function UserActions({ user, ownId }: Props) {
  const hosted = useHostedAuth();
  if (user.userId === ownId) return <span className="small quiet">You</span>;
  const who = user.name || user.email;
  const button = (action: AccessAction, label: string) => (
    <Button
      tone={action === "suspend" ? "bad" : "line"}
      size="sm"
      aria-label={`${label}: ${who}`}
      onClick={() => openAccessDialog({ user, action })}
    >
      {label}
    </Button>
  );
  return (
    <span className={styles.buttons}>
      {user.hasSecondFactor && !hosted ? button("reset", "Reset two-factor") : null}
      {user.suspended ? null : button("end", "Sign out")}
      {user.suspended ? button("restore", "Restore") : button("suspend", "Suspend")}
    </span>
  );
}
