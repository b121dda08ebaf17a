import { Fragment } from "react";
import { ClauseText } from "../../booking/contract/clause-content.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { DownloadIcon } from "./download-icon.tsx";
import { clauseId, type DocumentText, type Reading } from "./reading.tsx";
import { signatureFormId } from "./signing/signature-form.tsx";
import styles from "./contract.module.css";

/** Returns the PDF's page numbers by the first section or clause of each page, without page 1. */
function pageBreaks({ sections }: DocumentText): ReadonlyMap<string, number> {
  const parts = sections.flatMap((section) => [section, ...section.clauses]);
  return new Map(
    parts
      .filter(({ page }, at) => page > (at === 0 ? 1 : (parts[at - 1]?.page ?? 1)))
      .map(({ number, page }) => [number, page]),
  );
}

export function ContractSheet({ text, sha256 }: Readonly<{ text: DocumentText; sha256: string }>) {
  const { title, parties, sections, signatures = [], pages } = text;
  const breaks = pageBreaks(text);
  const pageBreak = (number: string) =>
    breaks.has(number) ? (
      <p className={styles.break}>
        <span>
          Page {breaks.get(number)} of {pages}
        </span>
      </p>
    ) : null;
  return (
    <article className={styles.sheet} aria-label={`Contract, ${pages} ${pages === 1 ? "page" : "pages"}`}>
      <p className={styles.firstPage}>Page 1 of {pages}</p>
      <h2>{title}</h2>
      <p>{parties}</p>
      {sections.map((section, at) => (
        <Fragment key={section.number}>
          {pageBreak(section.number)}
          <section className={styles.clause} id={clauseId(section)} aria-labelledby={`${clauseId(section)}-title`}>
            <h3 id={`${clauseId(section)}-title`}>
              <span className={styles.clauseNumber}>{section.number}.</span> {section.heading}
            </h3>
            {section.clauses.map(({ number, content }) => (
              <Fragment key={number}>
                {pageBreak(number)}
                <ClauseText content={content} number={<span className={styles.point}>{number}</span>} />
              </Fragment>
            ))}
            <span data-end={at} />
          </section>
        </Fragment>
      ))}
      <div className={styles.end}>
        {signatures.map((line) => (
          <p key={line}>{line}</p>
        ))}
        <p>
          This text and the PDF are the same document. What you sign is the PDF. Its fingerprint (SHA-256): {sha256}
        </p>
      </div>
    </article>
  );
}

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
