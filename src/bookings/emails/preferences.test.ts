import { describe, expect, test } from "vitest";
import { saveArtistSettings, savePlatformSettings, savePromoterSettings } from "#settings/index.ts";
import type { ArtistSettings, PromoterSettings } from "#settings/rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, follow, press } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";
import { cancel } from "../lifecycle/transitions.ts";
import { findBooking } from "../store.ts";
import { emailContextOf } from "./email-context.ts";
import { notifyParty } from "./notify-party.ts";

const app = closeAfterFile(await testApp());

let people = 0;

async function person(role: "artist" | "promoter", confirmed = true) {
  people += 1;
  const phone = `+1512555${String(1000 + people)}`;
  const user = await app.make.user({ role, phone });
  await app.database.db
    .updateTable("users")
    .set({ phone_confirmed_at: confirmed ? app.clock.now() : null })
    .where("id", "=", user.id)
    .execute();
  return { ...user, phone };
}

const everySwitchOn = {
  artist: { smsBookingRequests: true } satisfies Partial<ArtistSettings>,
  promoter: { smsUrgentUpdates: true } satisfies Partial<PromoterSettings>,
};

type Chosen = { artist?: Partial<ArtistSettings>; promoter?: Partial<PromoterSettings>; confirmed?: boolean };

/** Runs two requests: one is declined, paid and canceled, one is released. Returns "side channel template" of every message. */
async function messagesUnder(chosen: Chosen = {}): Promise<string[]> {
  const owner = await person("artist", chosen.confirmed);
  const promoter = await person("promoter", chosen.confirmed);
  const artist = await app.make.artist({ userId: owner.id, location: "Austin, Texas" });
  await app.database.transaction(async (tx) => {
    const by = null;
    await saveArtistSettings(tx, artist.id, { values: { ...everySwitchOn.artist, ...chosen.artist }, version: 0, by });
    const values = { ...everySwitchOn.promoter, ...chosen.promoter };
    await savePromoterSettings(tx, promoter.id, { values, version: 0, by });
  });
  const shop = browser(app, await app.signIn(promoter));
  const requestBooking = async (eventTime: string) => {
    const { body, status } = await shop.requestBooking({
      artistId: artist.slug,
      clientEmail: promoter.email,
      eventTime,
    });
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  };
  const first = await requestBooking("10:00");
  const { body: checkout } = await shop.checkout(first);
  await press(app, checkout["checkout_url"], "decline");
  await press(app, checkout["checkout_url"], "pay");
  const second = await requestBooking("20:00");
  await shop.checkout(second);
  await shop.json(`/api/bookings/${second.id}/release-own-hold`, {});
  await follow(app);
  await app.database.transaction(async (tx) => {
    const booking = await findBooking(tx, first.id);
    if (!booking) throw new Error("the booking is gone");
    await cancel(tx, booking, { by: "promoter", code: "other", now: app.clock.now() });
    const context = await emailContextOf(tx, app.services, first.id);
    for (const side of ["artist", "promoter"] as const) {
      const details = {
        number: "SD-7KQ4MN",
        artistName: "A",
        promoterName: "P",
        eventDate: "2027-02-13",
        venueName: "V",
        link: "http://x.test/",
      };
      await notifyParty(tx, context, side, {
        template: "contract_signed",
        key: "signed",
        params: () => ({ ...details, side }),
      });
    }
  });
  await follow(app);
  const rows = await app.database.db
    .selectFrom("messages")
    .select(["channel", "template", "recipient"])
    .where("recipient", "in", [owner.email, owner.phone, promoter.email, promoter.phone])
    .execute();
  return rows
    .map(({ channel, template, recipient }) => {
      const side = [owner.email, owner.phone].includes(recipient) ? "artist" : "promoter";
      return `${side} ${channel} ${template}`;
    })
    .sort();
}

let everything: string[];

describe("with every setting on", () => {
  test("sends each side its messages by email and by SMS", async () => {
    everything = await messagesUnder();
    expect([...new Set(everything)]).toEqual([
      "artist email booking_canceled",
      "artist email booking_confirmation",
      "artist email contract_signed",
      "artist email deposit_received",
      "artist email new_request",
      "artist sms booking_canceled",
      "artist sms booking_confirmation",
      "artist sms deposit_received",
      "artist sms new_request",
      "promoter email booking_canceled",
      "promoter email booking_confirmation",
      "promoter email checkout_declined",
      "promoter email contract_signed",
      "promoter email deposit_received",
      "promoter email hold_ended",
      "promoter email request_received",
      "promoter sms booking_canceled",
      "promoter sms checkout_declined",
      "promoter sms hold_ended",
    ]);
  });
});

const switches = [
  ["artist", "emailBookingRequests", "email", ["booking_confirmation", "new_request"]],
  ["artist", "emailContractUpdates", "email", ["contract_signed"]],
  ["artist", "emailPaymentNotifications", "email", ["deposit_received"]],
  ["artist", "smsBookingRequests", "sms", ["booking_canceled", "booking_confirmation", "new_request"]],
  ["artist", "smsPaymentNotifications", "sms", ["deposit_received"]],
  ["promoter", "emailBookingConfirmations", "email", ["booking_confirmation", "request_received"]],
  ["promoter", "emailContractUpdates", "email", ["contract_signed"]],
  ["promoter", "emailPaymentNotifications", "email", ["checkout_declined", "deposit_received", "hold_ended"]],
  ["promoter", "smsUrgentUpdates", "sms", ["booking_canceled"]],
  ["promoter", "smsPaymentReminders", "sms", ["checkout_declined", "hold_ended"]],
] as const;

describe("a setting that is off", () => {
  test.each(switches)("of the %s, %s, stops only its %s messages", async (side, name, channel, templates) => {
    const stopped = new Set<string>(templates.map((template) => `${side} ${channel} ${template}`));
    expect(await messagesUnder({ [side]: { [name]: false } })).toEqual(everything.filter((one) => !stopped.has(one)));
  });
});

test("an unconfirmed phone number gets no SMS", async () => {
  expect(await messagesUnder({ confirmed: false })).toEqual(everything.filter((one) => !one.includes(" sms ")));
});

test("a platform without an SMS provider sends no SMS", async () => {
  const save = (smsProvider: "none" | "twilio", version: number) =>
    app.database.transaction((tx) => savePlatformSettings(tx, { values: { smsProvider }, version, by: null }));
  const { version } = await save("none", 0);
  expect(await messagesUnder()).toEqual(everything.filter((one) => !one.includes(" sms ")));
  await save("twilio", version);
});
