import { attestationOf, contractOf } from "#contracts/index.ts";
import { findContract } from "#contracts/signing-for-bookings.ts";
import { makeSignerLink } from "#contracts/agreements-for-bookings.ts";
import { type ContractSide, contractSides, extendedEnd, type ObjectionDecision } from "#contracts/rules.ts";
import type { Payments } from "#gateway/gateway.ts";
import type { Tx } from "#platform/db/index.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { openBalanceOf } from "../balance/open-balance.ts";
import { type EmailContext, emailContextOf, bookingDetailsFor, sum } from "../emails/email-context.ts";
import { notifyIfReachable, notifyParty } from "../emails/notify-party.ts";
import { findBooking } from "../store.ts";
import { sidesToSign } from "./contract-fault.ts";

async function signingPage(tx: Tx, context: EmailContext, side: ContractSide): Promise<string> {
  const { booking, services } = context;
  const contract = await findContract(tx, booking.id);
  if (!contract) throw new Error(`booking ${booking.id} has no contract to sign`);
  const now = services.clock.now();
  const token = await makeSignerLink(tx, {
    contractId: contract.id,
    side,
    now,
    // The signing deadline may be extended once. The link remains valid until the event, and the contract enforces the deadline.
    expiresAt: booking.starts_at,
  });
  return `${services.config.publicUrl}${paths.sign(token)}`;
}

async function windowOf(tx: Tx, { booking }: EmailContext) {
  const contract = await findContract(tx, booking.id);
  return {
    until: contract?.expires_at ?? booking.starts_at,
    lastUntil: contract ? extendedEnd(contract, booking.starts_at) : null,
    timeZone: booking.time_zone,
  };
}

/** Returns whether the other party has signed, or must sign before this one. */
async function turnOf(tx: Tx, { booking }: EmailContext, side: ContractSide) {
  const contract = await contractOf(tx, booking.id);
  return {
    otherSigned: contract?.signers.some((signer) => signer.signed_at !== null) ?? false,
    otherFirst: contract !== null && !sidesToSign(contract).includes(side),
  };
}

export async function notifyContractSent(tx: Tx, context: EmailContext): Promise<void> {
  const { booking } = context;
  const sums = {
    price: sum(context, booking.fee_cents),
    deposit: sum(context, booking.deposit_cents),
    balance: sum(context, booking.balance_cents),
  };
  const contract = await contractOf(tx, booking.id);
  for (const side of contract ? sidesToSign(contract) : [])
    await notifyParty(tx, context, side, {
      template: "contract_sent",
      key: "contract sent",
      params: async () => ({
        ...bookingDetailsFor(context, side, await signingPage(tx, context, side)),
        ...(await windowOf(tx, context)),
        ...sums,
        signsFirst: contract?.first_signer === side,
      }),
    });
}

export async function notifyContractSigned(tx: Tx, context: EmailContext): Promise<void> {
  const { booking } = context;
  const balance = await openBalanceOf(tx, context);
  const contract = await contractOf(tx, booking.id);
  const clicked = contract?.signers.some(({ method }) => method === "clicked") ?? false;
  const attested = contract ? await attestationOf(tx, contract.id) : null;
  for (const side of ["promoter", "artist"] as const) {
    const details = () => ({ ...bookingDetailsFor(context, side), ...balance[side] });
    if (attested)
      await notifyParty(tx, context, side, {
        template: "contract_attested",
        key: `contract attested ${attested.at.toISOString()}`,
        params: () => ({
          ...details(),
          reason: attested.reason,
          paper: attested.paper?.sha256 ?? null,
          until: attested.objection_end,
          timeZone: booking.time_zone,
        }),
      });
    else
      await notifyParty(tx, context, side, {
        template: "contract_signed",
        key: "contract signed",
        ...(contract
          ? { attachment: { name: `contract-${booking.number}-signed.pdf`, kind: "signed_contract", id: contract.id } }
          : {}),
        params: () => ({ ...details(), clicked }),
      });
  }
}

export const notifyObjection = (
  tx: Tx,
  context: EmailContext,
  objection: { side: ContractSide; reason: string; now: Date },
) => {
  const side = objection.side === "promoter" ? "artist" : "promoter";
  return notifyParty(tx, context, side, {
    template: "objection_made",
    key: `objection of the ${objection.side} ${objection.now.toISOString()}`,
    params: () => ({ ...bookingDetailsFor(context, side), reason: objection.reason }),
  });
};

/** Notifies both parties of the decision about an objection. `until` is the new signing deadline if the contract is open again. */
export async function notifyObjectionDecided(
  tx: Tx,
  context: EmailContext,
  decided: { decision: ObjectionDecision; reason: string; until: Date | null; now: Date },
): Promise<void> {
  const { decision, reason, until, now } = decided;
  for (const side of contractSides)
    await notifyParty(tx, context, side, {
      template: "objection_decided",
      key: `objection decided ${now.toISOString()}`,
      params: () => ({
        ...bookingDetailsFor(context, side),
        reason,
        decision,
        until,
        timeZone: context.booking.time_zone,
      }),
    });
  if (until === null) return;
  const contract = await contractOf(tx, context.booking.id);
  for (const side of contract ? sidesToSign(contract) : [])
    await remind(tx, context, side, { key: `annulled ${now.toISOString()}` });
}

export async function notifyFirstSignature(
  tx: Tx,
  services: Payments,
  signed: { bookingId: string; by: ContractSide },
): Promise<void> {
  const context = await emailContextOf(tx, services, signed.bookingId);
  await remind(tx, context, signed.by === "promoter" ? "artist" : "promoter", { key: "first signature" });
}

/** Requests the missing signature of a party. Returns false if the party has no mailbox. */
export const remind = (
  tx: Tx,
  context: EmailContext,
  side: ContractSide,
  reminder: { key: string; isExtended?: boolean },
): Promise<boolean> =>
  notifyIfReachable(tx, context, side, {
    template: "contract_reminder",
    key: `contract ${reminder.key}`,
    params: async () => ({
      ...bookingDetailsFor(context, side, await signingPage(tx, context, side)),
      ...(await windowOf(tx, context)),
      ...(await turnOf(tx, context, side)),
      isExtended: reminder.isExtended ?? false,
    }),
  });

/** Notifies a party that waits for the other's signature of the extended window. */
export const notifyExtended = (tx: Tx, context: EmailContext, side: ContractSide, key: string): Promise<boolean> =>
  notifyIfReachable(tx, context, side, {
    template: "contract_reminder",
    key: `contract ${key}`,
    params: async () => ({
      ...bookingDetailsFor(context, side),
      ...(await windowOf(tx, context)),
      otherSigned: false,
      isExtended: true,
      waits: true,
    }),
  });

const linksPerHour = 3;

/** Sends the promoter's signing link again, only to the mailbox of the request. Does nothing without an open contract. */
export async function sendSigningLink(services: Payments, bookingId: string): Promise<void> {
  const { database, limits } = services;
  const booking = await findBooking(database.db, bookingId);
  if (booking?.status !== "contract_sent") return;
  const contract = await contractOf(database.db, bookingId);
  if (!contract || contract.signers.find((one) => one.side === "promoter")?.signed_at) return;
  // Counted without an error, because the response must not reveal whether the booking exists.
  const key = `signing link of ${booking.id}`;
  if ((await limits.count(key)) >= linksPerHour) return;
  await limits.hit(key, Number.MAX_SAFE_INTEGER, 3_600);
  await database.transaction(async (tx) => {
    const context = await emailContextOf(tx, services, booking.id);
    await remind(tx, context, "promoter", { key: `asked ${services.clock.now().toISOString()}` });
  });
  services.wake();
}
