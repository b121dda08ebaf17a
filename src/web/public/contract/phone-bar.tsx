import { Button, LinkButton } from "../../ui/button.tsx";
import { DownloadIcon } from "./download-icon.tsx";
import { clauseId, type DocumentText } from "./reading-progress.tsx";
import { signatureFormId } from "./signing/signature-form.tsx";
import type { Reading } from "./use-reading.ts";
import styles from "./contract.module.css";

type Props = Readonly<{
  sections: DocumentText["sections"];
  reading: Reading;
  pdf: Readonly<{ url: string; name: string }>;
  /** `form`: the party signs with a form. `other`: the party signs in another way. `none`: nothing is left to do. */
  signing: "form" | "other" | "none";
  busy: boolean;
}>;

export function PhoneBar({ sections, reading, pdf, signing, busy }: Props) {
  if (reading.atSignature && signing === "other") return null;
  if (reading.atSignature && signing === "form")
    return (
      <div className={styles.bar}>
        <Button type="submit" form={signatureFormId} size="big" wide busy={busy} busyLabel="Signing...">
          Sign contract
        </Button>
      </div>
    );
  const next = sections.find((_, at) => at > reading.current && !reading.read.has(at));
  const hasNext = next !== undefined || signing !== "none";
  return (
    <div className={styles.bar}>
      <LinkButton tone="line" size="big" href={pdf.url} download={pdf.name} aria-label="Download PDF">
        <DownloadIcon />
        {hasNext ? null : "Download PDF"}
      </LinkButton>
      {next ? (
        <LinkButton size="big" href={`#${clauseId(next)}`}>
          Next clause: {next.number}
        </LinkButton>
      ) : hasNext ? (
        <LinkButton size="big" href="#signature">
          Go to the signature
        </LinkButton>
      ) : null}
    </div>
  );
}
