import { type EvidenceEntry, filesOf, sealCertificate } from "#contracts/copies-for-bookings.ts";
import { attestationOf, contractOf, evidenceTrailOf } from "#contracts/index.ts";
import { findContract } from "#contracts/signing-for-bookings.ts";
import type { Reader } from "#platform/db/index.ts";
import { completionBlockOf } from "../../conditions/completion.views.ts";
import { objectionEndBefore } from "../../rules/deadlines.rules.ts";
import { permissionsOf, type ReadingTime } from "../../rules/permissions.rules.ts";
import { findBooking } from "../../store.ts";
import { artistOfBooking } from "../../views.ts";
import type { ContractPage } from "./contract-page.api.ts";

export async function readContractPage(
  reader: Reader,
  bookingId: string,
  at: ReadingTime,
): Promise<ContractPage | undefined> {
  const booking = await findBooking(reader, bookingId);
  const contract = booking && (await findContract(reader, bookingId));
  if (!booking || !contract) return undefined;
  const [artist, summary, files, trail, attestation, block, certificate] = await Promise.all([
    artistOfBooking(reader, booking),
    contractOf(reader, bookingId),
    filesOf(reader, contract.id),
    evidenceTrailOf(reader, contract.id),
    attestationOf(reader, contract.id),
    completionBlockOf(reader, bookingId),
    sealCertificate(reader),
  ]);
  const sealed = files.find(({ kind }) => kind === "sealed");
  const parties = summary?.signers ?? [];
  const around = { artist_active: artist.is_active, contract_status: contract.signed_status, held: false };
  const { mark_signed } = permissionsOf({ promoter: false, artist: false, admin: true }, { ...booking, ...around }, at);
  const open = contract.signed_status === "sent" && booking.status === "contract_sent";
  return {
    ...contract,
    status: contract.signed_status,
    expires_at: open ? contract.expires_at : null,
    declined:
      contract.declined_at && (contract.declined_by === "artist" || contract.declined_by === "promoter")
        ? { side: contract.declined_by, at: contract.declined_at, reason: contract.decline_reason ?? "" }
        : null,
    sending: contract.last_error
      ? { attempts: contract.attempts, next_try_at: contract.next_try_at, error: contract.last_error }
      : null,
    booking,
    artist,
    parties,
    // A document that was uploaded but never attested is no evidence.
    files: files.filter(({ kind, sha256 }) => kind !== "scan" || attestation?.paper?.sha256 === sha256),
    seal: {
      state: sealed ? "sealed" : contract.signed_status === "signed" ? "waiting" : "none",
      at: sealed?.created_at ?? null,
      certificate,
    },
    attestation: attestation && {
      ...attestation,
      objection_end: objectionEndBefore(attestation.objection_end, booking, { now: at.now, block }),
    },
    evidence:
      "fault" in trail
        ? { fault: trail.fault, events: [] }
        : { fault: null, events: trail.events.map(toEventResponse) },
    can: {
      mark_signed,
      send_again: open && parties.some((party) => party.signed_at === null),
      open_paper: Boolean(attestation?.paper),
    },
  };
}

const unreadable = new Set(["drawing"]);

const toEventResponse = ({ details, at, ...entry }: EvidenceEntry & { hash: string }) => ({
  ...entry,
  at: new Date(at),
  details: Object.entries(details)
    .filter(([name]) => !unreadable.has(name))
    .map(([name, value]) => ({ name, value: String(value) })),
});
