import { TextInput } from "@mantine/core";
import type { Factor } from "@supabase/auth-js";
import { nameLength, passkeysPerUser } from "#users/rules.ts";
import { factorName } from "../auth/codes/code-field.tsx";
import { openForm, DialogForm, useApiForm } from "../dashboard/forms/api-form.tsx";
import { SettingsSection } from "../dashboard/settings/settings-sheet.tsx";
import { authClient, renewSession } from "../lib/auth/session.ts";
import { usePasskeys } from "../lib/auth/use-passkeys.ts";
import { requiredMessage } from "../lib/form-validation.ts";
import { formatDay, localMoment } from "../lib/format/dates.ts";
import { Button } from "../ui/button.tsx";
import { confirmRemoval, makeRecoveryCodes } from "./second-factor-dialogs.tsx";
import { useAccountAction } from "./use-account-action.ts";
import overview from "../dashboard/overview.module.css";
import styles from "./account.module.css";

type Props = Readonly<{
  passkeys: readonly Factor[];
  hasApps: boolean;
  onChange(): Promise<void>;
}>;

export function PasskeySection({ passkeys, hasApps, onChange }: Props) {
  const { busy, runAction } = useAccountAction();
  const usable = usePasskeys();
  if (!usable && passkeys.length === 0) return null;
  const add = async () => {
    const isFirst = passkeys.length === 0 && !hasApps;
    const register = async () => {
      const response = await (await authClient()).registerPasskey();
      // The account now has a second factor. The renewed token records that this session passed it.
      if (!response.error) await renewSession();
      return response;
    };
    if (!(await runAction(register, { done: "The passkey is added." }))) return;
    if (isFirst) await makeRecoveryCodes(runAction, false);
    await onChange();
  };
  const remove = (passkey: Factor) =>
    confirmRemoval(passkey, passkeys.length === 1 && !hasApps, { runAction, onChange });
  return (
    <SettingsSection
      title="Passkeys"
      why="Sign in with your fingerprint, face or PIN. Once you have one, you cannot sign in with your password alone."
    >
      {passkeys.length > 0 ? (
        <ul className={overview.lines}>
          {passkeys.map((passkey) => (
            <Passkey key={passkey.id} passkey={passkey} onChange={onChange} onRemove={() => remove(passkey)} />
          ))}
        </ul>
      ) : null}
      {usable ? (
        <div className={styles.row}>
          {passkeys.length < passkeysPerUser ? (
            <Button
              tone="line"
              size={passkeys.length ? "sm" : undefined}
              busy={busy}
              busyLabel="Adding..."
              onClick={() => void add()}
            >
              Add a passkey
            </Button>
          ) : (
            <p className="small quiet">No more than {passkeysPerUser} at a time.</p>
          )}
        </div>
      ) : null}
    </SettingsSection>
  );
}

type PasskeyProps = Readonly<{ passkey: Factor; onChange(): Promise<void>; onRemove(): void }>;

function Passkey({ passkey, onChange, onRemove }: PasskeyProps) {
  const name = factorName(passkey);
  const { last_challenged_at: lastUsed } = passkey;
  const used = lastUsed ? localMoment(lastUsed) : undefined;
  return (
    <li>
      <span>
        <strong>{name}</strong>
        <small>
          Added {formatDay(localMoment(passkey.created_at).day, { short: true })}.{" "}
          {used ? `Last used ${formatDay(used.day, { short: true })}, ${used.time}` : "Not used yet"}
        </small>
      </span>
      <div className={styles.row}>
        <Button
          tone="line"
          size="sm"
          aria-label={`Rename ${name}`}
          onClick={() =>
            openForm("Rename this passkey", (onClose) => (
              <RenamePasskey passkey={passkey} onChange={onChange} onClose={onClose} />
            ))
          }
        >
          Rename
        </Button>
        <Button tone="bad" size="sm" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
    </li>
  );
}

type RenameProps = Readonly<{ passkey: Factor; onChange(): Promise<void>; onClose(): void }>;

function RenamePasskey({ passkey, onChange, onClose }: RenameProps) {
  const form = useApiForm({
    initialValues: { name: factorName(passkey) },
    validate: { name: (name) => requiredMessage(name, "Enter a name.") },
    fallback: "name",
    send: async ({ name }) => {
      const { error } = await (await authClient()).passkey.update({ passkeyId: passkey.id, friendlyName: name });
      if (error) throw error;
      await onChange();
      onClose();
    },
  });
  return (
    <DialogForm form={form} submit="Save" busyLabel="Saving..." onClose={onClose}>
      <TextInput
        label="Name"
        maxLength={nameLength.max}
        autoComplete="off"
        required
        data-autofocus
        {...form.field("name")}
      />
    </DialogForm>
  );
}
