import { displayedContractStatus } from "#contracts/rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { openMarkSigned } from "../../booking/actions/mark-signed-dialog.tsx";
import { openDecideObjection } from "../../booking/actions/objection-dialog.tsx";
import { RecordPage } from "../../booking/record-page.tsx";
import { openConfirmation } from "../../dashboard/dialogs/confirmation.tsx";
import { type ContractWithEvidence, useContract, useSendContractAgain } from "../../lib/api/admin/contracts.ts";
import { formatDay } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { DetailRow } from "../../ui/detail-row.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import type { Route } from "./+types/contract-page.ts";
import { ContractDetailList, Files, Parties } from "./contract-details.tsx";
import bookingStyles from "../../booking/booking.module.css";
import styles from "./evidence.module.css";

export const meta: Route.MetaFunction = () => [{ title: "Contract: Admin Panel" }];

export default function AdminContractPage({ params }: Pick<Route.ComponentProps, "params">) {
  return (
    <RecordPage
      query={useContract(params.id)}
      name="contract"
      list={{ label: "Contracts", to: paths.admin.contracts }}
      missing="There is no contract at this address."
      skeleton={{ columns: [["24rem"], ["12rem", "9rem"]] }}
    >
      {(contract) => <Known contract={contract} />}
    </RecordPage>
  );
}

function Known({ contract }: Readonly<{ contract: ContractWithEvidence }>) {
  const { booking, artist, evidence, parties, files } = contract;
  const isEmpty = !evidence.fault && evidence.events.length + parties.length + files.length === 0;
  const now = describeNow(contract);
  return (
    <>
      <header className={bookingStyles.head}>
        <h1>Contract {booking.number}</h1>
        <div className={bookingStyles.status}>
          <StatusBadge
            entity="contract"
            value={displayedContractStatus(contract.status, booking.status === "canceled")}
          />
          <span className="quiet">
            {artist.name} and {booking.promoter_name}, {formatDay(booking.event_date, { year: true })}
          </span>
        </div>
      </header>
      <section className={`note ${now.tone} ${bookingStyles.now}`} aria-label="Now" aria-live="polite">
        <p>
          <strong>{now.title}</strong> {now.text}
        </p>
        <Actions contract={contract} />
      </section>
      <div className={bookingStyles.columns}>
        <div>
          {isEmpty ? <ContractDetailList contract={contract} /> : <EvidenceTrail evidence={contract.evidence} />}
        </div>
        {isEmpty ? null : (
          <div>
            <Parties contract={contract} />
            <Files contract={contract} />
            <ContractDetailList contract={contract} />
          </div>
        )}
      </div>
    </>
  );
}

function describeNow(contract: ContractWithEvidence): { title: string; text: string; tone: string } {
  const { status, booking, attestation, evidence, seal, sending, declined } = contract;
  if (evidence.fault)
    return {
      title: "The evidence is not valid.",
      text: `${evidence.fault} Review it first.`,
      tone: "cherry",
    };
  if (attestation?.objections.some(({ decision }) => decision === null))
    return {
      title: "A party objects to what was attested.",
      text: "Nothing is charged or paid out until you decide. Talk to both parties first.",
      tone: "cherry",
    };
  if (declined)
    return {
      title: `Declined by the ${declined.side}.`,
      text: `“${declined.reason}” The booking has ended.`,
      tone: "cherry",
    };
  if (booking.status === "canceled" && status !== "signed")
    return { title: "Void.", text: "The booking was canceled before both parties had signed.", tone: "" };
  if (status === "signed")
    return seal.state === "sealed"
      ? { title: "Signed and sealed.", text: "Both parties have their copy.", tone: "green" }
      : { title: "Signed.", text: "The sealed copy is being created.", tone: "gold" };
  if (status === "sent")
    return {
      title: "Waiting for signatures.",
      text: "Canceling the booking on its page makes this contract void.",
      tone: "gold",
    };
  if (sending)
    return { title: "Could not be sent yet.", text: `${sending.error} We try again automatically.`, tone: "cherry" };
  return {
    title: "Not sent yet.",
    text:
      booking.status === "initiated"
        ? "We create and send it when the date is booked."
        : "The date is booked. The contract is sent to both parties next.",
    tone: "",
  };
}

function Actions({ contract }: Readonly<{ contract: ContractWithEvidence }>) {
  const { can, booking, artist, id } = contract;
  const again = useSendContractAgain();
  const sendAgain = () =>
    openConfirmation({
      title: "Send the invitation again",
      text: "Each party who has not signed gets a new link to the signing page. Earlier links still work.",
      cancel: "Cancel",
      confirm: "Send again",
      busy: "Sending...",
      onConfirm: async () => {
        const { sent_to } = await again.mutateAsync({ id });
        toast({ title: "Sent again", text: `To the ${sent_to.join(" and the ")}.` });
      },
    });
  return (
    <div className={bookingStyles.actions}>
      {contract.attestation?.objections.some(({ decision }) => decision === null) ? (
        <Button onClick={() => openDecideObjection(booking.id)}>Decide objection</Button>
      ) : null}
      {can.send_again ? <Button onClick={sendAgain}>Send again</Button> : null}
      {can.mark_signed ? (
        <Button
          tone="line"
          onClick={() =>
            openMarkSigned({ id, number: booking.number, artist: artist.name, promoter: booking.promoter_name })
          }
        >
          Mark Signed
        </Button>
      ) : null}
      <LinkButton tone="line" to={paths.admin.booking(booking.id)}>
        View booking
      </LinkButton>
    </div>
  );
}

type Evidence = ContractWithEvidence["evidence"];

function EvidenceTrail({ evidence }: Readonly<{ evidence: Evidence }>) {
  return (
    <section className={bookingStyles.section}>
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
