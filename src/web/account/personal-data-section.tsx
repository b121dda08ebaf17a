import { type FormEvent, useState } from "react";
import { paths } from "#platform/site-paths.rules.ts";
import { type DeletionObstacle, deletionObstacles } from "#users/rules.ts";
import { withReauthentication } from "../dashboard/dialogs/reauthentication-dialog.tsx";
import { isComplete, ReauthenticationFields } from "../dashboard/dialogs/reauthentication-fields.tsx";
import { openDialog } from "../dashboard/forms/api-form.tsx";
import { SettingsSection } from "../dashboard/settings/settings-sheet.tsx";
import { useHostedAuth } from "../dashboard/use-hosted-auth.ts";
import { apiErrorOf } from "../lib/api-error.ts";
import { useDeleteAccount, useDeletionObstacle, useExport } from "../lib/api/account.ts";
import { useCurrentUser } from "../lib/api/current-user.ts";
import { isReauthenticationRefused, type Reauthentication } from "../lib/auth/reauthentication.ts";
import { signOut } from "../lib/auth/session.ts";
import { saveFile } from "../lib/browser/save-file.ts";
import { toast } from "../lib/toasts.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { ErrorNote } from "../ui/states/error-note.tsx";
import dialog from "../dashboard/dialogs/dialog.module.css";
import styles from "./account.module.css";

export function ExportSection() {
  const { mutateAsync: readMyData } = useExport();
  const save = async () => {
    try {
      await withReauthentication(async () =>
        saveFile(new File([await readMyData()], "stagedoor-my-data.json", { type: "application/json" })),
      );
    } catch (error) {
      const { status, message } = apiErrorOf(error);
      // An ended session (401) needs no message, because the tab leaves the page.
      if (status !== 401) toast({ tone: "error", title: "Error", text: message });
    }
  };
  return (
    <SettingsSection
      title="Export data"
      why="What we hold about you: account, bookings, payments, documents and the list of messages, as one JSON file."
    >
      <div className={styles.row}>
        <Button tone="line" busyLabel="Preparing..." onClick={save}>
          Export data
        </Button>
      </div>
    </SettingsSection>
  );
}

const retained =
  "Contracts, payments, invoices and decisions about money stay for at least 10 years, with the names in them, because the law or the other party requires them.";

export function DeleteSection() {
  return (
    <SettingsSection title="Delete account" why={`This is final. ${retained}`}>
      <div className={styles.row}>
        <Button tone="bad" onClick={openDeletion}>
          Delete account
        </Button>
      </div>
    </SettingsSection>
  );
}

type Closing = Readonly<{ onClose(): void }>;

const openDeletion = () =>
  openDialog("Delete account", (onClose) => <Deletion onClose={onClose} />, { closeOnClickOutside: false });

/** Shows an obstacle before the form requests the password. The server checks again. */
function Deletion({ onClose }: Closing) {
  const { data, isPending } = useDeletionObstacle();
  if (isPending)
    return (
      <p className={dialog.text} role="status">
        Checking...
      </p>
    );
  return data?.obstacle ? <Obstacle obstacle={data.obstacle} onClose={onClose} /> : <DeleteForm onClose={onClose} />;
}

const bookingsOf = {
  admin: paths.admin.bookings,
  artist: paths.artistArea.bookings,
  promoter: paths.promoterArea.bookings,
} as const;

const wayOut = (obstacle: DeletionObstacle, role: keyof typeof bookingsOf) =>
  ({
    last_admin: { to: paths.admin.users, text: "View users" },
    open_bookings: { to: bookingsOf[role], text: "View bookings" },
    open_refund: { to: bookingsOf[role], text: "View bookings" },
    open_dispute: { to: bookingsOf[role], text: "View bookings" },
    unpaid_earnings: { to: paths.artistArea.payouts, text: "View payouts" },
  })[obstacle];

function Obstacle({ obstacle, onClose }: Closing & Readonly<{ obstacle: DeletionObstacle }>) {
  const current = useCurrentUser();
  const { to, text } = wayOut(obstacle, current.phase === "known" ? current.me.role : "promoter");
  return (
    <>
      <p className={dialog.text}>{deletionObstacles[obstacle]}</p>
      <div className={dialog.actions}>
        <Button tone="line" onClick={onClose}>
          Close
        </Button>
        <LinkButton to={to} onClick={onClose}>
          {text}
        </LinkButton>
      </div>
    </>
  );
}

function DeleteForm({ onClose }: Closing) {
  const remove = useDeleteAccount();
  const hosted = useHostedAuth();
  const [reauthentication, setReauthentication] = useState<Reauthentication>({});
  const [refused, setRefused] = useState<{ reauthentication?: string; action?: string }>({});
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (remove.isPending || !isComplete(reauthentication)) return;
    setRefused({});
    try {
      await remove.mutateAsync(reauthentication);
    } catch (error) {
      const { message } = apiErrorOf(error);
      return setRefused(isReauthenticationRefused(error) ? { reauthentication: message } : { action: message });
    }
    toast({ title: "Account deleted", text: "You are signed out everywhere." });
    onClose();
    await signOut();
  };
  return (
    <>
      <p className={dialog.text}>
        Your account is deleted immediately. This cannot be undone. {retained}
        {hosted ? " Your sign-in at the service that stores your password is not deleted. Request that there." : null}
      </p>
      <form className={dialog.form} onSubmit={(event) => void submit(event)}>
        <ReauthenticationFields
          name="delete-reauthentication"
          error={refused.reauthentication}
          onChange={(next) => {
            setReauthentication(next);
            setRefused({});
          }}
        />
        <ErrorNote message={refused.action} />
        <div className={dialog.actions}>
          <Button tone="line" onClick={onClose}>
            Keep the account
          </Button>
          <Button
            tone="danger"
            type="submit"
            disabled={!isComplete(reauthentication)}
            busy={remove.isPending}
            busyLabel="Deleting..."
          >
            Delete account
          </Button>
        </div>
      </form>
    </>
  );
}
