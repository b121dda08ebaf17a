/** Who is notified of which topic by which command that changes another user's page. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { recordActivity } from "#activity/index.ts";
import { bookingsJobs } from "#bookings/index.ts";
import { addDays } from "#platform/time/calendar.rules.ts";
import { type ChangeNotification, listenToChanges, broadcastChange } from "#realtime/index.ts";
import { changeArtistSettings } from "#settings/index.ts";
import { browser, dayAhead, form, press } from "#test/harness/bookings.ts";
import { testPassword, type TestApp, testApp } from "#test/test-app.ts";
import { makeAdmin } from "#users/index.ts";

let app: TestApp;
let stopListening: () => Promise<void>;
const notifications: ChangeNotification[] = [];

beforeAll(async () => {
  app = await testApp();
  stopListening = await listenToChanges(app.services, {
    onChange: (notification) => notifications.push(notification),
    onResync: () => undefined,
  });
});
beforeEach(() => void notifications.splice(0));
afterAll(async () => {
  await stopListening();
  await app.close();
});

async function person(role: "admin" | "artist" | "promoter", given: { name?: string } = {}) {
  const user = await app.make.user({ role, ...given });
  const headers = await app.signIn(user);
  const call = async (method: string, address: string, body?: object) => {
    const response = await app.request(address, { method, headers, ...(body ? { body } : {}) });
    const text = await response.text();
    expect(response.status, text).toBeLessThan(300);
    return (text ? JSON.parse(text) : {}) as Record<string, unknown> & { id: string };
  };
  return { ...user, headers, call };
}

/** Waits for the last notification. Notifications arrive in the order of their commits. */
async function waitForNotifications(): Promise<void> {
  const last = crypto.randomUUID();
  await app.database.transaction((tx) => broadcastChange(tx, "money", { userIds: [last] }));
  const isLast = (hint: ChangeNotification) => hint.to.userIds.includes(last);
  await expect.poll(() => notifications.some(isLast)).toBe(true);
  notifications.splice(notifications.findIndex(isLast), 1);
}

/** Returns the account ids and "admins" notified of each topic by a command, each once. */
async function notifiedBy(
  command: () => Promise<unknown>,
): Promise<Partial<Record<ChangeNotification["about"], string[]>>> {
  await command();
  await waitForNotifications();
  const notified: Partial<Record<ChangeNotification["about"], string[]>> = {};
  // Every action is written to the log, which has its own test.
  for (const { about, to } of notifications.splice(0).filter((one) => one.about !== "log")) {
    const listeners = [...(notified[about] ?? []), ...to.userIds, ...(to.admins ? ["admins"] : [])];
    notified[about] = [...new Set(listeners)].sort();
  }
  return notified;
}

const all = (...who: string[]) => [...who, "admins"].sort();

describe("bookings", () => {
  async function gig() {
    const owner = await person("artist");
    const promoter = await person("promoter");
    const artist = await app.make.artist({ userId: owner.id });
    const shop = browser(app, promoter.headers);
    return { owner, promoter, artist, shop, both: all(owner.id, promoter.id) };
  }

  test("notifies the artist, the promoter and the admins of a request, its hold and its payment", async () => {
    const { artist, shop, both } = await gig();
    let booking = { id: "" };
    const requested = await notifiedBy(async () => {
      booking = (await shop.requestBooking({ artistId: artist.slug })).body;
    });
    expect(requested).toEqual({ bookings: both });
    let url: unknown;
    const held = await notifiedBy(async () => {
      url = (await shop.checkout(booking)).body["checkout_url"];
    });
    expect(held).toEqual({ bookings: both });
    expect(await notifiedBy(() => press(app, url, "pay"))).toEqual({ bookings: both, money: ["admins"] });
  });

  test("notifies the parties and the admins when an artist releases a hold", async () => {
    const { owner, artist, shop, both } = await gig();
    const { body: booking } = await shop.requestBooking({ artistId: artist.slug });
    await shop.checkout(booking);
    await notifiedBy(() => app.settle());
    const released = await notifiedBy(async () => {
      await owner.call("POST", `/api/artist/bookings/${booking.id}/release-hold`, {});
      await app.settle();
    });
    expect(released).toEqual({ bookings: both });
  });

  test("notifies the parties and the admins when the artist answers a request without a deposit", async () => {
    const { owner, artist, shop, both } = await gig();
    await app.database.transaction((tx) => changeArtistSettings(tx, artist.id, { requireDeposit: false }, owner.id));
    const { body: booking } = await shop.requestBooking({ artistId: artist.slug });
    await notifiedBy(() => app.settle());
    const accepted = await notifiedBy(() => owner.call("POST", `/api/artist/bookings/${booking.id}/accept`, {}));
    expect(accepted).toEqual({ bookings: both });
    const { body: other } = await shop.requestBooking({ artistId: artist.slug, eventDate: dayAhead(app, 90) });
    await notifiedBy(() => app.settle());
    const declined = await notifiedBy(() => owner.call("POST", `/api/artist/bookings/${other.id}/decline`, {}));
    expect(declined).toEqual({ bookings: both });
  });

  test("notifies the parties and the admins of a balance reminder and of an extension", async () => {
    const { owner, promoter, artist, both } = await gig();
    const booking = await app.make.booking({
      artistId: artist.id,
      promoterUserId: promoter.id,
      status: "contract_signed",
      now: app.clock.now(),
    });
    await notifiedBy(() => app.settle());
    const job = bookingsJobs.find(({ name }) => name === "send-balance-reminders");
    expect(await notifiedBy(async () => job?.run(app.services))).toEqual({ bookings: both });
    await app.database.db
      .updateTable("balance_schedules")
      .set({ last_step: "decision", next_step: null, next_at: null })
      .where("booking_id", "=", booking.id)
      .execute();
    const day = addDays(booking.event_date, -3);
    const extended = await notifiedBy(() =>
      owner.call("POST", `/api/artist/bookings/${booking.id}/extend-balance`, { due_day: day }),
    );
    expect(extended).toEqual({ bookings: both });
  });

  test("notifies the user and the admins of requests that a verified mailbox adds", async () => {
    const artist = await app.make.artist();
    const email = "late@whitt.example";
    await app.request("/api/bookings", { body: form(app, { artistId: artist.slug, clientEmail: email }) });
    const user = await app.make.user({ email, confirmed: false });
    await app.request("/auth/v1/resend", { body: { type: "signup", email } });
    const { text } = await app.database.db
      .selectFrom("messages")
      .select("text")
      .where("recipient", "=", email)
      .where("text", "like", "%token_hash=%")
      .executeTakeFirstOrThrow();
    const token_hash = /token_hash=([\w-]+)/.exec(text)?.[1];
    await notifiedBy(() => app.settle());
    const attached = await notifiedBy(async () => {
      expect((await app.request("/auth/v1/verify", { body: { type: "signup", token_hash } })).status).toBe(200);
      await app.settle();
    });
    expect(attached).toEqual({ access: [user.id], users: ["admins"], bookings: all(user.id) });
  });
});

test("notifies both sides and the admins of a review, its report and an admin's decision", async () => {
  const owner = await person("artist");
  const promoter = await person("promoter");
  const admin = await person("admin");
  const artist = await app.make.artist({ userId: owner.id });
  const given = { artistId: artist.id, status: "completed", promoterUserId: promoter.id } as const;
  const booking = await app.make.booking(given);
  await app.database.db
    .updateTable("bookings")
    .set({ completed_at: app.clock.now() })
    .where("id", "=", booking.id)
    .execute();
  await notifiedBy(() => app.settle());
  const everybody = { reviews: all(owner.id, promoter.id) };
  const text = { rating: 5, body: "They came early and stayed late." };
  const reviews = `/api/bookings/${booking.id}/reviews`;
  expect(await notifiedBy(() => promoter.call("POST", reviews, text))).toEqual(everybody);
  let id = "";
  const published = await notifiedBy(async () => {
    const { items } = await owner.call("POST", reviews, text);
    id = (items as { id: string }[])[0]?.id ?? "";
  });
  expect(published).toEqual(everybody);
  const reason = { reason: "It names a home address." };
  const commands = [
    () => owner.call("POST", `/api/artist/reviews/${id}/reply`, { body: "Thank you." }),
    () => owner.call("POST", `/api/reviews/${id}/report`, reason),
    () => admin.call("POST", `/api/admin/reviews/${id}/keep`, {}),
    () => admin.call("POST", `/api/admin/reviews/${id}/hide`, reason),
    () => admin.call("POST", `/api/admin/reviews/${id}/unhide`, {}),
  ];
  for (const command of commands) expect(await notifiedBy(command)).toEqual(everybody);
});

test("notifies the artist and the admins of a changed profile", async () => {
  const owner = await person("artist");
  const profile = { name: "Signal Fires", genre: "folk", bio: "", base_rate: 0, photo_url: null, video_url: null };
  expect(await notifiedBy(() => owner.call("PUT", "/api/artist/profile", profile))).toEqual({ artists: all(owner.id) });
  const { version } = await owner.call("GET", "/api/artist/media");
  const media = { photo_url: null, video_url: null, video_poster: null, items: [], version };
  expect(await notifiedBy(() => owner.call("PUT", "/api/artist/media", media))).toEqual({ artists: all(owner.id) });
});

describe("people", () => {
  test("notifies the user and the admins of a sign-up, a name, a role, a suspension and its end", async () => {
    const admin = await person("admin");
    const user = await person("promoter");
    const at = `/api/admin/users/${user.id}`;
    const known = { access: [user.id], users: ["admins"] };
    const signedUp = await notifiedBy(() =>
      app.request("/auth/v1/signup", {
        body: { email: "new@people.test", password: testPassword, data: { name: "New" } },
      }),
    );
    expect(signedUp.users).toEqual(["admins"]);
    expect(await notifiedBy(() => user.call("PUT", "/auth/v1/user", { data: { name: "Robin Vale-Marsh" } }))).toEqual(
      known,
    );
    expect(await notifiedBy(() => admin.call("POST", `${at}/role`, { role: "artist" }))).toEqual(known);
    expect(await notifiedBy(() => admin.call("POST", `${at}/role`, { role: "artist" }))).toEqual({});
    expect(await notifiedBy(() => admin.call("POST", `${at}/suspend`, { reason: "A test." }))).toEqual(known);
    expect(await notifiedBy(() => admin.call("POST", `${at}/restore`, {}))).toEqual(known);
  });

  test("notifies the user and the admins when the operator's token makes the first admin", async () => {
    const user = await person("promoter");
    const made = await notifiedBy(() => app.database.transaction((tx) => makeAdmin(tx, user.email, app.clock.now())));
    expect(made).toEqual({ access: [user.id], users: ["admins"] });
  });

  test("notifies no user of a read or a rejected change", async () => {
    const admin = await person("admin");
    const read = await notifiedBy(async () => {
      await admin.call("GET", "/api/admin/users");
      await app.request(`/api/admin/users/${admin.id}/suspend`, {
        headers: admin.headers,
        body: { reason: "Myself." },
      });
    });
    expect(read).toEqual({});
  });
});

describe("claims", () => {
  test("notifies the claimers and the admins, and the new owner of their bookings", async () => {
    const name = `Nova ${crypto.randomUUID().slice(0, 8)}`;
    const artist = await app.make.artist({ name });
    const [one, other] = [await person("artist", { name }), await person("artist", { name })];
    const admin = await person("admin");
    const claimInput = { artistId: artist.id, evidence: "We play at the Waterworks every May; see our own site." };
    let claim = { id: "" };
    const requested = await notifiedBy(async () => {
      claim = await one.call("POST", "/api/me/claims", claimInput);
    });
    expect(requested).toEqual({ claims: all(one.id) });
    await notifiedBy(() => other.call("POST", "/api/me/claims", claimInput));
    const granted = await notifiedBy(async () => {
      await admin.call("POST", `/api/admin/claims/${claim.id}`, { granted: true });
      await app.settle();
    });
    expect(granted).toEqual({ claims: all(one.id, other.id), bookings: all(one.id) });
  });
});

test("notifies the admins of an entry of the log", async () => {
  await app.database.transaction((tx) => recordActivity(tx, { type: "system", message: "A test wrote this" }));
  await waitForNotifications();
  expect(notifications).toEqual([{ about: "log", to: { userIds: [], admins: true } }]);
});

test("sends one notification when one commit broadcasts the same twice", async () => {
  const { id } = await app.make.user();
  await app.database.transaction(async (tx) => {
    await broadcastChange(tx, "bookings", { userIds: [id, null, id], admins: true });
    await broadcastChange(tx, "bookings", { userIds: [null, id], admins: true });
    await broadcastChange(tx, "bookings", { userIds: [null] });
  });
  await waitForNotifications();
  expect(notifications).toEqual([{ about: "bookings", to: { userIds: [id], admins: true } }]);
});
