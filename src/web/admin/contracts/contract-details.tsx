import { OpenContract } from "../../booking/contract/open-contract.tsx";
import { methodLabels, providerLabels } from "../../booking/details/signature-labels.ts";
import type { ContractWithEvidence } from "../../lib/api/admin/contracts.ts";
import { copyText } from "../../lib/browser/copy-text.ts";
import { formatBytes } from "../../lib/format/bytes.ts";
import { formatMomentAlone, formatRelativeMoment } from "../../lib/format/dates.ts";
import { Button } from "../../ui/button.tsx";
import { DetailRow } from "../../ui/detail-row.tsx";
import styles from "../../booking/booking.module.css";

type Props = Readonly<{ contract: ContractWithEvidence }>;

export function Parties({ contract: { parties, attestation, booking } }: Props) {
  return (
    <section className={styles.section}>
      <h2>Parties</h2>
      {parties.length === 0 ? (
        <p className="quiet">They are added when the contract is sent.</p>
      ) : (
        <dl className={styles.lines}>
          {parties.map((party) => (
            <DetailRow key={party.side} label={party.side === "promoter" ? "Promoter" : "Artist"}>
              <strong>{party.name}</strong>
              <small>
                {party.signed_at
                  ? `${methodLabels[party.method ?? ""] ?? "signed"} ${formatRelativeMoment(party.signed_at)}`
                  : booking.status === "canceled"
                    ? "not signed"
                    : "not signed yet"}
                {party.signed_name && party.signed_name !== party.name ? ` as “${party.signed_name}”` : ""}
              </small>
            </DetailRow>
          ))}
        </dl>
      )}
      {attestation ? (
        <dl className={styles.lines}>
          <DetailRow label="Attested by">
            {attestation.by}
            <small>“{attestation.reason}”</small>
          </DetailRow>
          <DetailRow label="Objections">
            {attestation.objections.length === 0 ? (
              <>
                none<small>possible until {formatRelativeMoment(attestation.objection_end)}</small>
              </>
            ) : (
              attestation.objections.map(({ side, reason, at }) => (
                <span key={side}>
                  by the {side}, {formatRelativeMoment(at)}
                  <small>“{reason}”</small>
                </span>
              ))
            )}
          </DetailRow>
        </dl>
      ) : null}
    </section>
  );
}

const fileNames: Readonly<Record<string, string>> = {
  agreement: "Agreement",
  sealed: "Sealed copy",
  scan: "Signed document",
};

export function Files({ contract: { id, files, seal, can } }: Props) {
  const sealed = seal.state === "sealed";
  return (
    <section className={styles.section}>
      <h2>Files</h2>
      {files.length === 0 ? (
        <p className="quiet">The document is created once the date is booked.</p>
      ) : (
        <>
          <dl className={styles.lines}>
            {files.map((file) => (
              <DetailRow key={file.kind} label={fileNames[file.kind] ?? file.kind}>
                {file.pages} {file.pages === 1 ? "page" : "pages"}, {formatBytes(file.bytes)},{" "}
                {formatMomentAlone(file.created_at)}
                <small className="num">SHA-256 {file.sha256}</small>
              </DetailRow>
            ))}
            <DetailRow label="Seal">
              {sealed && seal.at
                ? `sealed ${formatRelativeMoment(seal.at)}`
                : seal.state === "waiting"
                  ? "is being created"
                  : "Added when both have signed"}
              {sealed && seal.certificate ? <small className="num">Certificate {seal.certificate}</small> : null}
            </DetailRow>
          </dl>
          <p className={styles.status}>
            <OpenContract id={id} label={sealed ? "View signed contract" : "View contract"} />
            {can.open_paper ? <OpenContract id={id} kind="paper" label="View signed document" /> : null}
          </p>
        </>
      )}
    </section>
  );
}

export function ContractDetailList({ contract }: Props) {
  const {
    template,
    provider,
    first_signer: first,
    sent_at: sent,
    signed_at: signed,
    expires_at: expires,
    declined,
  } = contract;
  return (
    <section className={styles.section}>
      <h2>Details</h2>
      <dl className={styles.lines}>
        <DetailRow label="Drafted">{formatMomentAlone(contract.created_at)}</DetailRow>
        {sent ? <DetailRow label="Sent">{formatMomentAlone(sent)}</DetailRow> : null}
        {expires ? <DetailRow label="Open until">{formatRelativeMoment(expires)}</DetailRow> : null}
        {signed ? <DetailRow label="Signed">{formatMomentAlone(signed)}</DetailRow> : null}
        {declined ? <DetailRow label="Declined">{formatRelativeMoment(declined.at)}</DetailRow> : null}
        <DetailRow label="Provider">{providerLabels[provider] ?? provider}</DetailRow>
        {template ? <DetailRow label="Template">{template}</DetailRow> : null}
        {first ? <DetailRow label="Signs first">{first}</DetailRow> : null}
        <DetailRow label="Terms">
          <small className="num">SHA-256 {contract.terms_hash.slice(0, 12)}…</small>
          <Button
            tone="line"
            size="sm"
            onClick={() =>
              void copyText(contract.terms_hash, {
                done: { title: "Copied", text: "The hash of the terms is copied to the clipboard." },
                otherwise: contract.terms_hash,
              })
            }
          >
            Copy<span className="sr"> the hash of the terms</span>
          </Button>
        </DetailRow>
      </dl>
    </section>
  );
}
