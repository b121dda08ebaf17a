import type { Factor } from "@supabase/auth-js";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { factorsPerUser } from "#users/rules.ts";
import { factorName } from "../auth/codes/factor-name.ts";
import { SettingsSection } from "../dashboard/settings/settings-sheet.tsx";
import { useHostedAuth } from "../dashboard/use-hosted-auth.ts";
import { authClient } from "../lib/auth/session.ts";
import { useScrollToAnchor } from "../lib/browser/use-scroll-to-anchor.ts";
import { formatDay, localMoment } from "../lib/format/dates.ts";
import { Button } from "../ui/button.tsx";
import { EnrollAuthenticator, type Enrolment, NameAuthenticator } from "./enroll-authenticator.tsx";
import { makeRecoveryCodes } from "./recovery-codes.tsx";
import { confirmRemoval } from "./remove-authenticator.tsx";
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
      done: first ? "Two-factor sign-in is on." : `${name} is added.`,
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
