import { expect } from "vitest";
import { bookingKey, makeLinkToken } from "#bookings/links/access.ts";
import type { BookingStatus } from "#bookings/rules.ts";
import { dayIn, addDays } from "#platform/time/calendar.rules.ts";
import type { TestApp } from "#test/test-app.ts";

type Json = Record<string, unknown> & { id: string };

export function browser(app: TestApp, headers: Record<string, string> = {}) {
  const jar = new Map<string, string>();
  const call = async (address: string, body?: unknown, more: Record<string, string> = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await app.request(address, {
      ...(body === undefined ? {} : { body }),
      headers: { ...headers, ...(cookie ? { cookie } : {}), ...more },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    return response;
  };
  const json = async (address: string, body?: unknown) => {
    const response = await call(address, body);
    const text = await response.text();
    return { status: response.status, body: (text ? JSON.parse(text) : {}) as Json, headers: response.headers };
  };
  return {
    jar,
    call,
    json,
    check: (given: Record<string, unknown>) => json("/api/bookings/check", given),
    requestBooking: (given: Record<string, unknown>) => json("/api/bookings", form(app, given)),
    checkout: (booking: { id: string }) =>
      json("/api/functions/create-contract-and-checkout", { booking_id: booking.id }),
  };
}

/** Makes the users of a test: artists in Austin, users with their browsers, and visitors with a booking. */
export const peopleOf = (app: () => TestApp) => ({
  artist: (given = {}) => app().make.artist({ location: "Austin, Texas", ...given }),
  person: async (role: "admin" | "artist" | "promoter", given: Record<string, unknown> = {}) => {
    const user = await app().make.user({ role, ...given });
    return { user, at: browser(app(), await app().signIn(user)) };
  },
  held: async (given: Parameters<TestApp["make"]["booking"]>[0] = {}) => {
    const booking = await app().make.booking({ keys: app().services.keys, ...given });
    return { booking, visitor: guestOf(app(), booking.id) };
  },
});

export function guestOf(app: TestApp, bookingId: string) {
  const visitor = browser(app);
  visitor.jar.set("bookings", bookingKey(app.services.keys, bookingId));
  return visitor;
}

/** Returns the token of the signed link in an email that was sent at `at`, for a request whose address was not corrected. */
export const linkTokenOf = (app: TestApp, id: string, at = app.clock.now()) =>
  makeLinkToken(app.services.keys, { id, email_corrections: 0 }, at);

/** Opens an emailed link of the booking, which verifies the mailbox in this browser. */
export async function verifyMailbox(app: TestApp, visitor: ReturnType<typeof browser>, bookingId: string) {
  const link = linkTokenOf(app, bookingId);
  expect((await visitor.json(`/api/bookings/${bookingId}/open`, { link })).status).toBe(200);
}

/** Returns the date `days` from the test's current time, in the time zone of most tests. */
export const dayAhead = (app: TestApp, days: number) => addDays(dayIn("America/Chicago", app.clock.now()), days);

/** Returns a valid form with the given fields changed. */
export const form = (app: TestApp, given: Record<string, unknown>) => ({
  clientName: "Hannah Whitt",
  clientEmail: "hannah@whitt.example",
  clientPhone: "+1 512 555 0148",
  eventDate: dayAhead(app, 60),
  eventTime: "20:30",
  eventLocation: "The Waterworks, Austin, Texas",
  eventType: "Wedding",
  guestCount: 180,
  duration: "2 hours",
  specialRequests: "First dance at 21:00.",
  ...given,
});

/** Presses a button of the sandbox's page, and processes what follows. `later`: the saved card's behavior when it is charged. */
export async function press(app: TestApp, url: unknown, button: "pay" | "decline" | "cancel", later = "works") {
  const response = await app.server.inject({
    method: "POST",
    url: `${new URL(String(url)).pathname}/${button}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: `later=${later}`,
  });
  expect(response.statusCode).toBeLessThan(400);
  await follow(app);
  return String(response.headers.location);
}

/** Delivers webhooks and handles events until nothing is left. */
export async function follow(app: TestApp) {
  for (let round = 0; round < 3; round++) {
    await app.services.sandbox?.settle();
    await app.settle();
  }
}

export const bookingRow = (app: TestApp, id: string) =>
  app.database.db.selectFrom("bookings").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

export const reservations = (app: TestApp, artistId: string) =>
  app.database.db
    .selectFrom("date_reservations")
    .select(["booking_id", "kind"])
    .where("artist_id", "=", artistId)
    .execute();

export const emailsFor = async (app: TestApp, refId: string) =>
  await app.database.db
    .selectFrom("messages")
    .select(["template", "recipient", "subject", "text"])
    .where("ref_id", "=", refId)
    .orderBy("created_at")
    .execute();

/** Returns the text of the first email about a booking by this template, with single spaces. Undefined if there is none. */
export const emailText = async (
  app: TestApp,
  refId: string,
  template: string,
  recipient?: string,
): Promise<string | undefined> =>
  (await emailsFor(app, refId))
    .find((email) => email.template === template && (recipient === undefined || email.recipient === recipient))
    ?.text.replaceAll(/\s+/g, " ");

/** Returns the messages to a mailbox in their order. Their texts have single spaces. */
export const messagesTo = async (app: TestApp, recipient: string) =>
  (
    await app.database.db
      .selectFrom("messages")
      .select(["template", "subject", "text"])
      .where("recipient", "=", recipient)
      .orderBy("created_at")
      .execute()
  ).map(({ template, subject, text }) => ({ template, subject: subject ?? "", text: text.replaceAll(/\s+/g, " ") }));

export const refunds = (app: TestApp, bookingId: string) =>
  app.database.db
    .selectFrom("refunds")
    .innerJoin("payments", "payments.id", "refunds.payment_id")
    .select(["refunds.amount", "refunds.status", "refunds.reason", "payments.kind"])
    .where("payments.booking_id", "=", bookingId)
    .execute();

/** Makes a booking of an artist and a promoter who have accounts. */
export const sceneOf =
  (app: () => TestApp) =>
  async (status: BookingStatus, given: object = {}) => {
    const { artist, person, held } = peopleOf(app);
    const player = await person("artist");
    const promoter = await person("promoter");
    const act = await artist({ userId: player.user.id });
    const { booking, visitor } = await held({
      artist: act,
      status,
      fee: 150_000,
      promoterUserId: promoter.user.id,
      ...given,
    });
    return { act, booking, player, promoter, visitor: booking.promoter_user_id === null ? visitor : promoter.at };
  };
