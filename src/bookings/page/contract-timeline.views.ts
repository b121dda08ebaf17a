import { sql } from "kysely";
import { type ContractSummary, evidenceTrailOf } from "#contracts/index.ts";
import { templateTitle } from "#notifications/index.ts";
import type { Reader } from "#platform/db/index.ts";
import type { Booking } from "../store.ts";
import { joined, type Line, line, nameOf, withdrawnLater } from "./timeline-entry.ts";

type Signed = Readonly<{ booking: Booking; contract: ContractSummary | null }>;

export async function contractStepsOf(reader: Reader, bookingId: string): Promise<Line[]> {
  const [reminders, contract] = await Promise.all([
    reader
      .selectFrom("messages")
      .select("created_at")
      .distinct()
      .where("ref_id", "=", bookingId)
      .where("template", "=", "contract_reminder")
      .where(sql<boolean>`dedupe_key like '%contract reminded %'`)
      .execute(),
    reader.selectFrom("contracts").select("extended_at").where("booking_id", "=", bookingId).executeTakeFirst(),
  ]);
  return [
    ...reminders.flatMap(({ created_at }) => line(created_at, "contract_waiting", "Reminder of the signature sent")),
    ...line(contract?.extended_at, "contract_waiting", "The time for signing was extended"),
  ];
}

async function evidenceOf(reader: Reader, contract: ContractSummary | null) {
  const trail = contract ? await evidenceTrailOf(reader, contract.id) : { events: [] };
  return "fault" in trail ? [] : trail.events;
}

const isWithdrawal = ({ kind, details }: Awaited<ReturnType<typeof evidenceOf>>[number]): boolean =>
  kind === "objection_decided" && details["decision"] === "annulled";

/** Returns the attestations on paper, the objections to them and the decisions, also of an attestation that was withdrawn. */
export async function attestationLines(
  reader: Reader,
  { booking, artist, contract }: Signed & { artist: { name: string } },
): Promise<Line[]> {
  const events = await evidenceOf(reader, contract);
  return events.flatMap((event, index): Line[] => {
    const { kind, side, at, details } = event;
    const before = events[index - 1];
    // One attestation of both signatures has an entry for each.
    if (kind === "attested" && before?.kind === "attested" && before.at === at) return [];
    const isLast = index === events.findLastIndex((one) => one.kind === kind);
    const ends = isLast && booking.cancel_code === "signature_withdrawn";
    const withdrawn = `The signature on paper was withdrawn${ends ? "" : ": the contract is open for signatures again"}`;
    const text = {
      attested: "Marked as signed on paper",
      objected: "Objection to the signature on paper",
      objection_decided: isWithdrawal(event) ? withdrawn : "The signature on paper was upheld",
    }[kind as string];
    const by = nameOf(kind === "objected" ? side : "admin", booking, artist);
    const detail = details["reason"] ? String(details["reason"]) : null;
    return text ? line(new Date(at), "contract_attestation", text, { by, detail }) : [];
  });
}

/** The messages of a signature: that it was given, and requests of the balance that is owed since. */
const ofSignature = /^(?:contract_(?:signed|attested)|balance_(?!received))/;

const deliveries: Readonly<Record<string, string>> = { waiting: "not sent yet", failed: "could not be sent" };

/** Returns the messages about a booking. `recipients`: only those to these addresses, in the form that accounts store. */
export async function messagesTo(
  reader: Reader,
  { booking, contract }: Signed,
  recipients?: readonly string[],
): Promise<Line[]> {
  const withdrawal = (await evidenceOf(reader, contract)).findLast(isWithdrawal);
  const withdrawnAt = withdrawal && new Date(withdrawal.at);
  const rows = await reader
    .selectFrom("messages")
    .select(["template", "channel", "recipient", "status", "created_at"])
    .where("ref_id", "=", booking.id)
    .$if(recipients !== undefined, (query) => query.where(sql`lower(recipient)`, "in", [...(recipients ?? [])]))
    .execute();
  return rows.flatMap(({ template, channel, recipient, status, created_at }) => {
    const isWithdrawn = withdrawnAt && created_at < withdrawnAt && ofSignature.test(template);
    return line(created_at, "email", `${channel === "sms" ? "SMS" : "Email"}: ${templateTitle(template)}`, {
      detail: joined([`to ${recipient}`, deliveries[status], isWithdrawn && withdrawnLater]),
    });
  });
}
