import type { ContractWithEvidence } from "../../lib/api/admin-contracts.ts";
import { DetailRow } from "../../ui/detail-row.tsx";
import booking from "../../booking/booking.module.css";
import styles from "./evidence.module.css";

type Evidence = ContractWithEvidence["evidence"];

export function EvidenceTrail({ evidence }: Readonly<{ evidence: Evidence }>) {
  return (
    <section className={booking.section}>
      <h2>Evidence</h2>
      {evidence.fault ? (
        <p className="note cherry" role="alert">
          {evidence.fault}
        </p>
      ) : evidence.events.length === 0 ? (
        <p className="quiet">No entries yet. The first one appears when the contract is sent.</p>
      ) : (
        <>
          <p className="small quiet">
            {evidence.events.length} {evidence.events.length === 1 ? "entry" : "entries"}, checked now: each hash covers
            its entry and all before it. Times are UTC.
          </p>
          <ol className={styles.trail}>
            {evidence.events.map((event) => (
              <Event key={event.number} event={event} />
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

/** Returns "2026-11-22 14:03:09" in UTC, as the certificate prints it. */
const utc = (at: string): string => new Date(at).toISOString().slice(0, 19).replace("T", " ");

function Event({ event }: Readonly<{ event: Evidence["events"][number] }>) {
  const details = [
    ...event.details.map(({ name, value }) => ({ name: detailLabels[name] ?? name, value })),
    ...(event.address ? [{ name: "Address", value: event.address }] : []),
    ...(event.agent ? [{ name: "Program", value: event.agent }] : []),
    ...(event.document ? [{ name: "Document, SHA-256", value: event.document }] : []),
    { name: "Hash of the chain", value: event.hash },
  ];
  return (
    <li>
      <details>
        <summary>
          <span className={`num ${styles.number}`}>{event.number}</span>
          <time className="num" dateTime={event.at}>
            {utc(event.at)}
          </time>
          <strong>{eventLabels[event.kind] ?? event.kind}</strong>
          <span className="quiet">{event.side ?? "the platform"}</span>
          <span className={`num quiet ${styles.hash}`}>{event.hash.slice(0, 12)}</span>
        </summary>
        <dl>
          {details.map(({ name, value }) => (
            <DetailRow key={name} label={name}>
              {value}
            </DetailRow>
          ))}
        </dl>
      </details>
    </li>
  );
}

const eventLabels: Readonly<Record<string, string>> = {
  sent: "Sent",
  opened: "Opened",
  code_sent: "Code sent",
  code_verified: "Code entered",
  consented: "Agreed to electronic records",
  signed: "Signed",
  attested: "Attested by an admin",
  objected: "Objected",
  objection_decided: "Objection decided",
  email_corrected: "Email corrected",
  declined: "Declined",
  voided: "Voided",
};

const detailLabels: Readonly<Record<string, string>> = {
  name: "Name",
  method: "Signature",
  via: "Identified by",
  reason: "Reason",
  decision: "Decision",
  by: "Admin",
  account: "Account",
  paper: "Signed document, SHA-256",
  paper_type: "Signed document, type",
  paper_bytes: "Signed document, bytes",
  terms: "Terms, SHA-256",
  text: "Text, SHA-256",
  template: "Template",
  code: "Reason for the end",
  channel: "Sent by",
  to: "Sent to",
  email: "Email",
  supplied: "Document created",
};
