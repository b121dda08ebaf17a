/** The dialog that changes a user's role. */
import { modals } from "@mantine/modals";
import { useState } from "react";
import type { Role } from "#users/rules.ts";
import dialog from "../dashboard/dialog.module.css";
import { FormError } from "../dashboard/form-error.tsx";
import { isComplete, ReauthenticationFields } from "../dashboard/reauthentication-fields.tsx";
import { useApiForm } from "../dashboard/use-api-form.ts";
import { type UserListItem, useChangeRole } from "../lib/api/users.ts";
import {
  isReauthenticationRefused,
  needsReauthentication,
  type Reauthentication,
} from "../lib/auth/reauthentication.ts";
import { apiErrorOf } from "../lib/api/api-error.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toaster.tsx";

export type RoleChange = Readonly<{ user: UserListItem; role: Role }>;

/** Asks once more. A click outside does nothing (specification). */
export function openRoleDialog(change: RoleChange): void {
  const id = modals.open({
    title: "Change User Role",
    closeOnClickOutside: false,
    withCloseButton: false,
    children: <RoleForm change={change} onClose={() => modals.close(id)} />,
  });
}

/** Shows the old and the new role; asks for the admin's own password when the server wants it. */
function RoleForm({ change: { user, role }, onClose }: Readonly<{ change: RoleChange; onClose(): void }>) {
  const changeRole = useChangeRole();
  const [reauthenticating, setReauthenticating] = useState(false);
  const [reauthentication, setReauthentication] = useState<Reauthentication>({});
  const [reauthenticationError, setReauthenticationError] = useState<string>();
  const form = useApiForm({
    initialValues: {},
    send: async () => {
      if (reauthenticating && !isComplete(reauthentication)) return;
      setReauthenticationError(undefined);
      try {
        await changeRole.mutateAsync({ userId: user.userId, role, ...reauthentication });
      } catch (error) {
        if (needsReauthentication(error) && !reauthenticating) return setReauthenticating(true);
        if (isReauthenticationRefused(error)) return setReauthenticationError(apiErrorOf(error).message);
        throw error;
      }
      toast({ title: "Role changed", text: `${user.name || user.email} is ${role} now.` });
      onClose();
    },
  });
  return (
    <>
      <p>
        <strong>{user.name || "No name"}</strong>
        <br />
        <span className="small quiet">{user.email}</span>
      </p>
      <p className={dialog.text}>
        Are you sure you want to change this user&apos;s role from {user.role} to <strong>{role}</strong>? This
        immediately affects access permissions.
      </p>
      <form className={dialog.form} {...form.props}>
        {reauthenticating ? (
          <ReauthenticationFields
            name="reauthentication"
            hint="You signed in a while ago. Please confirm that it is you before you make somebody an admin."
            error={reauthenticationError}
            onChange={setReauthentication}
          />
        ) : null}
        <FormError message={form.error} />
        <div className={dialog.actions}>
          <Button tone="line" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button type="submit" busy={form.busy} busyLabel="Changing...">
            Change Role
          </Button>
        </div>
      </form>
    </>
  );
}
