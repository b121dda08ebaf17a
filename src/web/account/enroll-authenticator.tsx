import { TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { unusedName } from "#users/rules.ts";
import { CodeField, codeFigures, shortCodeMessage } from "../auth/codes/code-field.tsx";
import { useApiForm } from "../dashboard/use-api-form.ts";
import { requiredMessage } from "../lib/form-validation.ts";
import { Button } from "../ui/button.tsx";
import styles from "./account.module.css";

export type Enrolment = Readonly<{ id: string; name: string; picture: string; key: string; address: string }>;

type NameProps = Readonly<{
  usedNames: readonly string[];
  busy: boolean;
  onName(name: string): Promise<string | undefined>;
  onCancel(): void;
}>;

export function NameAuthenticator({ usedNames, busy, onName, onCancel }: NameProps) {
  const form = useApiForm({
    initialValues: { name: unusedName("Authenticator app", usedNames) },
    validate: { name: (name) => requiredMessage(name, "Enter a name.") },
    send: async ({ name }) => {
      const refused = await onName(name);
      if (refused) form.setFieldError("name", refused);
    },
  });
  return (
    <form className={styles.body} {...form.props}>
      <TextInput
        label="Name of the authenticator"
        maxLength={60}
        autoComplete="off"
        required
        autoFocus
        description="A name that you recognize, such as the phone or the app."
        {...form.field("name")}
      />
      <div className={styles.row}>
        <Button type="submit" busy={busy} busyLabel="Preparing...">
          Continue
        </Button>
        <Button tone="line" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

type EnrolProps = Readonly<{
  enrolment: Enrolment;
  busy: boolean;
  first: boolean;
  onCode(code: string): Promise<string | undefined>;
  onCancel(): void;
}>;

export function EnrollAuthenticator({ enrolment, busy, first, onCode, onCancel }: EnrolProps) {
  const [code, setCode] = useState("");
  const [refused, setRefused] = useState<string>();
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (code.length < codeFigures) return setRefused(shortCodeMessage);
    setRefused(await onCode(code));
    setCode("");
  };
  return (
    <form className={styles.body} noValidate onSubmit={(event) => void send(event)}>
      <div className={styles.enrol}>
        <img
          className={styles.qr}
          src={enrolment.picture}
          width={176}
          height={176}
          alt="QR code for your authenticator app"
        />
        <ol className={styles.steps}>
          <li>
            <strong>Scan the picture</strong>
            <br />
            <span className="small quiet">
              with an authenticator app. No camera? Type this key:{" "}
              <span className={styles.key}>{enrolment.key.replaceAll(/(.{4})(?=.)/g, "$1 ")}</span>
            </span>
            <a className={`btn line sm ${styles.onPhone}`} href={enrolment.address}>
              Open in your authenticator app
            </a>
          </li>
          <li>
            <CodeField
              id="factor-code"
              label="Type the code it shows"
              value={code}
              error={refused}
              onChange={setCode}
            />
          </li>
          {first ? (
            <li>
              <strong>Save ten recovery codes</strong>
              <br />
              <span className="small quiet">shown once, after the code</span>
            </li>
          ) : null}
        </ol>
      </div>
      <div className={styles.row}>
        <Button type="submit" busy={busy} busyLabel="Checking...">
          Turn on
        </Button>
        <Button tone="line" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
