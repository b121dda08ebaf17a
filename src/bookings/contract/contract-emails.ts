import { makeSignerLink } from "#contracts/agreements-for-bookings.ts";
import { attestationOf, contractOf, type ContractSummary } from "#contracts/index.ts";
import { type ContractSide, extendedEnd, sidesToSign } from "#contracts/rules.ts";
import type { Payments } from "#gateway/gateway.ts";
import { heldFor } from "#ledger/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { openBalanceOf } from "../balance/balance-emails.ts";
import { completionBlockOf } from "../conditions/completion.views.ts";
import { countLinkEmail } from "../emails/booking-link.ts";
import { type EmailContext, emailContextOf, moneyOrNull } from "../emails/email-context.ts";
import { notifyParties, notifyParty } from "../emails/notify-party.ts";
import { unsignedBalance } from "../rules/cancellation/cancellation.rules.ts";
import { objectionEndBefore } from "../rules/deadlines.rules.ts";
import { findBooking } from "../store.ts";

async function requireContract(tx: Tx, bookingId: string): Promise<ContractSummary> {
  const contract = await contractOf(tx, bookingId);
  if (!contract) throw new Error(`booking ${bookingId} has no contract to sign`);
  return contract;
}

/** Returns the link to sign. It remains valid until the event, because the signing deadline may be extended and the contract enforces it. */
async function signingLink(tx: Tx, { booking, services }: EmailContext, contractId: string, side: ContractSide) {
  const now = services.clock.now();
  const token = await makeSignerLink(tx, { contractId, side, now, expiresAt: booking.starts_at });
  return `${services.config.publicUrl}${paths.sign(token)}`;
}

/** Returns the paid balance that the promoter gets back if the contract is not signed again, null if there is none. */
const safeBalanceOf = async (tx: Tx, context: EmailContext, side: ContractSide) =>
  side === "artist"
    ? null
    : moneyOrNull(
        context,
        unsignedBalance(context.booking, await heldFor(tx, context.booking.id, context.booking.currency)),
      );

const windowOf = ({ booking }: EmailContext, contract: ContractSummary) => ({
  until: contract.expires_at ?? booking.starts_at,
  lastUntil: extendedEnd(contract, booking.starts_at),
  timeZone: booking.time_zone,
});

export async function notifyContractSent(tx: Tx, context: EmailContext): Promise<void> {
  const { booking } = context;
  const contract = await requireContract(tx, booking.id);
  for (const side of sidesToSign(contract))
    await notifyParty(tx, context, side, {
      template: "contract_sent",
      key: "contract sent",
      params: async () => ({
        side,
        link: await signingLink(tx, context, contract.id, side),
        ...windowOf(context, contract),
        price: moneyOrNull(context, booking.fee_cents),
        deposit: moneyOrNull(context, booking.deposit_cents),
        balance: moneyOrNull(context, booking.balance_cents),
        signsFirst: contract.first_signer === side,
      }),
    });
}

export async function notifyContractSigned(tx: Tx, context: EmailContext): Promise<void> {
  const { booking } = context;
  const balance = await openBalanceOf(tx, context);
  const contract = await contractOf(tx, booking.id);
  const attested = contract && (await attestationOf(tx, contract.id));
  if (attested) {
    const block = await completionBlockOf(tx, booking.id);
    return notifyParties(tx, context, {
      template: "contract_attested",
      key: `contract attested ${attested.at.toISOString()}`,
      params: (side) => ({
        ...balance[side],
        reason: attested.reason,
        paper: attested.paper?.sha256 ?? null,
        until: objectionEndBefore(attested.objection_end, booking, { now: context.services.clock.now(), block }),
        timeZone: booking.time_zone,
      }),
    });
  }
  const clicked = contract?.signers.some(({ method }) => method === "clicked") ?? false;
  return notifyParties(tx, context, {
    template: "contract_signed",
    key: "contract signed",
    ...(contract
      ? { attachment: { name: `contract-${booking.number}-signed.pdf`, kind: "signed_contract", id: contract.id } }
      : {}),
    params: (side) => ({ ...balance[side], clicked }),
  });
}

export const notifyObjection = (
  tx: Tx,
  context: EmailContext,
  { side, reason, now }: { side: ContractSide; reason: string; now: Date },
) =>
  notifyParties(
    tx,
    context,
    { template: "objection_made", key: `objection of the ${side} ${now.toISOString()}`, params: { reason } },
    [otherSide(side)],
  );

/** Notifies both parties of the decision about an objection. `until` is the new signing deadline of a withdrawn signature, or null if it is valid. */
export async function notifyObjectionDecided(
  tx: Tx,
  context: EmailContext,
  {
    now,
    wasBalanceRequested,
    ...decided
  }: { reason: string; until: Date | null; wasBalanceRequested: boolean; now: Date },
): Promise<void> {
  const { id, time_zone: timeZone } = context.booking;
  await notifyParties(tx, context, {
    template: "objection_decided",
    key: `objection decided ${now.toISOString()}`,
    params: async (side) => ({
      ...decided,
      timeZone,
      wasBalanceRequested: wasBalanceRequested && side === "promoter",
      safeBalance: await safeBalanceOf(tx, context, side),
    }),
  });
  if (decided.until === null) return;
  for (const side of sidesToSign(await requireContract(tx, id)))
    await notifyContractReminder(tx, context, side, { key: `annulled ${now.toISOString()}` });
}

export async function notifyFirstSignature(
  tx: Tx,
  services: Payments,
  signed: { bookingId: string; by: ContractSide },
): Promise<void> {
  const context = await emailContextOf(tx, services, signed.bookingId);
  await notifyContractReminder(tx, context, otherSide(signed.by), { key: "first signature" });
}

const otherSide = (side: ContractSide): ContractSide => (side === "promoter" ? "artist" : "promoter");

/** Requests the missing signature of a party. Returns false if the party has no mailbox. */
export const notifyContractReminder = (
  tx: Tx,
  context: EmailContext,
  side: ContractSide,
  { key, isExtended = false }: { key: string; isExtended?: boolean },
): Promise<boolean> =>
  notifyParty(tx, context, side, {
    template: "contract_reminder",
    key: `contract ${key}`,
    params: async () => {
      const contract = await requireContract(tx, context.booking.id);
      return {
        side,
        link: await signingLink(tx, context, contract.id, side),
        ...windowOf(context, contract),
        otherSigned: contract.signers.some((signer) => signer.signed_at !== null),
        otherFirst: !sidesToSign(contract).includes(side),
        isExtended,
        safeBalance: await safeBalanceOf(tx, context, side),
      };
    },
  });

/** Notifies a party that waits for the other's signature of the extended window. */
export const notifyExtended = (tx: Tx, context: EmailContext, side: ContractSide, key: string): Promise<boolean> =>
  notifyParty(tx, context, side, {
    template: "contract_reminder",
    key: `contract ${key}`,
    params: async () => ({
      side,
      ...windowOf(context, await requireContract(tx, context.booking.id)),
      otherSigned: false,
      isExtended: true,
      waits: true,
      safeBalance: await safeBalanceOf(tx, context, side),
    }),
  });

/** Sends the promoter's signing link again, only to the mailbox of the request. Does nothing without an open contract. */
export async function sendSigningLink(services: Payments, bookingId: string): Promise<void> {
  const { database } = services;
  const booking = await findBooking(database.db, bookingId);
  if (booking?.status !== "contract_sent") return;
  const contract = await contractOf(database.db, bookingId);
  if (!contract || contract.signers.find((one) => one.side === "promoter")?.signed_at) return;
  if (!(await countLinkEmail(services, `signing link of ${booking.id}`))) return;
  await database.transaction(async (tx) => {
    const context = await emailContextOf(tx, services, booking.id);
    await notifyContractReminder(tx, context, "promoter", { key: `asked ${services.clock.now().toISOString()}` });
  });
  services.wake();
}
