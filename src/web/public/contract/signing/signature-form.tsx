import { type SubmitEvent, useState } from "react";
import { codeFigures, shortCodeMessage } from "../../../auth/codes/code-field.tsx";
import { apiErrorOf } from "../../../lib/api-error.ts";
import { errorToast } from "../../../lib/attempt.ts";
import { closeErrors } from "../../../lib/toasts.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/fields/field.tsx";
import type { ContractResponse, SignatureGiven } from "../use-signing.ts";
import { Consent } from "./consent.tsx";
import { SignaturePad } from "./signature-pad.tsx";
import { TypedSignature } from "./signature.tsx";
import { SigningCode } from "./signing-code.tsx";
import styles from "../sign.module.css";

type Props = Readonly<{
  contract: ContractResponse;
  busy: boolean;
  onSign(given: SignatureGiven): Promise<void>;
  onSendCode(): Promise<void>;
}>;

/** A phone's bottom bar submits this form. */
export const signatureFormId = "signature-form";

const methods = [
  { value: "typed", label: "Type" },
  { value: "drawn", label: "Draw" },
] as const;
type SignatureMethod = (typeof methods)[number]["value"];

export function SignatureForm({ contract, busy, onSign, onSendCode }: Props) {
  const mine = contract.signers.find((signer) => signer.side === contract.side);
  const [name, setName] = useState(mine?.name ?? "");
  const [method, setMethod] = useState<SignatureMethod>("typed");
  const [drawing, setDrawing] = useState<string | null>(null);
  const [consent, setConsent] = useState(false);
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const missing: Record<string, string> = {
      ...(name.trim().length < 2 ? { name: "Enter your full name." } : {}),
      ...(method === "drawn" && !drawing ? { drawing: "Draw your signature, or type it." } : {}),
      ...(consent ? {} : { consent: "Agree to sign electronically." }),
      ...codeFault(contract, code),
    };
    setWrong(missing);
    const first = Object.keys(missing)[0];
    if (first) return event.currentTarget.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
    closeErrors();
    try {
      await onSign({
        name: name.trim(),
        drawing: method === "drawn" ? drawing : null,
        consent,
        code: contract.code ? code : null,
      });
    } catch (error) {
      const { fields } = apiErrorOf(error);
      setWrong(fields);
      if (fields["code"]) setCode("");
      errorToast()(error);
    }
  };
  return (
    <form
      id={signatureFormId}
      className={styles.form}
      noValidate
      onSubmit={(event) => void submit(event)}
      aria-label="Your signature"
    >
      <div className={styles.top}>
        <TextField
          label="Your full name"
          name="name"
          autoComplete="name"
          maxLength={120}
          required
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={wrong["name"]}
        />
        <fieldset className={styles.methods}>
          <legend className="sr">How do you want to sign?</legend>
          {methods.map(({ value, label }) => (
            <label key={value}>
              <input type="radio" name="method" checked={method === value} onChange={() => setMethod(value)} />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
      </div>
      {method === "typed" ? (
        <div>
          <div className={styles.pad} role="img" aria-label={`Your signature: ${name}`}>
            <TypedSignature name={name || " "} />
          </div>
          <p className={styles.tip}>This is your signature.</p>
        </div>
      ) : (
        <SignaturePad name={name} onChange={setDrawing} />
      )}
      {wrong["drawing"] ? <p className={styles.wrong}>{wrong["drawing"]}</p> : null}
      <Consent contract={contract} checked={consent} error={wrong["consent"]} onChange={setConsent}>
        agree to sign it electronically
      </Consent>
      {contract.code ? (
        <SigningCode
          sent={contract.code.sent}
          code={code}
          error={wrong["code"]}
          onChange={setCode}
          onSend={onSendCode}
        />
      ) : null}
      <Button className={styles.inForm ?? ""} type="submit" size="big" wide busy={busy} busyLabel="Signing...">
        Sign contract
      </Button>
      <p className="small quiet">We store the time, your IP address and browser with your signature, as proof.</p>
    </form>
  );
}

function codeFault({ code: required }: ContractResponse, code: string): Record<string, string> {
  if (!required || code.length === codeFigures) return {};
  return { code: required.sent ? shortCodeMessage : "Request the code first." };
}
