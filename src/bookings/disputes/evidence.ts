import { attestationOf, contractOf, type ContractSummary, evidenceTrailOf } from "#contracts/index.ts";
import type { EvidenceFile } from "#disputes/index.ts";
import type { Reader } from "#platform/db/index.ts";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { describeDay, formatInstant } from "#platform/time/calendar.rules.ts";
import { withNamesOfContract } from "../contract/contract-names.views.ts";
import { bankCopyPages } from "../contract/document/bank-copy.ts";
import { messagesTo } from "../page/contract-timeline.views.ts";
import { inOrder } from "../page/timeline-entry.ts";
import { timelineOf } from "../page/timeline.views.ts";
import { describePolicy } from "../rules/cancellation/policy-text.rules.ts";
import { noShowReportEndsAt, noShowReportHours } from "../rules/no-show.rules.ts";
import type { Booking } from "../store.ts";
import { type BalanceConsent, consentToCharge } from "../stores/consent.store.ts";
import { proposalsOf } from "../stores/force-majeure.store.ts";
import { findNoShow } from "../stores/no-show.store.ts";
import { artistOfBooking } from "../views.ts";
import { fitEvidence } from "./evidence-length.rules.ts";
import { customerAddresses, type PaidBy, payerOf } from "./payers.views.ts";

export type BookingEvidence = Readonly<{
  texts: Readonly<Record<string, string>>;
  file: Omit<EvidenceFile, "bytes"> | null;
  contractId: string | null;
}>;

const at = (moment: Date) => formatInstant(moment, "UTC");

/** Returns the evidence against the dispute of a charge of the booking. The promoter is the customer, even if another payer paid. */
export async function collectEvidence(
  reader: Reader,
  stored: Booking,
  { providerPayment, note, now }: { providerPayment: string; note: string; now: Date },
): Promise<BookingEvidence> {
  const booking = await withNamesOfContract(reader, stored);
  const [artist, contract, report, proposals, payer, consent] = await Promise.all([
    artistOfBooking(reader, booking),
    contractOf(reader, booking.id),
    findNoShow(reader, booking.id),
    proposalsOf(reader, booking.id),
    payerOf(reader, { providerPayment }),
    consentToCharge(reader, providerPayment),
  ]);
  // The bank may show the evidence to the payer, so it has only what the promoter may see.
  const steps = await timelineOf(
    reader,
    { booking, artist, contract, report, proposals, now },
    { promoter: true, artist: false, admin: false },
  );
  const messages = await messagesTo(reader, { booking, contract }, customerAddresses(booking, payer));
  const pages = contract === null ? 0 : await bankCopyPages(reader, contract.id);
  const other = [
    note,
    section("Payment", paymentOf(booking, payer)),
    section("Consent to this charge of the saved card", consent ? consentLines(consent) : []),
    section("Attendance", attendanceOf(booking, report !== undefined, now)),
    section("Signatures", await signaturesOf(reader, contract, payer)),
    section("Messages sent", messages.toSorted(inOrder).map(lineText)),
  ].filter(Boolean);
  const all = {
    product_description: `A live performance by ${artist.name} on ${describeDay(booking.event_date)} at ${booking.event_time}, ${booking.venue_name}, for ${formatMoneyExact(booking.fee_cents, booking.currency)}. Booking ${booking.number}.`,
    service_date: booking.event_date,
    customer_name: booking.promoter_name,
    customer_email_address: booking.promoter_email,
    cancellation_policy_disclosure: `The ${booking.policy_name} cancellation policy is part of the booking and of the contract. ${describePolicy(booking.policy, booking).join(" ")}`,
    access_activity_log: steps.map(lineText).join("\n"),
    uncategorized_text: other.join("\n\n"),
  };
  const file = {
    field: "customer_signature",
    name: `contract-${booking.number}${contract?.status === "signed" ? "-signed" : ""}.pdf`,
    mediaType: "application/pdf",
  };
  return {
    texts: Object.fromEntries(Object.entries(fitEvidence(all, pages, note)).filter(([, text]) => text)),
    file: pages > 0 ? file : null,
    contractId: pages > 0 ? (contract?.id ?? null) : null,
  };
}

const lineText = ({ at: when, text, by, detail }: Awaited<ReturnType<typeof timelineOf>>[number]): string =>
  [at(when), text, by && `by ${by}`, detail].filter(Boolean).join(", ");

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : [`${title}:`, ...lines].join("\n");

/** Returns what is known of the show. The absence of a no-show report is stated only after its deadline. */
export function attendanceOf(
  booking: Pick<Booking, "canceled_at" | "completed_at" | "starts_at" | "ends_at" | "event_date">,
  reported: boolean,
  now: Date,
): string[] {
  if (booking.canceled_at) return [`The booking was canceled on ${at(booking.canceled_at)}.`];
  if (booking.ends_at > now && booking.starts_at <= now)
    return [`The show began on ${at(booking.starts_at)} and has not ended yet.`];
  if (booking.ends_at > now) return [`The show is on ${describeDay(booking.event_date)} and has not taken place yet.`];
  const isOver = now >= noShowReportEndsAt(booking.ends_at);
  const absence = reported
    ? "The promoter reported a no-show."
    : isOver
      ? `No no-show was reported within the ${noShowReportHours} hours allowed.`
      : "No no-show has been reported so far.";
  const played = booking.completed_at ? `The show was completed on ${at(booking.completed_at)}.` : "The show is over.";
  return [played, absence];
}

const paymentOf = ({ promoter_name: promoter }: Booking, payer: PaidBy | undefined): string[] =>
  payer
    ? [
        `${[payer.name, payer.company].filter(Boolean).join(", ")} (${payer.email}) paid by a payment link for ${promoter}.`,
      ]
    : [];

const consentLines = ({ text, given_at, address, user_agent }: BalanceConsent): string[] => [
  text,
  `Confirmed by the promoter on ${at(given_at)} from ${address}, with the browser ${user_agent || "unknown"}.`,
];

/** Lists signatures and the events of the contract. Only the IP address of the promoter is stated, and only if the promoter is the payer. */
async function signaturesOf(reader: Reader, contract: ContractSummary | null, payer: PaidBy | undefined) {
  if (!contract) return [];
  const attestation = await attestationOf(reader, contract.id);
  const signed = contract.signers.flatMap(({ side, name, signed_name: signedName, signed_at: signedAt, method }) => {
    if (!signedAt) return [];
    const signer = `${name} (${side})`;
    if (method !== "attested")
      return [`${signer} signed as "${signedName ?? name}" on ${at(signedAt)}, ${method ?? "by click"}.`];
    const admin = attestation ? `An admin (${attestation.by})` : "An admin";
    const reason = attestation ? `: ${attestation.reason}` : ".";
    return [`${admin} attested on ${at(signedAt)} that ${signer} signed outside the platform${reason}`];
  });
  const trail = await evidenceTrailOf(reader, contract.id);
  if ("fault" in trail) return signed;
  const events = trail.events.map(({ at: when, kind, side, address, hash, details }) =>
    [
      `${when} ${kind}`,
      details["decision"],
      side && `by the ${side}`,
      address && side === "promoter" && !payer && `from ${address}`,
      `entry ${hash.slice(0, 16)}`,
    ]
      .filter(Boolean)
      .join(", "),
  );
  return [...signed, ...events];
}
