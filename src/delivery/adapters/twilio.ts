import { z } from "zod";
import { limitedFetch } from "#platform/http/outgoing/limited-fetch.ts";
import { type DeliveryAdapter, DeliveryRefused, Undeliverable } from "./adapter.ts";

export type TwilioAccount = { accountSid: string; authToken: string; from: string; apiUrl: string };

const responseShape = z.object({
  sid: z.string().optional(),
  /** The status of an account: active, suspended or closed. A message has a number here. */
  status: z.union([z.string(), z.number()]).optional(),
  message: z.string().optional(),
  code: z.number().optional(),
});

/** Error codes about the number: invalid, out of reach, unsubscribed or not a mobile. All others are retried. */
const numberErrors: readonly (number | undefined)[] = [21211, 21214, 21217, 21610, 21612, 21614];

const testMs = 4_000;
const fetchJson = limitedFetch(256 * 1024);

export function twilioAdapter(account: TwilioAccount): DeliveryAdapter {
  const own = `${account.apiUrl.replace(/\/+$/, "")}/2010-04-01/Accounts/${encodeURIComponent(account.accountSid)}`;
  const address = `${own}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${account.accountSid}:${account.authToken}`).toString("base64")}`;
  const sender = account.from.startsWith("MG") ? "MessagingServiceSid" : "From";
  return {
    name: "twilio",
    send: async (message) => {
      const response = await fetchJson(address, {
        method: "POST",
        redirect: "error",
        headers: { authorization, accept: "application/json" },
        body: new URLSearchParams({ To: message.to, [sender]: account.from, Body: message.text }),
        signal: AbortSignal.timeout(20_000),
      });
      const body = responseShape.safeParse(await response.json().catch(() => ({}))).data ?? {};
      if (response.ok) return body.sid ?? null;
      const reason = `Twilio answered ${response.status}${body.code ? ` (${body.code})` : ""}: ${body.message ?? "no reason given"}`;
      throw numberErrors.includes(body.code) && response.status === 400 ? new Undeliverable(reason) : new Error(reason);
    },
    test: async () => {
      const response = await fetchJson(`${own}.json`, {
        redirect: "error",
        headers: { authorization, accept: "application/json" },
        signal: AbortSignal.timeout(testMs),
      });
      const body = responseShape.safeParse(await response.json().catch(() => ({}))).data ?? {};
      const detail = `${response.status} ${body.message ?? body.status ?? ""}`.trim();
      if (response.status === 401 || response.status === 403)
        throw new DeliveryRefused("Twilio does not accept the account and its token.", detail);
      if (!response.ok) throw new DeliveryRefused("Twilio answers with an error.", detail);
      if (body.status !== undefined && body.status !== "active")
        throw new DeliveryRefused("The account at Twilio is not active.", detail);
      return "The account at Twilio answers and is active.";
    },
    close: () => undefined,
  };
}
