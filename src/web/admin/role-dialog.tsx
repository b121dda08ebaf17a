/** The dialog that changes what a person may do. */
import { Modal } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { Role } from "#users/rules.ts";
import dialog from "../dashboard/dialog.module.css";
import { isComplete, ReauthenticationFields } from "../dashboard/reauthentication-fields.tsx";
import { type Person, useChangeRole } from "../lib/api/users.ts";
import { type Proof, isReauthenticationRefused, needsReauthentication } from "../lib/auth/reauthentication.ts";
import { apiErrorOf } from "../lib/api/api-error.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toaster.tsx";

export type RoleChange = Readonly<{ person: Person; role: Role }>;

type Props = Readonly<{ change: RoleChange | undefined; onClose(): void }>;

/** Asks once more. A click outside does nothing (specification); the admin's own password is asked for when the server wants it. */
export function RoleDialog({ change, onClose }: Props) {
  const mutation = useChangeRole();
  const [proving, setProving] = useState(false);
  const [proof, setProof] = useState<Proof>({});
  const [unproven, setUnproven] = useState<string>();
  if (!change) return null;
  const { person, role } = change;
  const go = async (event: FormEvent) => {
    event.preventDefault();
    if (mutation.isPending || (proving && !isComplete(proof))) return;
    setUnproven(undefined);
    try {
      await mutation.mutateAsync({ userId: person.userId, role, ...proof });
      toast({ title: "Role changed", text: `${person.name || person.email} is ${role} now.` });
      onClose();
    } catch (error) {
      const refusal = apiErrorOf(error);
      if (needsReauthentication(error) && !proving) return setProving(true);
      if (isReauthenticationRefused(error)) return setUnproven(refusal.message);
      toast({ tone: "error", title: "Error", text: refusal.message });
    }
  };
  return (
    <Modal opened onClose={onClose} title="Change User Role" closeOnClickOutside={false} withCloseButton={false}>
      <p>
        <strong>{person.name || "No name"}</strong>
        <br />
        <span className="small quiet">{person.email}</span>
      </p>
      <p className={dialog.text}>
        Are you sure you want to change this user&apos;s role from {person.role} to <strong>{role}</strong>? This
        immediately affects access permissions.
      </p>
      <form onSubmit={(event) => void go(event)}>
        {proving ? (
          <ReauthenticationFields
            name="proof"
            hint="You signed in a while ago. Making somebody an admin needs a fresh proof that it is you."
            error={unproven}
            onChange={setProof}
          />
        ) : null}
        <div className={dialog.acts}>
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
