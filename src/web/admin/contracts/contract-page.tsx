import { Skeleton } from "@mantine/core";
import { Link } from "react-router";
import bookingStyles from "../../booking/booking.module.css";
import { openMarkSigned } from "../../booking/actions/mark-signed-dialog.tsx";
import { openDecideObjection } from "../../booking/actions/objection-dialog.tsx";
import { openConfirmation } from "../../dashboard/dialogs/confirmation.tsx";
import { SectionFailed } from "../../dashboard/section-failed.tsx";
import { type ContractWithEvidence, useContract, useSendContractAgain } from "../../lib/api/admin-contracts.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { formatDay } from "../../lib/format/dates.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { EmptyState, ErrorState } from "../../ui/states.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { toast } from "../../ui/toaster.tsx";
import type { Route } from "./+types/contract-page.ts";
import { Facts, Files, Parties } from "./contract-details.tsx";
import { EvidenceTrail } from "./evidence-trail.tsx";

export const meta: Route.MetaFunction = () => [{ title: "Contract: Admin Panel" }];

export default function AdminContractPage({ params }: Pick<Route.ComponentProps, "params">) {
  const query = useContract(params.id);
  const contract = query.data;
  const error = query.error && !query.isFetching ? apiErrorOf(query.error) : undefined;
  const retry = () => void query.refetch();
  return (
    <>
      <p className="small">
        <Link to={paths.admin.contracts}>Contracts</Link>
      </p>
      {error && (error.status === 404 || error.status === 400) ? (
        <section className={`${bookingStyles.section} ${bookingStyles.alone}`}>
          <EmptyState heading="h1" title="Contract not found" text="There is no contract at this address.">
            <Link className={buttonClass()} to={paths.admin.contracts}>
              All contracts
            </Link>
          </EmptyState>
        </section>
      ) : contract ? (
        <>
          {error ? <SectionFailed what="News of this contract" error={query.error} onRetry={retry} /> : null}
          <Known contract={contract} />
        </>
      ) : error ? (
        <section className={`${bookingStyles.section} ${bookingStyles.alone}`}>
          <ErrorState
            heading="h1"
            title="The contract could not be loaded"
            text={`${error.message} Nothing was changed.`}
            reference={error.reference}
            onRetry={retry}
          />
        </section>
      ) : (
        <Loading />
      )}
    </>
  );
}

function Known({ contract }: Readonly<{ contract: ContractWithEvidence }>) {
  const { booking, artist } = contract;
  const now = describeNow(contract);
  return (
    <>
      <header className={bookingStyles.head}>
        <h1>Contract {booking.number}</h1>
        <div className={bookingStyles.status}>
          <StatusBadge entity="contract" value={contract.status} />
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
          <EvidenceTrail evidence={contract.evidence} />
        </div>
        <div>
          <Parties contract={contract} />
          <Files contract={contract} />
          <Facts contract={contract} />
        </div>
      </div>
    </>
  );
}

function describeNow(contract: ContractWithEvidence): { title: string; text: string; tone: string } {
  const { status, booking, attestation, evidence, seal, sending, declined } = contract;
  if (evidence.fault)
    return {
      title: "The evidence does not hold.",
      text: `${evidence.fault} Look into it before anything else.`,
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
    return { title: "Void.", text: "The booking was canceled before everybody had signed.", tone: "" };
  if (status === "signed")
    return seal.state === "sealed"
      ? { title: "Signed and sealed.", text: "Both parties have their copy.", tone: "green" }
      : { title: "Signed.", text: "The sealed copy is being made.", tone: "gold" };
  if (status === "sent")
    return {
      title: "Waiting for signatures.",
      text: "Canceling the booking on its page makes this contract void.",
      tone: "gold",
    };
  return sending
    ? { title: "Could not be sent yet.", text: `${sending.error} We try again automatically.`, tone: "cherry" }
    : { title: "A draft.", text: "It is made and sent once the date is booked.", tone: "" };
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
        <Button onClick={() => openDecideObjection({ bookingId: booking.id, number: booking.number })}>
          Decide objection
        </Button>
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
      <Link className={buttonClass({ tone: "line" })} to={paths.admin.booking(booking.id)}>
        Open the booking
      </Link>
    </div>
  );
}

function Loading() {
  return (
    <section aria-label="Loading" aria-busy>
      <h1 className="sr">Contract</h1>
      <p className="sr" role="status">
        Loading the contract
      </p>
      <div aria-hidden>
        <Skeleton height="2.75rem" width="55%" mt="0.6rem" />
        <Skeleton height="4rem" mt="1.5rem" />
        <div className={bookingStyles.columns}>
          <div>
            <Skeleton height="24rem" />
          </div>
          <div>
            <Skeleton height="12rem" />
            <Skeleton height="9rem" />
          </div>
        </div>
      </div>
    </section>
  );
}
