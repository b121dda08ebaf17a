import { Menu } from "@mantine/core";
import { roles } from "#users/rules.ts";
import { ActionsMenu, EndingItem } from "../dashboard/lists/actions-menu.tsx";
import type { UserListItem } from "../lib/api/users.ts";
import { useHostedAuth } from "../dashboard/use-hosted-auth.ts";
import { type AccessAction, openAccessDialog } from "./access-dialog.tsx";
import { openRoleDialog } from "./role-dialog.tsx";

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
        <EndingItem label="Suspend" onClick={() => openAccessDialog({ user, action: "suspend" })} />
      ) : null}
    </ActionsMenu>
  );
}
