import { createServer } from "node:http";
import { expect, test } from "vitest";
import { deliveries } from "#test/harness/delivery/deliveries.ts";
import { twilioDouble } from "#test/harness/delivery/twilio-double.ts";
import { twilioAdapter } from "./twilio.ts";

const { closeAfter, testDelivery } = deliveries();

test("sends an SMS to Twilio's Messages resource as a form with basic authentication", async () => {
  const { posted, env, close } = await twilioDouble(() => ({ status: 201, body: { sid: "SM1", status: "queued" } }));
  closeAfter(close);
  const { code, deliver, rows } = await testDelivery(env);
  await code("sms", "+15125550199");
  expect(await deliver()).toEqual({ sent: 1, failed: 0 });
  expect(posted).toEqual([
    {
      path: "/2010-04-01/Accounts/AC123/Messages.json",
      authorization: `Basic ${Buffer.from("AC123:token").toString("base64")}`,
      form: { To: "+15125550199", From: "+15005550006", Body: expect.stringContaining("482913") as string },
    },
  ]);
  expect((await rows())[0]).toMatchObject({ status: "sent", adapter: "twilio", provider_ref: "SM1" });
});

test("does not retry a number that Twilio rejects, but retries a busy Twilio and a rejected sender", async () => {
  let [status, number] = [400, 21211];
  const { posted, env, close } = await twilioDouble(() => ({ status, body: { code: number, message: "not valid" } }));
  closeAfter(close);
  const { code, deliver, rows } = await testDelivery(env);
  await code("sms", "+15125550100");
  await deliver();
  [status, number] = [429, 20429];
  await code("sms", "+15125550101");
  await deliver();
  [status, number] = [400, 21606];
  await code("sms", "+15125550102");
  await deliver();
  expect((await rows()).map((row) => row.status)).toEqual(["failed", "waiting", "waiting"]);
  expect((await rows())[0]?.last_error).toContain("21211");
  expect(posted).toHaveLength(3);
});

test("limits notices of changed accounts per number, then by SMS_CODES_PER_DAY, but never a number's first 3", async () => {
  const { posted, env, close } = await twilioDouble(() => ({ status: 201, body: { sid: "SM1" } }));
  closeAfter(close);
  const { code, notice, deliver, rows } = await testDelivery({ ...env, SMS_CODES_PER_DAY: "8" });
  const [first, second, third] = ["+15125550131", "+15125550132", "+15125550133"];
  for (let sent = 0; sent < 11; sent++) await notice(first);
  await deliver();
  for (let sent = 0; sent < 5; sent++) await notice(second);
  await notice(third);
  await code("sms", first);
  await deliver();
  const sentTo = (number: string) => posted.filter(({ form }) => form["To"] === number).length;
  expect([sentTo(first), sentTo(second), sentTo(third)]).toEqual([11, 4, 1]);
  const failed = (await rows()).filter(({ status }) => status === "failed");
  expect(failed.map((one) => [one.recipient, one.last_error])).toEqual(
    [first, second].map((number) => [number, "The daily limit of SMS notices is reached."]),
  );
});

test("follows no redirect", async () => {
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/2010")) return response.writeHead(307, { location: "/elsewhere" }).end();
    return response.writeHead(200).end("{}");
  });
  const asked: (string | undefined)[] = [];
  server.on("request", ({ url }) => void asked.push(url));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closeAfter(async () => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const adapter = twilioAdapter({ accountSid: "AC1", authToken: "t", from: "+1", apiUrl: `http://127.0.0.1:${port}` });
  await expect(adapter.test()).rejects.toThrow("fetch failed");
  expect(asked).toEqual(["/2010-04-01/Accounts/AC1.json"]);
});
