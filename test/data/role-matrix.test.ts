/** The access of each role to each endpoint, and the rows returned. An endpoint without a row here fails the build. */

import { describe, expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp } from "#test/test-app.ts";
import { addressOf, type Endpoint, endpoints } from "./endpoints.ts";

type AccessLevel = "public" | "booking-key" | "signed-in" | "admin" | "artist" | "promoter";

/** Written by hand for each endpoint, and compared with the contract. */
const accessLevels: Record<string, AccessLevel> = {
  listArtists: "public",
  countArtists: "public",
  listFeaturedArtists: "public",
  getArtist: "public",
  readAvailability: "public",
  compareArtists: "public",
  readArtistCalendar: "artist",
  blockTime: "artist",
  unblockTime: "artist",
  openNights: "artist",
  listTravelWarnings: "artist",
  placeHold: "promoter",
  listPromoterHolds: "promoter",
  listArtistHolds: "artist",
  placeHoldByHand: "artist",
  releaseRankedHold: "signed-in",
  challengeHold: "promoter",
  extendHold: "artist",
  reorderHolds: "artist",
  bookHold: "promoter",
  convertHold: "artist",
  listHolds: "admin",
  releaseHoldAsAdmin: "admin",
  listArtistReviews: "public",
  readArtistProfile: "artist",
  saveArtistProfile: "artist",
  suggestPlaces: "signed-in",
  readArtistMedia: "artist",
  saveArtistMedia: "artist",
  listArtistFiles: "artist",
  listArtistSamples: "artist",
  renameArtistSample: "artist",
  orderArtistSamples: "artist",
  deleteArtistSample: "artist",
  publicSettings: "public",
  readClock: "public",
  advanceClock: "public",
  undoAccountChange: "public",
  sendContactMessage: "public",
  requestBooking: "public",
  checkDate: "public",
  previewContractOfForm: "public",
  previewContractOfBooking: "booking-key",
  readPayLink: "public",
  bookingBySession: "booking-key",
  confirmRequest: "signed-in",
  takeOffProfile: "booking-key",
  releaseOwnHold: "booking-key",
  correctBookingEmail: "booking-key",
  previewCancellation: "booking-key",
  cancelBooking: "booking-key",
  completeBooking: "booking-key",
  reportNoShow: "booking-key",
  stateNoShow: "artist",
  decideNoShow: "admin",
  proposeForceMajeure: "booking-key",
  answerForceMajeure: "booking-key",
  withdrawForceMajeure: "booking-key",
  readBooking: "booking-key",
  listComponents: "admin",
  testComponent: "admin",
  readBookingCalendar: "booking-key",
  listCalendarFeeds: "signed-in",
  readCalendarFeed: "signed-in",
  renewCalendarFeed: "signed-in",
  turnOffCalendarFeed: "signed-in",
  listCalendarConnections: "signed-in",
  addCalendarConnection: "signed-in",
  retryCalendarConnection: "signed-in",
  removeCalendarConnection: "signed-in",
  listExternalCalendars: "artist",
  addExternalCalendar: "artist",
  refreshExternalCalendar: "artist",
  removeExternalCalendar: "artist",
  openBookingLink: "booking-key",
  sendBookingLink: "public",
  createContractAndCheckout: "booking-key",
  createCheckout: "booking-key",
  openContract: "booking-key",
  acceptContract: "booking-key",
  signContract: "booking-key",
  sendSigningCode: "booking-key",
  declineContract: "booking-key",
  providerSigningLink: "booking-key",
  sendSigningLink: "public",
  contractDocumentLink: "booking-key",
  markContractSigned: "admin",
  readContract: "admin",
  listContractTemplates: "admin",
  readContractTemplate: "admin",
  saveContractTemplate: "admin",
  previewContractTemplate: "admin",
  sendContractAgain: "admin",
  objectToContract: "booking-key",
  decideObjection: "admin",
  listAllBookings: "admin",
  listArtistBookings: "artist",
  listPromoterBookings: "promoter",
  releaseHold: "artist",
  acceptRequest: "artist",
  setListing: "artist",
  declineRequest: "artist",
  createBalanceLink: "artist",
  withdrawAutomaticPayment: "booking-key",
  extendBalance: "artist",
  previewDateRelease: "artist",
  releaseDate: "artist",
  adminOverview: "admin",
  listAllArtists: "admin",
  readArtist: "admin",
  createArtist: "admin",
  changeArtist: "admin",
  listAllContracts: "admin",
  listAllPayments: "admin",
  sumPayments: "admin",
  readPayment: "admin",
  listAttention: "admin",
  listMoneyCases: "admin",
  listUnreconciled: "admin",
  matchUnreconciled: "admin",
  applyUnreconciled: "admin",
  returnUnreconciled: "admin",
  resolveUnreconciled: "admin",
  listLog: "admin",
  readBookingReviews: "booking-key",
  writeReview: "booking-key",
  replyToReview: "artist",
  reportReview: "signed-in",
  listModeratedReviews: "admin",
  hideReview: "admin",
  unhideReview: "admin",
  keepReview: "admin",
  artistOverview: "artist",
  listPromoterPayments: "promoter",
  readArtistPayouts: "artist",
  listBookingDocuments: "booking-key",
  documentLink: "booking-key",
  openPaymentAccount: "artist",
  refreshPaymentAccount: "artist",
  retryPayout: "admin",
  settlePayout: "admin",
  listRefusedRefunds: "admin",
  retryRefund: "admin",
  settleRefund: "admin",
  listDisputes: "admin",
  sendDisputeEvidence: "admin",
  returnDisputeShare: "admin",
  acceptDispute: "admin",
  readBookingDefaults: "signed-in",
  readArtistSettings: "artist",
  saveArtistSettings: "artist",
  readPlatformSettings: "admin",
  savePlatformSettings: "admin",
  saveEsignKey: "admin",
  testEsign: "admin",
  readEsignWebhook: "admin",
  testEsignWebhook: "admin",
  listEmailTemplates: "admin",
  saveEmailText: "admin",
  restoreEmailText: "admin",
  switchEmail: "admin",
  previewEmail: "admin",
  sendTestEmail: "admin",
  readPaymentWebhook: "admin",
  testPaymentWebhook: "admin",
  retryProviderEvent: "admin",
  readPromoterSettings: "promoter",
  savePromoterSettings: "promoter",
  readMe: "signed-in",
  streamEvents: "signed-in",
  listMySessions: "signed-in",
  endMySession: "signed-in",
  reauthenticate: "signed-in",
  exportMyData: "signed-in",
  readDeletionObstacle: "signed-in",
  deleteMyAccount: "signed-in",
  becomeFirstAdmin: "signed-in",
  listUsers: "admin",
  changeUserRole: "admin",
  suspendUser: "admin",
  endUserSessions: "admin",
  restoreUser: "admin",
  resetSecondFactor: "admin",
  listAdminRequests: "admin",
  decideAdminRequest: "admin",
  listClaimableArtists: "artist",
  claimProfile: "artist",
  listMyClaims: "signed-in",
  search: "signed-in",
  listClaims: "admin",
  decideProfileClaim: "admin",
};

const roles = ["anon", "promoter", "artist", "admin"] as const;
type Role = (typeof roles)[number];

const opens = (level: AccessLevel, role: Role): boolean =>
  level === "public" || level === "booking-key" || (role !== "anon" && (level === "signed-in" || level === role));

type Party = { id: string; headers: Record<string, string> };
const app = closeAfterFile(await testApp());
const people = {} as Record<Exclude<Role, "anon"> | "otherPromoter" | "otherArtist", Party>;
const bookings = {} as Record<"mine" | "theirs", string>;

async function party(role: "promoter" | "artist" | "admin"): Promise<Party> {
  const user = await app.make.user({ role });
  return { id: user.id, headers: await app.signIn(user) };
}

people.admin = await party("admin");
people.promoter = await party("promoter");
people.otherPromoter = await party("promoter");
people.artist = await party("artist");
people.otherArtist = await party("artist");
for (const [name, artistUser, promoterUser] of [
  ["mine", people.artist, people.promoter],
  ["theirs", people.otherArtist, people.otherPromoter],
] as const) {
  const artist = await app.make.artist({ userId: artistUser.id });
  const booking = await app.make.booking({ artistId: artist.id, promoterUserId: promoterUser.id });
  bookings[name] = booking.id;
}

const headersOf = (role: Role) => (role === "anon" ? {} : people[role].headers);
const all = endpoints();

/** Calls an endpoint without an effect: its body is invalid, but validated only after the access check. An open stream would never respond. */
const knock = (endpoint: Endpoint, role: Role) =>
  app.request(`${addressOf(endpoint)}${endpoint.streams ? "?nothingThatExists=true" : ""}`, {
    method: endpoint.method,
    headers: headersOf(role),
    ...(endpoint.method === "GET" ? {} : { body: { nothingThatExists: true } }),
  });

test("lists every endpoint exactly once", () => {
  expect(all.map((endpoint) => endpoint.operationId).sort()).toEqual(Object.keys(accessLevels).sort());
  expect(new Set(all.map((endpoint) => `${endpoint.method} ${endpoint.path}`)).size).toBe(all.length);
});

describe.each(all)("$operationId", (endpoint) => {
  test.each(roles)("checks the access of %s", async (role) => {
    const level = accessLevels[endpoint.operationId] ?? "admin";
    const response = await knock(endpoint, role);
    const body = (await response.json()) as { code?: string; message?: string };
    if (opens(level, role)) expect([response.status, body.code]).not.toContain(403);
    const expected = opens(level, role) ? undefined : role === "anon" ? 401 : 403;
    if (expected) expect([response.status, typeof body.message]).toEqual([expected, "string"]);
    else expect([401, 403, 500]).not.toContain(response.status);
  });
});

type Listed = { items: { id: string }[] };
const idsAt = async (address: string, headers: Record<string, string>) => {
  const response = await app.request(address, { headers });
  expect(response.status).toBe(200);
  return ((await response.json()) as Listed).items.map((item) => item.id).sort();
};

describe("list of bookings", () => {
  const lists = {
    admin: "/api/admin/bookings",
    artist: "/api/artist/bookings",
    promoter: "/api/promoter/bookings",
  } as const;

  test("contains every booking for an admin", async () => {
    expect(await idsAt(lists.admin, people.admin.headers)).toEqual(Object.values(bookings).sort());
  });

  test.each(["artist", "promoter"] as const)(
    "contains exactly the own bookings of an %s, regardless of the search",
    async (role) => {
      expect(await idsAt(lists[role], people[role].headers)).toEqual([bookings.mine]);
      expect(await idsAt(`${lists[role]}?search=%25`, people[role].headers)).not.toContain(bookings.theirs);
      const other = role === "artist" ? people.otherArtist : people.otherPromoter;
      expect(await idsAt(lists[role], other.headers)).toEqual([bookings.theirs]);
    },
  );

  test("is empty for a user without bookings", async () => {
    const fresh = await party("promoter");
    expect(await idsAt(lists.promoter, fresh.headers)).toEqual([]);
    const artist = await party("artist");
    expect(await idsAt(lists.artist, artist.headers)).toEqual([]);
  });
});
