import { Menu, NativeSelect } from "@mantine/core";
import { type Role, roles } from "#users/rules.ts";
import { DialogForm } from "../dashboard/dialogs/dialog-form.tsx";
import { openForm } from "../dashboard/dialogs/open-dialog.ts";
import { useReauthentication } from "../dashboard/dialogs/use-reauthentication.tsx";
import { ActionsMenu, DestructiveItem } from "../dashboard/lists/actions-menu.tsx";
import { useApiForm } from "../dashboard/use-api-form.ts";
import { useHostedAuth } from "../dashboard/use-hosted-auth.ts";
import { useChangeRole, type UserListItem } from "../lib/api/users.ts";
import { toast } from "../lib/toasts.ts";
import { type AccessAction, NameAndEmail, openAccessDialog } from "./access-dialog.tsx";
import dialog from "../dashboard/dialogs/dialog.module.css";

type Props = Readonly<{ user: UserListItem; ownId: string | undefined }>;

/** Offers only the role on the admin's own row, because the server rejects the other actions there. */
export function UserMenu({ user, ownId }: Props) {
  const hosted = useHostedAuth();
  const isOther = user.userId !== ownId;
  const item = (action: AccessAction, label: string) => (
    <Menu.Item onClick={() => openAccessDialog({ user, action })}>{label}…</Menu.Item>
  );
  return (
    <ActionsMenu name={user.name || user.email}>
      {roles
        .filter((role) => role !== user.role)
        .map((role) => (
          <Menu.Item key={role} onClick={() => openRoleDialog({ user, role })}>
            Change role to {role}…
          </Menu.Item>
        ))}
      {isOther && user.suspended ? item("restore", "Restore") : null}
      {isOther && user.hasSecondFactor && !hosted ? item("reset", "Reset two-factor") : null}
      {isOther && !user.suspended ? item("end", "Sign out") : null}
      {isOther && !user.suspended ? (
        <DestructiveItem label="Suspend" onClick={() => openAccessDialog({ user, action: "suspend" })} />
      ) : null}
    </ActionsMenu>
  );
}

/** Selects another role. The current one stays selected until the confirmation. */
export const RoleSelect = ({ user }: Pick<Props, "user">) => (
  <NativeSelect
    size="xs"
    aria-label={`Permissions of ${user.name || user.email}`}
    data={roles}
    value={user.role}
    onChange={({ currentTarget: { value } }) => {
      const role = roles.find((one) => one === value);
      if (role) openRoleDialog({ user, role });
    }}
  />
);

type RoleChange = Readonly<{ user: UserListItem; role: Role }>;

/** Opens a confirmation. A click outside does not close it (specification). */
const openRoleDialog = (change: RoleChange): void =>
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
      <NameAndEmail user={user} />
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
