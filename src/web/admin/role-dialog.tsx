/** The dialog that changes what a person may do. */
import { Modal } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { Role } from "#users/rules.ts";
import dialog from "../dashboard/dialog.module.css";
import { isComplete, ReauthenticationFields } from "../dashboard/reauthentication-fields.tsx";
import { type UserListItem, useChangeRole } from "../lib/api/users.ts";
import {
  type Reauthentication,
  isReauthenticationRefused,
  needsReauthentication,
} from "../lib/auth/reauthentication.ts";
import { apiErrorOf } from "../lib/api/api-error.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toaster.tsx";

export type RoleChange = Readonly<{ user: UserListItem; role: Role }>;

type Props = Readonly<{ change: RoleChange | undefined; onClose(): void }>;

/** Asks once more. A click outside does nothing (specification); the admin's own password is asked for when the server wants it. */
export function RoleDialog({ change, onClose }: Props) {
  const mutation = useChangeRole();
  const [reauthenticating, setReauthenticating] = useState(false);
  const [reauthentication, setReauthentication] = useState<Reauthentication>({});
  const [reauthenticationError, setReauthenticationError] = useState<string>();
  if (!change) return null;
  const { user, role } = change;
  const go = async (event: FormEvent) => {
    event.preventDefault();
    if (mutation.isPending || (reauthenticating && !isComplete(reauthentication))) return;
    setReauthenticationError(undefined);
    try {
      await mutation.mutateAsync({ userId: user.userId, role, ...reauthentication });
      toast({ title: "Role changed", text: `${user.name || user.email} is ${role} now.` });
      onClose();
    } catch (error) {
      const apiError = apiErrorOf(error);
      if (needsReauthentication(error) && !reauthenticating) return setReauthenticating(true);
      if (isReauthenticationRefused(error)) return setReauthenticationError(apiError.message);
      toast({ tone: "error", title: "Error", text: apiError.message });
    }
  };
  return (
    <Modal opened onClose={onClose} title="Change User Role" closeOnClickOutside={false} withCloseButton={false}>
      <p>
        <strong>{user.name || "No name"}</strong>
        <br />
        <span className="small quiet">{user.email}</span>
      </p>
      <p className={dialog.text}>
        Are you sure you want to change this user&apos;s role from {user.role} to <strong>{role}</strong>? This
        immediately affects access permissions.
      </p>
      <form onSubmit={(event) => void go(event)}>
        {reauthenticating ? (
          <ReauthenticationFields
            name="reauthentication"
            hint="You signed in a while ago. Please confirm that it is you before you make somebody an admin."
            error={reauthenticationError}
            onChange={setReauthentication}
          />
        ) : null}
        <div className={dialog.actions}>
          <Button tone="line" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button type="submit" busy={mutation.isPending} busyLabel="Changing...">
            Change Role
          </Button>
        </div>
      </form>
    </Modal>
  );
}
