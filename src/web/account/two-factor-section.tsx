import { TextInput } from "@mantine/core";
import type { Factor } from "@supabase/auth-js";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState, type FormEvent } from "react";
import { factorsPerUser, unusedName } from "#users/rules.ts";
import { factorName, CodeField, codeFigures, shortCodeMessage } from "../auth/codes/code-field.tsx";
import { useApiForm } from "../dashboard/forms/api-form.tsx";
import { SettingsSection } from "../dashboard/settings/settings-sheet.tsx";
import { useHostedAuth } from "../dashboard/use-hosted-auth.ts";
import { authClient } from "../lib/auth/session.ts";
import { focusInvalid } from "../lib/browser/announce.ts";
import { useScrollToAnchor } from "../lib/browser/use-scroll-to-anchor.ts";
import { requiredMessage } from "../lib/form-validation.ts";
import { formatDay, localMoment } from "../lib/format/dates.ts";
import { Button } from "../ui/button.tsx";
import { confirmRemoval, makeRecoveryCodes } from "./second-factor-dialogs.tsx";
import { useAccountAction } from "./use-account-action.ts";
import overview from "../dashboard/overview.module.css";
import styles from "./account.module.css";

type Props = Readonly<{
  factors: readonly Factor[];
  hasPasskeys?: boolean;
  isRequired: boolean;
  onChange(): Promise<void>;
}>;

export function FactorSection({ factors, hasPasskeys = false, isRequired, onChange }: Props) {
  const { busy, runAction } = useAccountAction();
  const hosted = useHostedAuth();
  const note = useScrollToAnchor<HTMLParagraphElement>("second-factor", "center");
  const [isNaming, setNaming] = useState(false);
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const first = factors.length === 0 && !hasPasskeys;
  const start = async (name: string) => {
    const auth = await authClient();
    let refused: string | undefined;
    await runAction(
      async () => {
        const response = await auth.mfa.enroll({ factorType: "totp", issuer: "Stagedoor", friendlyName: name });
        if (response.data) {
          const { id, totp } = response.data;
          setEnrolment({ id, name, picture: totp.qr_code, key: totp.secret, address: totp.uri });
          setNaming(false);
        }
        return response;
      },
      { onError: (message) => (refused = message) },
    );
    return refused;
  };
  const turnOn = async (code: string) => {
    if (!enrolment) return undefined;
    const { id, name } = enrolment;
    let refused: string | undefined;
    const done = await runAction(async () => (await authClient()).mfa.challengeAndVerify({ factorId: id, code }), {
      // The dialog of the recovery codes says it.
      ...(first && !hosted ? {} : { done: first ? "Two-factor sign-in is on." : `${name} is added.` }),
      onError: (message) => (refused = message),
    });
    if (!done) return refused;
    setEnrolment(undefined);
    if (first && !hosted) await makeRecoveryCodes(runAction, false);
    await onChange();
    return undefined;
  };
  const remove = (factor: Factor) =>
    confirmRemoval(factor, factors.length === 1 && !hasPasskeys, { runAction, onChange });
  return (
    <SettingsSection title="Two-factor sign-in" why="Adds a code from your phone, so a stolen password isn't enough.">
      {isRequired ? (
        <p className="note gold" id="second-factor" ref={note}>
          You are an admin, so your account can open all accounts. Set up a second factor.
        </p>
      ) : null}
      {factors.length > 0 ? (
        <ul className={overview.lines}>
          {factors.map((factor) => (
            <Authenticator key={factor.id} factor={factor} onRemove={() => remove(factor)} />
          ))}
        </ul>
      ) : null}
      {enrolment ? (
        <EnrollAuthenticator
          enrolment={enrolment}
          busy={busy}
          first={first && !hosted}
          onCode={turnOn}
          onCancel={() => setEnrolment(undefined)}
        />
      ) : null}
      {isNaming ? (
        <NameAuthenticator
          usedNames={factors.map(factorName)}
          busy={busy}
          onName={start}
          onCancel={() => setNaming(false)}
        />
      ) : null}
      {!enrolment && !isNaming ? (
        <div className={styles.row}>
          {factors.length < factorsPerUser ? (
            <Button
              tone={isRequired ? "main" : "line"}
              size={factors.length ? "sm" : undefined}
              onClick={() => setNaming(true)}
            >
              {factors.length ? "Add another" : "Set up"}
            </Button>
          ) : (
            <p className="small quiet">No more than {factorsPerUser} at a time.</p>
          )}
          {!first && !hosted ? (
            <>
              <Button tone="line" size="sm" busy={busy} onClick={() => void makeRecoveryCodes(runAction, true)}>
                New recovery codes
              </Button>
              <RemainingRecoveryCodes />
            </>
          ) : null}
        </div>
      ) : null}
    </SettingsSection>
  );
}

function RemainingRecoveryCodes() {
  const { data } = useQuery({ queryKey: ["account", "recovery-codes"], queryFn: readRecoveryCodes });
  return data ? (
    <p className="small quiet">
      {data.remaining} of {data.total} recovery codes are left.
    </p>
  ) : null;
}

async function readRecoveryCodes() {
  const { data, error } = await (await authClient()).mfa.recoveryCodes.getStatus();
  if (error && error.code !== "mfa_factor_not_found") throw error;
  return data ?? { total: 0, remaining: 0 };
}

function Authenticator({ factor, onRemove }: Readonly<{ factor: Factor; onRemove(): void }>) {
  const name = factorName(factor);
  return (
    <li>
      <span>
        <strong>{name}</strong>
        <small>Added {formatDay(localMoment(factor.created_at).day, { short: true })}</small>
      </span>
      <Button tone="bad" size="sm" aria-label={`Remove ${name}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  );
}

type Enrolment = Readonly<{ id: string; name: string; picture: string; key: string; address: string }>;

type NameProps = Readonly<{
  usedNames: readonly string[];
  busy: boolean;
  onName(name: string): Promise<string | undefined>;
  onCancel(): void;
}>;

function NameAuthenticator({ usedNames, busy, onName, onCancel }: NameProps) {
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

function EnrollAuthenticator({ enrolment, busy, first, onCode, onCancel }: EnrolProps) {
  const [code, setCode] = useState("");
  const [refused, setRefused] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const show = (message: string | undefined) => {
    setRefused(message);
    if (message) focusInvalid(form.current?.querySelector("input"), message);
  };
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (code.length < codeFigures) return show(shortCodeMessage);
    show(await onCode(code));
    setCode("");
  };
  return (
    <form ref={form} className={styles.body} noValidate onSubmit={(event) => void send(event)}>
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
              autoFocus
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
