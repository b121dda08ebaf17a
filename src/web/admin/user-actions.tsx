/** What stands in a person's row for their access: the state, and the buttons that change it. */
import styles from "../dashboard/lists/list.module.css";
import type { Person } from "../lib/api/users.ts";
import { useHostedAuth } from "../dashboard/use-hosted-auth.ts";
import { Button } from "../ui/button.tsx";
import type { AccessChange, AccessAction } from "./access-dialog.tsx";

/** Says that a person is suspended and why; nothing for everybody else. */
export function SuspendedState({ person }: Readonly<{ person: Person }>) {
  if (!person.suspended) return null;
  return (
    <>
      <span className="badge cherry">Suspended</span>
      {person.suspendedReason ? <small>{person.suspendedReason}</small> : null}
    </>
  );
}

type Props = Readonly<{ person: Person; ownId: string | undefined; onAccess(change: AccessChange): void }>;

/** Suspend or Restore, and Reset two-factor where there is a factor. Nothing in one's own row: the server refuses both to oneself. */
export function UserActions({ person, ownId, onAccess }: Props) {
  const hosted = useHostedAuth();
  if (person.userId === ownId) return <span className="small quiet">You</span>;
  const who = person.name || person.email;
  const button = (command: AccessAction, label: string) => (
    <Button
      tone={command === "suspend" ? "bad" : "line"}
      size="sm"
      aria-label={`${label}: ${who}`}
      onClick={() => onAccess({ person, command })}
    >
      {label}
    </Button>
  );
  return (
    <span className={styles.buttons}>
      {person.hasSecondFactor && !hosted ? button("reset", "Reset two-factor") : null}
      {person.suspended ? button("restore", "Restore") : button("suspend", "Suspend")}
    </span>
  );
}
