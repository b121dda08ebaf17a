/** Two-factor sign-in: an authenticator app beside the password, and recovery codes for the day it is lost. */
import type { Factor } from "@supabase/auth-js";
import { type FormEvent, useState } from "react";
import { authClient } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";
import authStyles from "../auth.module.css";
import styles from "./account.module.css";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { Section } from "./section.tsx";
import { useAct } from "./use-act.ts";

type Enrolment = Readonly<{ id: string; picture: string; key: string }>;

/** Turns two-factor sign-in on and off. `onChange` reads the account anew. */
export function FactorSection({
  factor,
  onChange,
}: Readonly<{ factor: Factor | undefined; onChange(): Promise<void> }>) {
  const { busy, act } = useAct();
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [codes, setCodes] = useState<readonly string[]>();
  const start = () =>
    act(async () => {
      const answer = await (
        await authClient()
      ).mfa.enroll({ factorType: "totp", issuer: "Stagedoor", friendlyName: "Authenticator app" });
      if (answer.data)
        setEnrolment({ id: answer.data.id, picture: answer.data.totp.qr_code, key: answer.data.totp.secret });
      return answer;
    });
  const makeCodes = () =>
    act(async () => {
      const auth = await authClient();
      const answer = factor ? await auth.mfa.recoveryCodes.regenerate() : await auth.mfa.recoveryCodes.generate();
      if (answer.data) setCodes(answer.data.codes);
      return answer;
    });
  const turnOn = async (code: string) => {
    if (!enrolment) return;
    const refused = await act(
      async () => (await authClient()).mfa.challengeAndVerify({ factorId: enrolment.id, code }),
      "Two-factor sign-in is on.",
    );
    if (refused) return;
    setEnrolment(undefined);
    await makeCodes();
    await onChange();
  };
  const turnOff = async () => {
    if (!factor) return;
    await act(async () => (await authClient()).mfa.unenroll({ factorId: factor.id }), "Two-factor sign-in is off.");
    await onChange();
  };
  return (
    <Section
      title="Two-factor sign-in"
      why="A code from your phone beside the password. With it on, a stolen password alone opens nothing."
    >
      {factor ? (
        <>
          <p>
            <span className="badge green" data-done="100">
              On
            </span>
          </p>
          <div className={styles.row}>
            <Button tone="line" size="sm" busy={busy} onClick={() => void makeCodes()}>
              New recovery codes
            </Button>
            <Button tone="bad" size="sm" busy={busy} onClick={() => void turnOff()}>
              Turn off
            </Button>
          </div>
        </>
      ) : enrolment ? (
        <Enrol enrolment={enrolment} busy={busy} onCode={turnOn} onCancel={() => setEnrolment(undefined)} />
      ) : (
        <div className={styles.row}>
          <Button tone="line" busy={busy} busyLabel="Preparing..." onClick={() => void start()}>
            Set up
          </Button>
        </div>
      )}
      <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />
    </Section>
  );
}

type EnrolProps = Readonly<{
  enrolment: Enrolment;
  busy: boolean;
  onCode(code: string): Promise<void>;
  onCancel(): void;
}>;

function Enrol({ enrolment, busy, onCode, onCancel }: EnrolProps) {
  const [code, setCode] = useState("");
  const send = (event: FormEvent) => {
    event.preventDefault();
    void onCode(code).then(() => setCode(""));
  };
  return (
    <form className={styles.body} onSubmit={send}>
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
          </li>
          <li>
            <label htmlFor="factor-code">
              <strong>Type the code it shows</strong>
            </label>
            <input
              className={authStyles.code}
              id="factor-code"
              inputMode="numeric"
              autoComplete="one-time-code"
              pattern="\d{6}"
              title="Six figures"
              required
              value={code}
              onChange={(event) => setCode(event.target.value.replaceAll(/\D/g, "").slice(0, 6))}
            />
          </li>
          <li>
            Keep ten recovery codes
            <br />
            <span className="small quiet">shown once, after the code</span>
          </li>
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
