import { implement } from "@orpc/server";
import { posterInks } from "#artists/index.ts";
import type { ContractSummary } from "#contracts/index.ts";
import { extendedEnd, sidesToSign } from "#contracts/rules.ts";
import type { RequestOrigin } from "#contracts/signing-for-bookings.ts";
import type { Payments } from "#gateway/gateway.ts";
import { positionOf } from "#ledger/index.ts";
import type { Reader } from "#platform/db/index.ts";
import { Problem } from "#platform/errors.ts";
import { limitBlock } from "#platform/http/client-address.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { previewCancellation } from "../cancellation/cancellation.ts";
import { requireVerifiedMailbox } from "../policy.ts";
import { callerOf } from "../request/booking-cookie.ts";
import { lockBookingFor } from "../request/booking-for-caller.ts";
import { balanceDueDay } from "../rules/money/due-day.rules.ts";
import { sharesOf } from "../rules/money/shares.rules.ts";
import type { Booking } from "../store.ts";
import { adminContractRoutes } from "./admin/contract-page.routes.ts";
import { sendSigningLink } from "./contract-emails.ts";
import { contractFault } from "./contract-end.ts";
import { contractApi, type SigningPage } from "./contract.api.ts";
import { makeDocumentUrl } from "./document/document-access.ts";
import { documentUrl } from "./document/document-link.ts";
import { providerSigningUrl } from "./provider/sync.ts";
import {
  decideObjection,
  endBalancePayment,
  ensureDocumentOf,
  markSigned,
  objectToContract,
} from "./signing/attestation.ts";
import {
  acceptByClick,
  mayAcceptByClick,
  codeOfPage,
  countTypedCode,
  sendSigningCode,
  signWithCode,
  decline,
  openSigning,
  requireParty,
  type SigningParty,
} from "./signing/signing.ts";
import { templatesRoutes } from "./templates/templates.routes.ts";

type Http = Context<Payments>;
const on = implement(contractApi).$context<Http>();

/** The maximum of wrong keys from one network per hour. A key has 192 bits, so the limit only shortens the log. */
const wrongKeys = 60;
const signingLinksPerHour = 60;
const maxAgentLength = 300;

const requestOriginOf = ({ request }: Http): RequestOrigin => ({
  address: request.ip || null,
  agent: request.headers.get("user-agent")?.slice(0, maxAgentLength) ?? null,
});

async function partyOf(context: Http, key: string): Promise<SigningParty> {
  context.reply.header("referrer-policy", "no-referrer");
  try {
    return await requireParty(context.services, key, callerOf(context));
  } catch (error) {
    if (error instanceof Problem && error.kind === "not_found")
      await context.services.limits.hit(`contract key ${limitBlock(context.request)}`, wrongKeys, 3_600);
    throw error;
  }
}

async function toResponse(context: Http, party: SigningParty, isRecorded = true): Promise<SigningPage> {
  const { services } = context;
  const now = services.clock.now();
  const { booking, artist, contract, isByFormerOwner, document } = await openSigning(
    services,
    party,
    isRecorded ? requestOriginOf(context) : null,
  );
  const mine = contract.signers.find((one) => one.side === party.side);
  const isOpen = booking.status === "contract_sent" && contract.status === "sent" && (contract.expires_at ?? now) > now;
  const declined = isOpen
    ? await previewCancellation(context.db, booking, {
        by: party.side,
        fault: await contractFault(context.db, booking.id, party.side),
        now,
      })
    : null;
  const isUnsigned = isOpen && document !== null && !mine?.signed_at;
  const canSign = isUnsigned && sidesToSign(contract).includes(party.side);
  return {
    ...booking,
    ...contract,
    contract_id: contract.id,
    booking_id: booking.id,
    side: party.side,
    booking_status: booking.status,
    artist: { ...artist, inks: posterInks(artist.slug, artist.poster_variant) },
    expires_at: isOpen ? contract.expires_at : null,
    extends_until: isOpen ? extendedEnd(contract, booking.starts_at) : null,
    signers: contract.signers.map((signer) =>
      toSigner(isByFormerOwner && signer === mine ? { ...signer, method: null } : signer),
    ),
    signed_by_former_owner: isByFormerOwner,
    balance:
      booking.balance_cents > 0 && booking.balance_paid_at === null
        ? { cents: booking.balance_cents, due: balanceDueDay(booking.event_date, booking.time_zone, now) }
        : null,
    document: document && {
      ...document,
      url: documentUrl(services.keys, contract.id, document.is_signed ? "copy" : "agreement", now),
    },
    corrected_email: isCorrected(booking, document?.promoterEmail) ? booking.promoter_email : null,
    refund_if_declined: declined?.refund_cents ?? null,
    waiting_if_declined: declined?.waiting_cents ?? 0,
    earnings: party.side === "artist" ? await earningsOf(context.db, booking) : null,
    accept_by_click: contract.service === null && (await mayAcceptByClick(context.db, booking, party.side)),
    can_sign: canSign,
    signs_before: isUnsigned && !canSign ? contract.first_signer : null,
    code:
      canSign && contract.service === null
        ? await codeOfPage(context.db, { contractId: contract.id, side: party.side, now })
        : null,
  };
}

const isCorrected = (booking: Booking, inDocument: string | undefined): boolean =>
  booking.email_corrections > 0 && inDocument !== undefined && inDocument !== booking.promoter_email;

const toSigner = ({ signed_name: signedName, method, drawing, ...signer }: ContractSummary["signers"][number]) => ({
  ...signer,
  signature: signer.signed_at && method ? { name: signedName ?? signer.name, method, drawing } : null,
});

async function earningsOf(reader: Reader, booking: Booking): Promise<SigningPage["earnings"]> {
  const { id, fee_cents: gross, currency } = booking;
  if (gross === 0) return null;
  const { commission, artist } = sharesOf(booking, await positionOf(reader, id, currency));
  return {
    gross_cents: gross,
    returned_cents: gross - commission - artist,
    commission_cents: commission,
    net_cents: artist,
  };
}

export const contractRoutes = on.router({
  openContract: on.openContract.handler(async ({ input, context }) =>
    toResponse(context, await partyOf(context, input.key), input.record),
  ),
  signContract: on.signContract.handler(async ({ input, context }) => {
    const party = await partyOf(context, input.key);
    const { key: _key, consent: _consent, ...given } = input;
    await countTypedCode(context.services, party, given.code);
    await context.transaction((tx) =>
      signWithCode(tx, context.services, { party, ...given, origin: requestOriginOf(context) }),
    );
    return toResponse(context, party);
  }),
  acceptContract: on.acceptContract.handler(async ({ input, context }) => {
    const party = await partyOf(context, input.key);
    const { documentHash } = input;
    await context.transaction((tx) =>
      acceptByClick(tx, context.services, { party, documentHash, origin: requestOriginOf(context) }),
    );
    return toResponse(context, party);
  }),
  sendSigningCode: on.sendSigningCode.handler(async ({ input, context }) =>
    sendSigningCode(context.services, await partyOf(context, input.key), requestOriginOf(context)),
  ),
  declineContract: on.declineContract.handler(async ({ input, context }) => {
    const party = await partyOf(context, input.key);
    const { reason, documentHash } = input;
    const { refund, currency } = await context.transaction((tx) =>
      decline(tx, context.services, { party, reason, documentHash, origin: requestOriginOf(context) }),
    );
    return { declined: true as const, refund_cents: refund, currency };
  }),
  providerLink: on.providerLink.handler(async ({ input, context }) => {
    const party = await partyOf(context, input.key);
    const { limits } = context.services;
    await limits.hit(`link at service ${party.bookingId} ${party.side}`, signingLinksPerHour, 3_600);
    const returnUrl = `${context.services.config.publicUrl}${paths.sign(input.key)}`;
    return { url: await providerSigningUrl(context.services, party, returnUrl) };
  }),
  documentLink: on.documentLink.handler(async ({ input, context }) => ({
    url: await makeDocumentUrl(context.services, { ...input, caller: callerOf(context) }),
  })),
  markSigned: on.markSigned.handler(async ({ input, context }) => {
    const by = requireActor(context);
    await ensureDocumentOf(context.services, input.id);
    await context.transaction((tx) =>
      markSigned(tx, context.services, { ...input, by, origin: requestOriginOf(context) }),
    );
    return { id: input.id, signed: true as const };
  }),
  objectToContract: on.objectToContract.handler(async ({ input, context }) => {
    const { id, reason } = input;
    const { services } = context;
    await context.transaction(async (tx) => {
      const { booking, relation } = await lockBookingFor(tx, context, id);
      requireVerifiedMailbox(relation);
      const side = relation.promoter ? "promoter" : relation.artist ? "artist" : undefined;
      if (!side) throw new Problem("forbidden", "Only the promoter and the artist of this booking can object.");
      const userId = context.actor?.userId ?? null;
      await objectToContract(tx, services, booking, { side, reason, userId, origin: requestOriginOf(context) });
    });
    await endBalancePayment(services, id);
    return { objected: true as const };
  }),
  decideObjection: on.decideObjection.handler(async ({ input, context }) => {
    const { id: bookingId, release_cents: release, expected_held_cents: shownHeld, ...decided } = input;
    const request = {
      bookingId,
      release,
      shownHeld,
      ...decided,
      by: requireActor(context),
      origin: requestOriginOf(context),
    };
    await context.transaction((tx) => decideObjection(tx, context.services, request));
    return { decided: true as const };
  }),
  admin: adminContractRoutes,
  templates: templatesRoutes,
  sendSigningLink: on.sendSigningLink.handler(async ({ input, context }) => {
    await context.services.limits.hit(`signing link ${limitBlock(context.request)}`, 20, 3_600);
    await sendSigningLink(context.services, input.bookingId);
    return {
      sent: true as const,
      message: "If this contract needs a signature, we have emailed a new link to the address of the request.",
    };
  }),
});
