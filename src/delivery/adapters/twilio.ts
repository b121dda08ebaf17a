import { z } from "zod";
import { type DeliveryAdapter, Undeliverable } from "./adapter.ts";

/** Account and sender of TWILIO_…; `apiUrl` is where the API lives. */
export type TwilioAccount = { accountSid: string; authToken: string; from: string; apiUrl: string };

const answerShape = z.object({
  sid: z.string().optional(),
  message: z.string().optional(),
  code: z.number().optional(),
});

/** Sends SMS through Twilio's Messages resource: a form post with basic authentication. */
export function twilioAdapter(account: TwilioAccount): DeliveryAdapter {
  const address = `${account.apiUrl.replace(/\/+$/, "")}/2010-04-01/Accounts/${encodeURIComponent(account.accountSid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${account.accountSid}:${account.authToken}`).toString("base64")}`;
  const sender = account.from.startsWith("MG") ? "MessagingServiceSid" : "From";
  return {
    name: "twilio",
    send: async (message) => {
      const response = await fetch(address, {
        method: "POST",
        headers: { authorization, accept: "application/json" },
        body: new URLSearchParams({ To: message.to, [sender]: account.from, Body: message.text }),
        signal: AbortSignal.timeout(20_000),
      });
      const answer = answerShape.safeParse(await response.json().catch(() => ({}))).data ?? {};
      if (response.ok) return answer.sid ?? null;
      const reason = `Twilio answered ${response.status}${answer.code ? ` (${answer.code})` : ""}: ${answer.message ?? "no reason given"}`;
      throw response.status === 400 || response.status === 404 ? new Undeliverable(reason) : new Error(reason);
    },
    close: () => undefined,
  };
}
