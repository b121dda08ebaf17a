import { type SubmitEvent, useState } from "react";
import { formatMoney } from "#platform/money.rules.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { closeErrors, toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";
import { codeFigures, shortCodeMessage } from "../../auth/codes/code-field.tsx";
import { SignaturePad } from "./signature-pad.tsx";
import { SigningCode } from "./signing-code.tsx";
import "../../ui/status.css";
import styles from "./sign.module.css";
import type { ShownContract, SignatureGiven } from "./use-signing.ts";

type Handlers = {
  contract: ShownContract;
  onSign(given: SignatureGiven): Promise<void>;
  onSendCode(): Promise<void>;
  onDecline(reason: string): Promise<void>;
};

const ways = [
  { value: "typed", label: "Type" },
  { value: "drawn", label: "Draw" },
] as const;
type Way = (typeof ways)[number]["value"];

export function SignatureForm({ contract, onSign, onSendCode, onDecline }: Handlers) {
  const mine = contract.signers.find((signer) => signer.side === contract.side);
  const [name, setName] = useState(mine?.name ?? "");
  const [way, setWay] = useState<Way>("typed");
  const [drawing, setDrawing] = useState<string | null>(null);
  const [consent, setConsent] = useState(false);
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const missing: Record<string, string> = {
      ...(name.trim().length < 2 ? { name: "Enter your full name." } : {}),
      ...(way === "drawn" && !drawing ? { drawing: "Draw your signature, or type it." } : {}),
      ...(consent ? {} : { consent: "Agree to sign electronically." }),
      ...codeFault(contract, code),
    };
    setWrong(missing);
    const first = Object.keys(missing)[0];
    if (first) return event.currentTarget.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
    setBusy(true);
    closeErrors();
    try {
      await onSign({
        name: name.trim(),
        drawing: way === "drawn" ? drawing : null,
        consent,
        code: contract.code ? code : null,
      });
    } catch (error) {
      const apiError = apiErrorOf(error);
      setWrong(apiError.fields);
      if (apiError.fields["code"]) setCode("");
      toast({ tone: "error", title: "Error", text: apiError.message });
    }
    setBusy(false);
  };
  return (
    <div className={styles.your} id="signature">
      <form noValidate onSubmit={(event) => void submit(event)} aria-label="Your signature">
        <h2>Your signature</h2>
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
        <fieldset className={styles.ways}>
          <legend>How do you want to sign?</legend>
          {ways.map(({ value, label }) => (
            <label key={value}>
              <input type="radio" name="way" checked={way === value} onChange={() => setWay(value)} />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
        {way === "typed" ? (
          <p className={styles.typed} aria-hidden>
            {name || " "}
          </p>
        ) : (
          <SignaturePad name={name} onChange={setDrawing} />
        )}
        {wrong["drawing"] ? <p className={styles.wrong}>{wrong["drawing"]}</p> : null}
        <label className={styles.agree}>
          <input
            type="checkbox"
            name="consent"
            checked={consent}
            aria-invalid={wrong["consent"] ? true : undefined}
            aria-describedby={wrong["consent"] ? "consent-error" : undefined}
            onChange={(event) => setConsent(event.target.checked)}
          />
          <span>
            I have read the contract ({contract.document?.pages} pages,{" "}
            <span className={styles.number}>{contract.number}</span>) and agree to sign it electronically.
          </span>
        </label>
        {wrong["consent"] ? (
          <p className={styles.wrong} id="consent-error">
            {wrong["consent"]}
          </p>
        ) : null}
        {contract.code ? (
          <SigningCode
            sent={contract.code.sent}
            code={code}
            error={wrong["code"]}
            onChange={setCode}
            onSend={onSendCode}
          />
        ) : null}
        <Button type="submit" size="big" wide busy={busy} busyLabel="Signing...">
          Sign Contract
        </Button>
        <p className="small quiet">
          We keep the time, your IP address, your browser and the document's hash with your signature, as proof.
        </p>
      </form>
      <Decline contract={contract} onDecline={onDecline} />
    </div>
  );
}

function codeFault({ code: asked }: ShownContract, code: string): Record<string, string> {
  if (!asked || code.length === codeFigures) return {};
  return { code: asked.sent ? shortCodeMessage : "Request the code first." };
}

export function Decline({ contract, onDecline }: Pick<Handlers, "contract" | "onDecline">) {
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const refund = contract.refund_if_declined ?? 0;
  const other = contract.side === "promoter" ? "artist" : "promoter";
  const money =
    contract.side === "artist"
      ? "The booking ends, and the promoter gets back everything that was paid."
      : refund > 0
        ? `The booking is canceled, and ${formatMoney(refund, contract.currency)} is refunded to your card.`
        : "The booking ends. Nothing comes back at this point: nothing was paid, or the cancellation policy keeps it.";
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const reason = String(new FormData(event.currentTarget).get("reason") ?? "").trim();
    if (reason.length < 5) {
      setWrong("Describe briefly what is wrong.");
      return event.currentTarget.querySelector<HTMLElement>("textarea")?.focus();
    }
    setWrong(undefined);
    setBusy(true);
    try {
      await onDecline(reason);
    } catch (error) {
      toast({ tone: "error", title: "Error", text: apiErrorOf(error).message });
      setBusy(false);
    }
  };
  return (
    <details className={styles.no}>
      <summary>Decline</summary>
      <form noValidate onSubmit={(event) => void submit(event)} aria-label="Decline">
        <TextArea
          label="What is wrong?"
          name="reason"
          rows={3}
          maxLength={1000}
          required
          error={wrong}
          hint={`The ${other} reads it. ${money}`}
        />
        <Button type="submit" tone="danger" busy={busy} busyLabel="Declining...">
          Decline with this reason
        </Button>
      </form>
    </details>
  );
}
