import { displayedContractStatus } from "#contracts/rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { openMarkSigned } from "../../booking/actions/mark-signed-dialog.tsx";
import { openDecideObjection } from "../../booking/actions/objection-dialog.tsx";
import { RecordPage } from "../../booking/record-page.tsx";
import { openConfirmation } from "../../dashboard/dialogs/confirmation.tsx";
import { type ContractWithEvidence, useContract, useSendContractAgain } from "../../lib/api/admin-contracts.ts";
import { formatDay } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import type { Route } from "./+types/contract-page.ts";
import { ContractDetailList, Files, Parties } from "./contract-details.tsx";
import { EvidenceTrail } from "./evidence-trail.tsx";
import bookingStyles from "../../booking/booking.module.css";

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
