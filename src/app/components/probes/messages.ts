import { DeliveryRefused, testDelivery, sendTestEmail } from "#delivery/index.ts";
import type { Component } from "../component.ts";
import { ComponentFailure } from "../rules.ts";

const hostOf = (address: string) => new URL(address).host;

export const email: Component = {
  inUse: ({ config: { smtpUrl, demo } }) => {
    if (smtpUrl) return { product: `SMTP, ${hostOf(smtpUrl)}`, mode: "external" };
    return demo ? { product: "Outbox of the demo", mode: "embedded" } : undefined;
  },
  slowMs: 3_000,
  check: () =>
    "Check the host and the port in SMTP_URL (smtps:// usually has 465, smtp:// 587 or 25), that the relay is running with a valid certificate, and that it accepts the sender (MAIL_FROM, or Settings, Notifications).",
  address: ({ config: { smtpUrl } }) => (smtpUrl ? hostOf(smtpUrl) : "the outbox"),
  test: async (services, { sendTo }) => {
    try {
      if (sendTo) return await sendTestEmail(services, sendTo);
      return await testDelivery(services.config, "email");
    } catch (error) {
      if (!(error instanceof DeliveryRefused)) throw error;
      throw new ComponentFailure(error.message, "Check the name and the password in SMTP_URL.", error.response);
    }
  },
};

export const sms: Component = {
  inUse: ({ config: { twilio, demo } }) => {
    if (twilio) return { product: `Twilio, from ${twilio.from}`, mode: "external" };
    return demo ? { product: "Outbox of the demo", mode: "embedded" } : undefined;
  },
  slowMs: 3_000,
  check: () => "Check the status page of Twilio.",
  address: ({ config: { twilio } }) => (twilio ? hostOf(twilio.apiUrl) : "the outbox"),
  test: async ({ config }) => {
    try {
      return await testDelivery(config, "sms");
    } catch (error) {
      if (!(error instanceof DeliveryRefused)) throw error;
      throw new ComponentFailure(error.message, "Check TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN.", error.response);
    }
  },
};
