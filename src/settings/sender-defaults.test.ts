import { describe, expect, test } from "vitest";
import { readConfig } from "#platform/config.ts";
import { testApp } from "#test/test-app.ts";
import { platformSettings, recordSenderDefaults, savePlatformSettings } from "./index.ts";
import { senderDefaultsOf } from "./sender-defaults.ts";

const help = (domain: string) => ({ replyToEmail: `help@${domain}`, supportEmail: `help@${domain}` });
const production = (env: Record<string, string>) => readConfig({ DEMO: "0", ...env });

describe("senderDefaultsOf", () => {
  test.each([
    [{ PUBLIC_URL: "https://gigs.berlin-live.de" }, "bookings@gigs.berlin-live.de", "gigs.berlin-live.de"],
    [{ PUBLIC_URL: "https://www.venue.com:8443" }, "bookings@venue.com", "venue.com"],
    [{ PUBLIC_URL: "https://gigs.venue.com", MAIL_FROM: "office@venue.com" }, "office@venue.com", "venue.com"],
    [{ PUBLIC_URL: "https://203.0.113.7" }, "bookings@stagedoor.example", "stagedoor.example"],
  ])("returns the addresses of %o", (env, fromEmail, domain) => {
    expect(senderDefaultsOf(production(env))).toEqual({ fromEmail, ...help(domain) });
  });

  test("returns null in demo mode and on localhost without MAIL_FROM", () => {
    expect(senderDefaultsOf(readConfig({ DEMO: "1" }))).toBeNull();
    expect(senderDefaultsOf(production({}))).toBeNull();
    expect(senderDefaultsOf(production({ MAIL_FROM: "a@venue.com" }))).toEqual({
      fromEmail: "a@venue.com",
      ...help("venue.com"),
    });
  });
});

test("the default of an installation applies to the addresses that no admin has saved", async () => {
  await using app = await testApp();
  const start = (env: Record<string, string>) => recordSenderDefaults({ ...app.services, config: production(env) });
  const sender = async () => {
    const { fromEmail, replyToEmail, supportEmail } = await platformSettings(app.database.db);
    return { fromEmail, replyToEmail, supportEmail };
  };
  await start({});
  expect(await sender()).toEqual({ fromEmail: "bookings@stagedoor.example", ...help("stagedoor.example") });
  await start({ PUBLIC_URL: "https://venue.com" });
  expect(await sender()).toEqual({ fromEmail: "bookings@venue.com", ...help("venue.com") });
  await app.database.transaction((tx) =>
    savePlatformSettings(tx, { values: { replyToEmail: "office@venue.com" }, version: 0, by: null }),
  );
  await start({ PUBLIC_URL: "https://gigs.org" });
  expect(await sender()).toEqual({
    fromEmail: "bookings@gigs.org",
    replyToEmail: "office@venue.com",
    supportEmail: "help@gigs.org",
  });
  await start({});
  expect((await sender()).fromEmail).toBe("bookings@stagedoor.example");
});
