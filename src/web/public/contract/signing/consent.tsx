import type { ReactNode } from "react";
import type { ContractResponse } from "../use-signing.ts";
import styles from "../sign.module.css";

type Props = Readonly<{
  contract: ContractResponse;
  checked: boolean;
  error: string | undefined;
  onChange(checked: boolean): void;
  children: ReactNode;
}>;

export function Consent({ contract: { document, number }, checked, error, onChange, children }: Props) {
  const clauses = document?.text ? `${document.text.sections.length} clauses, ` : "";
  return (
    <>
      <label className={styles.agree}>
        <input
          type="checkbox"
          name="consent"
          checked={checked}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? "consent-error" : undefined}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>
          I have read the contract ({clauses}
          {document?.pages} pages, <span className={styles.number}>{number}</span>) and {children}.
        </span>
      </label>
      {error ? (
        <p className={styles.wrong} id="consent-error">
          {error}
        </p>
      ) : null}
    </>
  );
}
