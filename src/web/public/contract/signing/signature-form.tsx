import { type Dispatch, type PointerEvent, type SetStateAction, type SubmitEvent, useRef, useState } from "react";
import { useBeforeUnload } from "react-router";
import { drawingBox, drawingOf } from "#bookings/rules.ts";
import { visibleText } from "#platform/security/plain-name.rules.ts";
import { SendAgain, codeFigures, shortCodeMessage, CodeField } from "../../../auth/codes/code-field.tsx";
import { apiErrorOf } from "../../../lib/api-error.ts";
import { errorToast } from "../../../lib/attempt.ts";
import { closeErrors } from "../../../lib/toasts.ts";
import { useRequestError } from "../../../lib/use-request-error.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/fields/field.tsx";
import { LostRequest } from "../../../ui/states/lost-request.tsx";
import type { ContractResponse, SignatureGiven } from "../use-signing.ts";
import { Consent } from "./consent.tsx";
import { TypedSignature } from "./signature.tsx";
import styles from "../sign.module.css";

type Props = Readonly<{
  contract: ContractResponse;
  busy: boolean;
  onSign(given: SignatureGiven): Promise<void>;
  onSendCode(): Promise<void>;
}>;

export const signatureFormId = "signature-form";

const methods = [
  { value: "typed", label: "Type" },
  { value: "drawn", label: "Draw" },
] as const;
type SignatureMethod = (typeof methods)[number]["value"];

export function SignatureForm({ contract, busy, onSign, onSendCode }: Props) {
  const mine = contract.signers.find((signer) => signer.side === contract.side);
  const givenName = visibleText(mine?.name ?? "");
  const [name, setName] = useState(givenName);
  const [method, setMethod] = useState<SignatureMethod>("typed");
  const [strokes, setStrokes] = useState<Strokes>([]);
  const drawing = drawingOf(strokes) || null;
  const [consent, setConsent] = useState(false);
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const { lost, report, clear } = useRequestError();
  const isChanged = name !== givenName || strokes.length > 0;
  useBeforeUnload((event) => isChanged && event.preventDefault());
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
    if (first) return focusField(event.currentTarget, first);
    clear();
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
      report(error);
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
          onChange={(event) => setName(visibleText(event.target.value))}
          error={wrong["name"]}
        />
        <fieldset className={styles.methods}>
          <legend className="sr">How do you want to sign?</legend>
          {methods.map(({ value, label }) => (
            <label key={value}>
              <input
                type="radio"
                name="method"
                checked={method === value}
                aria-describedby={value === "drawn" && wrong["drawing"] ? "drawing-error" : undefined}
                onChange={() => setMethod(value)}
              />
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
        <SignaturePad name={name} strokes={strokes} onChange={setStrokes} />
      )}
      {wrong["drawing"] ? (
        <p className={styles.wrong} id="drawing-error">
          {wrong["drawing"]}
        </p>
      ) : null}
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
      <LostRequest message={lost} />
      <Button className={styles.inForm ?? ""} type="submit" size="big" wide busy={busy} busyLabel="Signing...">
        Sign contract
      </Button>
      <p className="small quiet">We store the time, your IP address and browser with your signature, as proof.</p>
    </form>
  );
}

/** A missing drawing focuses the chosen method, because the pad has no keyboard. */
function focusField(form: HTMLFormElement, name: string): void {
  form.querySelector<HTMLElement>(name === "drawing" ? '[name="method"]:checked' : `[name="${name}"]`)?.focus();
}

function codeFault({ code: required }: ContractResponse, code: string): Record<string, string> {
  if (!required || code.length === codeFigures) return {};
  return { code: required.sent ? shortCodeMessage : "Request the code first." };
}

type Point = readonly [number, number];
type Strokes = readonly Point[][];

/** In units of the box. Points closer to the last one are ignored. */
const minStep = 2;

function pointOf({ clientX, clientY, currentTarget }: PointerEvent<SVGSVGElement>): Point {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  return [((clientX - left) / (width || 1)) * drawingBox.width, ((clientY - top) / (height || 1)) * drawingBox.height];
}

type PadProps = Readonly<{ name: string; strokes: Strokes; onChange: Dispatch<SetStateAction<Strokes>> }>;

function SignaturePad({ name, strokes, onChange }: PadProps) {
  const current = useRef<Point[]>(undefined);
  const start = (event: PointerEvent<SVGSVGElement>) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    current.current = [pointOf(event)];
  };
  const move = (event: PointerEvent<SVGSVGElement>) => {
    const last = current.current?.at(-1);
    if (!current.current || !last) return;
    const [x, y] = pointOf(event);
    if (Math.hypot(x - last[0], y - last[1]) < minStep) return;
    const drawn = [...current.current, [x, y] as const];
    current.current = drawn;
    onChange((before) => [...(drawn.length === 2 ? before : before.slice(0, -1)), drawn]);
  };
  const end = () => {
    current.current = undefined;
  };
  const path = drawingOf(strokes);
  return (
    <div>
      <div className={styles.pad}>
        <svg
          viewBox={`0 0 ${drawingBox.width} ${drawingBox.height}`}
          preserveAspectRatio="none"
          role="img"
          onPointerDown={start}
          onPointerMove={move}
          onPointerUp={end}
          onPointerCancel={end}
          aria-label={path ? `Your drawn signature: ${name}` : "Nothing is drawn yet"}
        >
          <path d={path} />
        </svg>
        <Button tone="line" size="sm" onClick={() => onChange([])}>
          Clear
        </Button>
      </div>
      <p className={styles.tip}>Draw with a finger, a pen or the mouse.</p>
    </div>
  );
}

type CodeProps = Readonly<{
  sent: NonNullable<ContractResponse["code"]>["sent"];
  code: string;
  error: string | undefined;
  onChange(code: string): void;
  onSend(): Promise<void>;
}>;

function SigningCode({ sent, code, error, onChange, onSend }: CodeProps) {
  const [busy, setBusy] = useState(false);
  const [wasRequested, setWasRequested] = useState(false);
  const send = async (): Promise<boolean> => {
    closeErrors();
    try {
      await onSend();
      setWasRequested(true);
      onChange("");
      return true;
    } catch (problem) {
      errorToast()(problem);
      return false;
    }
  };
  const sendFirst = async () => {
    setBusy(true);
    await send();
    setBusy(false);
  };
  return (
    <div className={styles.code} role="group" aria-label="One-time code">
      <p role="status">
        {sent
          ? `We sent a code by ${sent.channel === "sms" ? "SMS" : "email"} to ${sent.to}. It works for 10 minutes.`
          : "We send you a code before you sign."}
      </p>
      {sent ? (
        <>
          <CodeField
            id="signing-code"
            label="Code"
            value={code}
            error={error}
            autoFocus={wasRequested}
            onChange={onChange}
          />
          <div>
            <SendAgain key={sent.expires_at} onSend={send} />
          </div>
        </>
      ) : (
        <div>
          <Button
            name="code"
            tone="line"
            busy={busy}
            busyLabel="Sending..."
            aria-describedby={error ? "signing-code-error" : undefined}
            onClick={() => void sendFirst()}
          >
            Send me a code
          </Button>
          {error ? (
            <p className={styles.wrong} id="signing-code-error">
              {error}
            </p>
          ) : null}
        </div>
      )}
    </div>
  );
}
