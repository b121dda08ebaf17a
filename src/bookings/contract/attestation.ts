/** Signatures on paper: an admin stores the paper and attests, a party may object within 72 hours. The booking is locked first. */
import { record } from "#activity/index.ts";
import {
  type ActOrigin,
  attestContract,
  bookingOfContract,
  objectToAttestation,
  type Paper,
  storePaper,
} from "#contracts/index.ts";
import type { ContractSide } from "#contracts/rules.ts";
import type { Payments } from "#payments/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { notFound } from "#platform/errors.ts";
import { alarmAdmins } from "../emails/admin-alarms.ts";
import { emailContextOf } from "../emails/email-context.ts";
import { takeContractFact } from "../lifecycle/transitions.ts";
import { signalBooking } from "../signals.ts";
import type { Booking } from "../store.ts";
import { artistOfBooking } from "../views.ts";
import { notifyContractSigned } from "./contract-emails.ts";
import { ensureDocument } from "./sending.ts";
import { requireOpenBooking } from "./signing.ts";

const contractMissing = () => notFound("Contract not found");

/** Makes the document of a contract that has none yet, or answers the 404 of a missing contract. */
export async function ensureDocumentOf(services: Payments, contractId: string): Promise<string> {
  const bookingId = await bookingOfContract(services.database.db, contractId);
  if (bookingId === undefined) throw contractMissing();
  await ensureDocument(services, bookingId);
  return bookingId;
}

/** Stores the paper of a contract that waits for signatures; nothing else changes until an admin attests it. */
export async function storeSignedPaper(services: Payments, contractId: string, paper: Paper): Promise<void> {
  const bookingId = await ensureDocumentOf(services, contractId);
  await services.database.transaction(async (tx) => {
    const booking = await requireOpenBooking(tx, bookingId);
    await storePaper(tx, booking.id, paper, services.clock.now());
  });
}

type Marking = Readonly<{
  id: string;
  reason: string;
  /** The SHA-256 of the paper that was stored before, in hex. */
  paper: string;
  by: { name: string; userId: string };
  origin: ActOrigin;
}>;

/** An admin attests that the contract was signed outside the platform; with it the booking becomes contract_signed. */
export async function markSigned(tx: Tx, services: Payments, act: Marking): Promise<void> {
  const now = services.clock.now();
  const bookingId = await bookingOfContract(tx, act.id);
  if (bookingId === undefined) throw contractMissing();
  const booking = await requireOpenBooking(tx, bookingId);
  const { reason, paper, by, origin } = act;
  await attestContract(tx, booking.id, { reason, paper, by, origin }, now);
  await takeContractFact(tx, booking, { by: "admin", cause: "contract_attested", now });
  await record(tx, {
    type: "contract",
    refId: act.id,
    message: `${by.name} marked the contract of ${booking.number} as signed outside the platform`,
    meta: { reason, paper_sha256: paper },
    actorId: by.userId,
  });
  // At once, for the time to object runs from here. Once the copy is sealed the same email is asked for again, and not written twice.
  await notifyContractSigned(tx, await emailContextOf(tx, services, booking.id));
  await signalBooking(tx, booking.id);
}

/** A party objects to an attestation: stored with its evidence, in the log, and every admin is told. The booking stays as it is. */
export async function objectToContract(
  tx: Tx,
  services: Payments,
  booking: Booking,
  act: { side: ContractSide; reason: string; userId: string | null; origin: ActOrigin },
): Promise<void> {
  const now = services.clock.now();
  const via = act.userId === null ? "booking key" : "session";
  const { contractId } = await objectToAttestation(tx, booking.id, { ...act, via }, now);
  const who = act.side === "artist" ? (await artistOfBooking(tx, booking)).name : booking.promoter_name;
  const message = `${who} (${act.side}) objects to the contract of ${booking.number} that was marked as signed`;
  await record(tx, {
    type: "contract",
    refId: contractId,
    message,
    meta: { reason: act.reason },
    actorId: act.userId,
  });
  await alarmAdmins(tx, services, {
    message: `${message}: “${act.reason}”`,
    key: `objection ${contractId} ${act.side}`,
    bookingId: booking.id,
    about: "contract",
  });
  await signalBooking(tx, booking.id);
}
