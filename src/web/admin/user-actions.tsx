import { Menu, NativeSelect, Textarea } from "@mantine/core";
import { useRef, useState } from "react";
import { type Role, roles } from "#users/rules.ts";
import { useReauthentication } from "../dashboard/dialogs/reauthentication-fields.tsx";
import { openForm, DialogForm, useApiForm } from "../dashboard/forms/api-form.tsx";
import { ActionsMenu, DestructiveItem } from "../dashboard/lists/list-cells.tsx";
import { useHostedAuth } from "../dashboard/use-hosted-auth.ts";
import {
  useChangeRole,
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

/** Keys that select another role in the closed list, on the way to the one that is wanted. */
const selectingKeys = /^(Arrow.*|Page.*|Home|End|\S)$/;

/** Selects another role. The current one stays selected until the confirmation. By arrow keys, Enter or leaving the field chooses. */
export function RoleSelect({ user }: Pick<Props, "user">) {
  const [pending, setPending] = useState<Role>();
  const lastKey = useRef("");
  const choose = (role: Role | undefined) => {
    setPending(undefined);
    if (role && role !== user.role) openRoleDialog({ user, role });
  };
  return (
    <NativeSelect
      size="sm"
      aria-label={`Permissions of ${user.name || user.email}`}
      data={roles}
      value={pending ?? user.role}
      onPointerDown={() => (lastKey.current = "")}
      onKeyDown={({ key }) => {
        lastKey.current = key;
        if (key === "Enter") choose(pending);
        else if (key === "Escape") setPending(undefined);
      }}
      onBlur={() => choose(pending)}
      onChange={({ currentTarget: { value } }) => {
        const role = roles.find((one) => one === value);
        if (selectingKeys.test(lastKey.current)) setPending(role);
        else choose(role);
      }}
    />
  );
}

type RoleChange = Readonly<{ user: UserListItem; role: Role }>;

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
      const command = { userId: user.userId, role, from: user.role };
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
      {user.role === "artist" ? (
        <p className={dialog.text}>
          The profile of an artist cannot be found or booked until the user is an artist again: we release the holds on
          its nights, and open requests cannot be paid or accepted. Existing bookings are not affected.
        </p>
      ) : null}
      <DialogForm form={form} submit="Change Role" busyLabel="Changing..." onClose={onClose}>
        {fields}
      </DialogForm>
    </>
  );
}

export type AccessAction = "suspend" | "restore" | "reset" | "end";
type AccessChange = Readonly<{ user: UserListItem; action: AccessAction }>;

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
    text: "All devices are signed out immediately, and the account cannot be used until you restore it. We release the holds of the user. The profile of an artist cannot be found or booked until then: we release the holds on its nights, and open requests cannot be paid or accepted. Existing bookings and payments are not affected.",
    button: "Suspend",
    busy: "Suspending...",
    done: "Suspended",
    doneText: (who) => `${who} is signed out everywhere.`,
  },
  restore: {
    title: "Restore this user",
    text: "The user can sign in again with the same role and password. If the account was closed by a link in an email, the password must be reset first. Devices remain signed out. The profile of an artist can be found and booked as before. Released holds do not return.",
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

const openAccessDialog = (change: AccessChange): void =>
  openForm(texts[change.action].title, (onClose) => <AccessForm change={change} onClose={onClose} />, {
    size: change.action === "restore" ? "28rem" : "36rem",
  });

function AccessForm({ change, onClose }: Readonly<{ change: AccessChange; onClose(): void }>) {
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
            description={`For the activity log and the other admins.${action === "end" ? "" : " We notify the user of the change, not of the reason."}`}
            {...form.field("reason")}
          />
        )}
        {fields}
      </DialogForm>
    </>
  );
}

const NameAndEmail = ({ user }: Readonly<{ user: UserListItem }>) => (
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
