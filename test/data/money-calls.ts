/**
 * Prepared calls that move money, or that decide about a booking's money, to prove that nothing else in their body changes
 * a sum. Every call that writes is listed here or in `callsWithoutMoney`. A test fails for an unlisted one.
 */

import { createHash } from "node:crypto";
import { storeSignedDocument } from "#contracts/signing-for-bookings.ts";
import { changeArtistSettings, savePromoterSettings } from "#settings/index.ts";
import { automaticCharges } from "#test/harness/automatic-charges.ts";
import { browser, dayAhead, form, guestOf, peopleOf } from "#test/harness/bookings.ts";
import { attestOnPaper, scannedPaper, sentContract, signingCalls } from "#test/harness/contracts.ts";
import { decideDispute, paymentOf, winAppeal } from "#test/harness/disputes.ts";
import { planRefund, refuseRefunds } from "#test/harness/payment-work.ts";
import { findForeignMoney } from "#test/harness/unreconciled.ts";
import type { TestApp } from "#test/test-app.ts";
import { admin, disputeOf, letPass, refusePayout, release, scene, unpaid, unsigned } from "./money-scenes.ts";

type Json = Record<string, unknown>;

export type MadeCall = {
  bookingId: string;
  at: ReturnType<typeof browser>;
  /** The id in the URL, if it is not the booking's. */
  addressId?: string;
  body: Json;
  /** The status without a change, 200 by default. Each call is prepared in a state in which it is accepted. */
  status?: 200 | 201;
  /** Fields that make the body invalid, so all changes of other values are tried in the same state. */
  wrong?: Json;
  /** Amounts that the caller decides, with their maximum. Values within it are no tampering. */
  decides?: Readonly<Record<string, number>>;
  /** Free texts of the caller. Another text is no tampering. */
  writes?: readonly string[];
};
type Prepare = (app: TestApp) => Promise<MadeCall>;

const reason = "The venue paid by the link of our old shop.";

/** Prepares the artist's call without a body, for a booking in a state. */
const plain =
  (state: Parameters<typeof scene>[1]): Prepare =>
  async (app) => {
    const made = await scene(app, state);
    return { bookingId: made.bookingId, at: made.artist, body: {} };
  };

const signing =
  (more: Json, byClick = false): Prepare =>
  async (app) => {
    const { user } = await peopleOf(() => app).person("promoter");
    const { booking, promoter: key } = await sentContract(app, { promoterUserId: user.id });
    if (byClick)
      await app.database.transaction((tx) =>
        savePromoterSettings(tx, user.id, { values: { requireContractSigning: false }, version: 0, by: user.id }),
      );
    const { document } = (await signingCalls(app).open(key)).body;
    return {
      bookingId: booking.id,
      at: browser(app),
      body: { key, documentHash: document.sha256, ...more },
      wrong: { documentHash: "0".repeat(64) },
    };
  };

/** Prepares a request without a deposit for the artist's answer. */
const answering =
  (body: Json): Prepare =>
  async (app) => {
    const people = peopleOf(() => app);
    const player = await people.person("artist");
    const artist = await people.artist({ userId: player.user.id });
    await app.database.transaction((tx) =>
      changeArtistSettings(tx, artist.id, { requireDeposit: false }, player.user.id),
    );
    const { body: booking } = await browser(app).requestBooking({ artistId: artist.slug });
    await app.settle();
    return { bookingId: booking.id, at: player.at, body };
  };

const proposed =
  (side: "guest" | "artist", body: Json, wrong?: Json): Prepare =>
  async (app) => {
    const made = await scene(app, "played");
    const address = `/api/bookings/${made.bookingId}`;
    const proposal = { reason: "The hall is under water.", refund_cents: null, expected_paid_cents: made.held };
    await made.guest.json(`${address}/force-majeure`, proposal);
    const page = (await made.guest.json(address)).body as unknown as {
      force_majeure: { proposal: { id: string; refund_cents: number } };
    };
    const { id: proposal_id, refund_cents } = page.force_majeure.proposal;
    const answered = side === "artist" ? { expected_refund_cents: refund_cents } : {};
    return {
      bookingId: made.bookingId,
      at: made[side],
      body: { ...answered, proposal_id, ...body },
      ...(wrong ? { wrong } : {}),
    };
  };

/** Prepares money that the provider took without a request, and a matching booking. */
const unreconciled =
  (more: (booking: { number: string }) => Json, wrong: Json): Prepare =>
  async (app) => {
    const { booking } = await scene(app, "asked");
    const addressId = await findForeignMoney(app, booking.deposit_cents);
    return { bookingId: booking.id, at: await admin(app), addressId, body: { reason, ...more(booking) }, wrong };
  };

/** Prepares a refund of a deposit that the provider refused. */
const refused =
  (body: Json, more: Pick<MadeCall, "wrong" | "writes"> = {}): Prepare =>
  async (app) => {
    const { bookingId } = await scene(app, "booked");
    const { id: paymentId } = await paymentOf(app, bookingId, "deposit");
    const causeKey = `test:${paymentId}`;
    const planned = { paymentId, amount: 1_000, reason: "test", causeKey, now: app.services.clock.now() };
    const { id } = await app.database.transaction((tx) => planRefund(tx, planned));
    await refuseRefunds(app);
    return { bookingId, at: await admin(app), addressId: id, body, ...more };
  };

const disputed =
  (body: Json): Prepare =>
  async (app) => {
    const { bookingId } = await scene(app, "played");
    return { bookingId, at: await admin(app), addressId: (await disputeOf(app, bookingId)).id, body };
  };

/** Prepares a request whose date is held while its checkout is open. */
const holding =
  (side: "guest" | "artist"): Prepare =>
  async (app) => {
    const made = await scene(app, "asked");
    await made.guest.checkout({ id: made.bookingId });
    return { bookingId: made.bookingId, at: made[side], body: {} };
  };

export const moneyCalls: Readonly<Record<string, Prepare>> = {
  requestBooking: async (app) => {
    const { act, guest, bookingId } = await scene(app, "asked");
    return {
      bookingId,
      at: guest,
      body: form(app, { artistId: act.slug }),
      wrong: { eventDate: dayAhead(app, -1) },
      status: 201,
    };
  },
  createContractAndCheckout: async (app) => {
    const { guest: at, bookingId } = await scene(app, "asked");
    return { bookingId, at, body: { booking_id: bookingId } };
  },
  createCheckout: async (app) => {
    const { guest: at, bookingId } = await scene(app, "asked");
    return { bookingId, at, body: { bookingId, isDeposit: true } };
  },
  releaseOwnHold: holding("guest"),
  releaseHold: holding("artist"),
  acceptRequest: answering({}),
  declineRequest: answering({ note: "" }),
  openContract: async (app) => {
    const made = await signing({})(app);
    return { ...made, body: { key: made.body["key"] }, wrong: {} };
  },
  signContract: signing({ name: "Hannah Whitt", drawing: null, consent: true }),
  acceptContract: signing({ consent: true }, true),
  declineContract: signing({ reason: "The curfew is earlier." }),
  markContractSigned: async (app) => {
    const { bookingId, contractId: addressId, at } = await unsigned(app);
    const paper = { bytes: await scannedPaper(), pages: 1, media_type: "application/pdf" as const };
    const sha256 = createHash("sha256").update(paper.bytes).digest();
    await app.database.transaction((tx) => storeSignedDocument(tx, bookingId, { ...paper, sha256 }, app.clock.now()));
    const body = { reason: "Both have signed on paper at the venue.", paper: sha256.toString("hex") };
    return { bookingId, at, addressId, body, wrong: { paper: "0".repeat(64) } };
  },
  objectToContract: async (app) => {
    const { bookingId, contractId, adminId } = await unsigned(app);
    await app.database.transaction((tx) => attestOnPaper(tx, app.services, { bookingId, contractId, adminId }));
    return { bookingId, at: guestOf(app, bookingId), body: { reason: "Nobody has signed this." } };
  },
  decideObjection: async (app) => {
    const { bookingId, contractId, adminId, at } = await unsigned(app);
    await app.database.transaction((tx) => attestOnPaper(tx, app.services, { bookingId, contractId, adminId }));
    await guestOf(app, bookingId).json(`/api/bookings/${bookingId}/object-to-attestation`, {
      reason: "Nobody has signed this.",
    });
    return { bookingId, at, body: { decision: "annulled", reason: "The paper is another event's." } };
  },
  createBalanceLink: plain("booked"),
  withdrawAutomaticPayment: async (app) => {
    const { booking, visitor } = await automaticCharges(() => [app]).signed();
    return { bookingId: booking.id, at: visitor, body: {} };
  },
  extendBalance: async (app) => {
    const { bookingId, artist: at } = await unpaid(app);
    return { bookingId, at, body: { due_day: dayAhead(app, 20) } };
  },
  releaseDate: async (app) => {
    const made = await unpaid(app);
    const { body } = await made.artist.json(`/api/artist/bookings/${made.bookingId}/release-date`);
    const expected = { expected_refund_cents: body["refund_cents"] };
    return { bookingId: made.bookingId, at: made.artist, body: expected, wrong: { expected_refund_cents: 2 } };
  },
  proposeForceMajeure: async (app) => {
    const { guest: at, bookingId, held } = await scene(app, "played");
    const body = { reason: "The hall is under water.", refund_cents: null, expected_paid_cents: held };
    return { bookingId, at, body, wrong: { expected_paid_cents: held + 1 } };
  },
  answerForceMajeure: proposed("artist", { accept: true }, { expected_refund_cents: 2 }),
  withdrawForceMajeure: proposed("guest", {}),
  cancelBooking: async (app) => {
    const { guest: at, bookingId } = await scene(app, "signed");
    const { body } = await at.json(`/api/bookings/${bookingId}/cancellation`);
    return {
      bookingId,
      at,
      body: { code: "plans_changed", note: null, expected_refund_cents: body["refund_cents"] },
      wrong: { expected_refund_cents: 2 },
    };
  },
  completeBooking: async (app) => {
    const { guest: at, bookingId } = await scene(app, "played");
    await letPass(app, bookingId);
    return { bookingId, at, body: {} };
  },
  reportNoShow: async (app) => {
    const { guest: at, bookingId } = await scene(app, "played");
    await letPass(app, bookingId);
    return { bookingId, at, body: { note: "Nobody came to the stage." } };
  },
  decideNoShow: async (app) => {
    const { guest, bookingId, held } = await scene(app, "played");
    await letPass(app, bookingId);
    await guest.json(`/api/bookings/${bookingId}/no-show`, { note: "Nobody came to the stage." });
    return {
      bookingId,
      at: await admin(app),
      body: { release_cents: held, decision: "This is what we have found." },
      wrong: { release_cents: held + 1 },
      decides: { release_cents: held },
    };
  },
  applyUnreconciled: unreconciled(({ number }) => ({ number }), { number: "SD-2000-000000" }),
  returnUnreconciled: unreconciled(() => ({}), { reason: "no" }),
  resolveUnreconciled: unreconciled(() => ({}), { reason: "no" }),
  retryRefund: refused({}),
  settleRefund: refused({ how: "Bank transfer of today." }, { wrong: { how: "cash" }, writes: ["how"] }),
  sendDisputeEvidence: disputed({ note: "" }),
  acceptDispute: disputed({}),
  returnDisputeShare: async (app) => {
    const made = await scene(app, "played");
    const { bookingId } = made;
    await release(app, made);
    const { id: addressId, ref } = await disputeOf(app, bookingId);
    await decideDispute(app, ref, "lose");
    await winAppeal(app, ref);
    await app.settle();
    const { from_artist: share } = await app.database.db
      .selectFrom("disputes")
      .select("from_artist")
      .where("id", "=", addressId)
      .executeTakeFirstOrThrow();
    const body = { expected_artist_cents: share };
    return { bookingId, at: await admin(app), addressId, body, wrong: { expected_artist_cents: share + 1 } };
  },
  openPaymentAccount: plain("signed"),
  refreshPaymentAccount: plain("signed"),
  retryPayout: async (app) => {
    const made = await scene(app, "played");
    await release(app, made);
    // Its transfers could not be planned, and an admin has reviewed the reason.
    const stuck = { stuck_at: app.clock.now(), stuck_reason: "The payments hold less than the payout." };
    await app.database.db.updateTable("payouts").set(stuck).where("booking_id", "=", made.bookingId).execute();
    return { bookingId: made.bookingId, at: await admin(app), body: {} };
  },
  settlePayout: async (app) => {
    const made = await scene(app, "played");
    await release(app, made);
    const { bookingId } = made;
    const expected_cents = await refusePayout(app, bookingId);
    const body = { how: "Bank transfer of today.", expected_cents };
    return { bookingId, at: await admin(app), body, wrong: { expected_cents: expected_cents + 1 }, writes: ["how"] };
  },
};

const withoutMoney = {
  pricesOfLaterRequests: ["createArtist", "changeArtist", "saveArtistSettings", "saveArtistProfile"],
  settings: [
    "savePlatformSettings",
    "savePromoterSettings",
    "saveEsignKey",
    "testEsign",
    "testEsignWebhook",
    "testComponent",
  ],
  webhookTest: ["testPaymentWebhook"],
  // Applies the state that the provider reports, as the webhook does.
  providerState: ["retryProviderEvent"],
  linksAndCodes: ["sendContractAgain", "sendSigningCode", "providerSigningLink", "sendSigningLink", "openBookingLink"],
  moreLinks: [
    "sendBookingLink",
    "sendContactMessage",
    "checkDate",
    "readPayLink",
    "confirmRequest",
    "setListing",
    "takeOffProfile",
    "correctBookingEmail",
  ],
  dates: ["blockTime", "unblockTime", "openNights"],
  holds: [
    "placeHold",
    "releaseRankedHold",
    "placeHoldByHand",
    "challengeHold",
    "extendHold",
    "reorderHolds",
    "bookHold",
    "convertHold",
    "releaseHoldAsAdmin",
  ],
  texts: ["saveContractTemplate", "previewContractTemplate", "saveArtistMedia"],
  samples: ["renameArtistSample", "orderArtistSamples", "deleteArtistSample"],
  contractPreviews: ["previewContractOfForm"],
  emails: ["saveEmailText", "restoreEmailText", "switchEmail", "previewEmail", "sendTestEmail"],
  calendars: [
    "renewCalendarFeed",
    "turnOffCalendarFeed",
    "addCalendarConnection",
    "retryCalendarConnection",
    "removeCalendarConnection",
    "addExternalCalendar",
    "refreshExternalCalendar",
    "removeExternalCalendar",
  ],
  statements: ["stateNoShow"],
  reviews: ["writeReview", "replyToReview", "reportReview", "hideReview", "unhideReview", "keepReview"],
  ownAccount: ["reauthenticate", "endMySession", "exportMyData", "deleteMyAccount", "undoAccountChange"],
  people: ["changeUserRole", "suspendUser", "restoreUser", "endUserSessions", "resetSecondFactor"],
  rightsAndClaims: ["becomeFirstAdmin", "decideAdminRequest", "claimProfile", "decideProfileClaim"],
  // Only moves the time forward.
  demoClock: ["advanceClock"],
} as const;

/** Calls that write but move no money. They include the prices of later requests, which do not affect existing requests. */
export const callsWithoutMoney: readonly string[] = Object.values(withoutMoney).flat();
