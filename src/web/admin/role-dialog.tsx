import type { Role } from "#users/rules.ts";
import { openForm } from "../dashboard/dialogs/open-dialog.ts";
import dialog from "../dashboard/dialogs/dialog.module.css";
import { DialogForm } from "../dashboard/dialogs/dialog-form.tsx";
import { useApiForm } from "../dashboard/use-api-form.ts";
import { useReauthentication } from "../dashboard/dialogs/use-reauthentication.tsx";
import { type UserListItem, useChangeRole } from "../lib/api/users.ts";
import { toast } from "../ui/toaster.tsx";

export type RoleChange = Readonly<{ user: UserListItem; role: Role }>;

/** Opens a confirmation. A click outside does not close it (specification). */
export const openRoleDialog = (change: RoleChange): void =>
  openForm("Change User Role", (onClose) => <RoleForm change={change} onClose={onClose} />);

function RoleForm({ change: { user, role }, onClose }: Readonly<{ change: RoleChange; onClose(): void }>) {
  const changeRole = useChangeRole();
  const { fields, run } = useReauthentication({
    name: "reauthentication",
    hint: "You signed in a while ago. Confirm your identity before you make another user an admin.",
  });
  const form = useApiForm({
    initialValues: {},
    send: async () => {
      const command = { userId: user.userId, role };
      const done = await run((reauthentication) => changeRole.mutateAsync({ ...command, ...reauthentication }));
      if (!done) return;
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
      <DialogForm form={form} submit="Change Role" busyLabel="Changing..." focusCancel onClose={onClose}>
        {fields}
      </DialogForm>
    </>
  );
}
