import { Textarea } from "@mantine/core";
import { DialogForm } from "../dashboard/dialogs/dialog-form.tsx";
import { openForm } from "../dashboard/dialogs/open-dialog.ts";
import { useReauthentication } from "../dashboard/dialogs/use-reauthentication.tsx";
import { useApiForm } from "../dashboard/use-api-form.ts";
import {
  type UserListItem,
  useResetSecondFactor,
  useEndUserSessions,
  useRestore,
  useSuspend,
} from "../lib/api/users.ts";
import type { Reauthentication } from "../lib/auth/reauthentication.ts";
import { lengthMessage } from "../lib/form-validation.ts";
import { toast } from "../lib/toasts.ts";
import dialog from "../dashboard/dialogs/dialog.module.css";

export type AccessAction = "suspend" | "restore" | "reset" | "end";
export type AccessChange = Readonly<{ user: UserListItem; action: AccessAction }>;

type Texts = Readonly<{
  title: string;
  text: string;
  button: string;
  busy: string;
  done: string;
  doneText(who: string): string;
}>;

const texts: Record<AccessAction, Texts> = {
  suspend: {
    title: "Suspend this user",
    text: "All devices are signed out immediately, and the account cannot be used until you restore it. The profile of an artist cannot be found or booked until then. Existing bookings and payments are not affected.",
    button: "Suspend",
    busy: "Suspending...",
    done: "Suspended",
    doneText: (who) => `${who} is signed out everywhere.`,
  },
  restore: {
    title: "Restore this user",
    text: "The user can sign in again with the same password and role. Devices remain signed out. The profile of an artist can be found and booked as before.",
    button: "Restore",
    busy: "Restoring...",
    done: "Restored",
    doneText: (who) => `${who} can sign in again.`,
  },
  end: {
    title: "Sign this user out everywhere",
    text: "All devices are signed out immediately. The account stays active: anyone with the password, and the second factor if there is one, can sign in again.",
    button: "Sign out everywhere",
    busy: "Signing out...",
    done: "Signed out everywhere",
    doneText: (who) => `${who} can sign in again.`,
  },
  reset: {
    title: "Reset two-factor sign-in",
    text: "Use this for a user who has lost their phone and recovery codes. The account then needs only the password. Verify the user's identity first.",
    button: "Reset two-factor",
    busy: "Resetting...",
    done: "Two-factor sign-in is off",
    doneText: (who) => `${who} is signed out everywhere and signs in with the password alone.`,
  },
};

export const openAccessDialog = (change: AccessChange): void =>
  openForm(texts[change.action].title, (onClose) => <AccessForm change={change} onClose={onClose} />, {
    size: change.action === "restore" ? "28rem" : "36rem",
  });

type Props = Readonly<{ change: AccessChange; onClose(): void }>;

function AccessForm({ change, onClose }: Props) {
  const { user, action } = change;
  const text = texts[action];
  const changeAccess = useAccessActions();
  const { fields, run } = useReauthentication({
    name: "access-reauthentication",
    hint: "You signed in a while ago. Confirm that it is you.",
  });
  const form = useApiForm({
    initialValues: { reason: "" },
    validate: {
      reason: (reason) =>
        action === "restore"
          ? undefined
          : lengthMessage(reason, 3, "Enter a reason. It is recorded in the activity log."),
    },
    send: async ({ reason }) => {
      const done = await run((reauthentication) => changeAccess(change, { reason, reauthentication }));
      if (!done) return;
      toast({ title: text.done, text: text.doneText(user.name || user.email) });
      onClose();
    },
  });
  return (
    <>
      <NameAndEmail user={user} />
      <p className={dialog.text}>{text.text}</p>
      {action === "restore" && user.suspendedReason ? (
        <p className={dialog.text}>Suspended because: {user.suspendedReason}</p>
      ) : null}
      <DialogForm
        form={form}
        submit={text.button}
        busyLabel={text.busy}
        tone={action === "restore" ? "main" : "danger"}
        onClose={onClose}
      >
        {action === "restore" ? null : (
          <Textarea
            label="Reason"
            rows={3}
            maxLength={500}
            required
            data-autofocus
            description="For the activity log and the other admins. We notify the user of the change, not of the reason."
            {...form.field("reason")}
          />
        )}
        {fields}
      </DialogForm>
    </>
  );
}

export const NameAndEmail = ({ user }: Readonly<{ user: UserListItem }>) => (
  <p>
    <strong>{user.name || "No name"}</strong>
    <br />
    <span className="small quiet">{user.email}</span>
  </p>
);

function useAccessActions() {
  const [suspend, restore, reset, end] = [useSuspend(), useRestore(), useResetSecondFactor(), useEndUserSessions()];
  return async (
    { user: { userId }, action }: AccessChange,
    { reason, reauthentication }: { reason: string; reauthentication: Reauthentication },
  ) => {
    if (action === "suspend") await suspend.mutateAsync({ userId, reason });
    else if (action === "end") await end.mutateAsync({ userId, reason });
    else if (action === "restore") await restore.mutateAsync({ userId });
    else await reset.mutateAsync({ userId, reason, ...reauthentication });
  };
}
