/** The contract as a sheet of text: what the PDF says, clause by clause, with the ends of its pages. */
import { Fragment } from "react";
import { ClauseText } from "../../booking/contract/clause-content.tsx";
import styles from "./contract.module.css";
import { clauseId, type DocumentText } from "./reading-progress.tsx";

type Props = Readonly<{ text: DocumentText; sha256: string }>;

export function ContractSheet({ text, sha256 }: Props) {
  const { title, parties, sections, signatures, pages } = text;
  let page = 1;
  /** The line between two pages, before what begins on a later page than all before it. */
  const pageBreak = (begins: number) => {
    if (begins <= page) return null;
    page = begins;
    return (
      <p className={styles.break}>
        <span>
          Page {page} of {pages}
        </span>
      </p>
    );
  };
  return (
    <article className={styles.sheet} aria-label={`Contract, ${pages} ${pages === 1 ? "page" : "pages"}`}>
      <p className={styles.firstPage}>Page 1 of {pages}</p>
      <h2>{title}</h2>
      <p>{parties}</p>
      {sections.map((section, at) => (
        <Fragment key={section.number}>
          {pageBreak(section.page)}
          <section className={styles.clause} id={clauseId(section)} aria-labelledby={`${clauseId(section)}-title`}>
            <h3 id={`${clauseId(section)}-title`}>
              <span className={styles.clauseNumber}>{section.number}.</span> {section.heading}
            </h3>
            {section.clauses.map(({ number, content, page: begins }) => (
              <Fragment key={number}>
                {pageBreak(begins)}
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
