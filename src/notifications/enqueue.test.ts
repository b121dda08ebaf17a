import { expect, test } from "vitest";
import { savePlatformSettings } from "#settings/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testPlatform } from "#test/platform.ts";
import { enqueueMessage, type TemplateName, type NewMessage } from "./index.ts";

const platform = closeAfterFile(await testPlatform());

const enqueue = <T extends TemplateName>(message: NewMessage<T>) =>
  platform.database.transaction((tx) => enqueueMessage(tx, message));
const found = (id: string | undefined) =>
  platform.database.db
    .selectFrom("messages")
    .selectAll()
    .where("id", "=", id ?? "")
    .executeTakeFirstOrThrow();
const code = { template: "one_time_code", params: { code: "482913", minutes: 10 } } as const;

test("stores an email as waiting with its subject, text and HTML", async () => {
  const message = await found(await enqueue({ ...code, channel: "email", to: "ada@example.test" }));
  expect(message).toMatchObject({
    status: "waiting",
    recipient: "ada@example.test",
    template: "one_time_code",
    subject: "Your sign-in code",
    attempts: 0,
  });
  expect(message.text).toContain("482913");
  expect(message.html).toContain("482913");
});

test("stores an SMS with its own text and without HTML", async () => {
  const message = await found(await enqueue({ ...code, channel: "sms", to: "+15125550199" }));
  expect(message).toMatchObject({ channel: "sms", subject: "", html: null });
  expect(message.text).toMatch(/^482913 is your Stagedoor code/);
});

test("throws for an SMS of a template without SMS text", async () => {
  const message = enqueue({
    template: "sign_up_known",
    channel: "sms",
    to: "+15125550199",
    params: { link: "https://example.test/auth" },
  });
  await expect(message).rejects.toThrow("no SMS wording");
});

test("sends a message once per key, recipient and channel", async () => {
  const key = { ...code, dedupeKey: "code 1" };
  expect(await enqueue({ ...key, channel: "email", to: "twice@example.test" })).toBeTypeOf("string");
  expect(await enqueue({ ...key, channel: "email", to: "TWICE@example.test" })).toBeUndefined();
  expect(await enqueue({ ...key, channel: "email", to: "other@example.test" })).toBeTypeOf("string");
  expect(await enqueue({ ...key, channel: "sms", to: "+15125550100" })).toBeTypeOf("string");
});

test("sends nothing to the address of a deleted account", async () => {
  for (const to of ["deleted@deleted.invalid", "0f0e@Deleted.invalid"])
    expect(await enqueue({ ...code, channel: "email", to })).toBeUndefined();
});

test.each(["ada@example.test\r\nBcc: b@example.test", "nobody", "a@example.test,b@example.test", ""])(
  "throws for the address %j and stores nothing",
  async (to) => {
    const count = () =>
      platform.database.db
        .selectFrom("messages")
        .select((at) => at.fn.countAll<number>().as("n"))
        .executeTakeFirstOrThrow();
    const before = await count();
    await expect(enqueue({ ...code, channel: "email", to })).rejects.toThrow("invalid");
    await expect(enqueue({ ...code, channel: "email", to: "ada@example.test", replyTo: to })).rejects.toThrow(
      "invalid",
    );
    await expect(enqueue({ ...code, channel: "sms", to })).rejects.toThrow("invalid");
    expect(await count()).toEqual(before);
  },
);

test("sends no message if its transaction is rolled back", async () => {
  const failing = platform.database.transaction(async (tx) => {
    await enqueueMessage(tx, { ...code, channel: "email", to: "rolled@example.test" });
    throw new Error("rolled back");
  });
  await expect(failing).rejects.toThrow("rolled back");
  const rows = await platform.database.db
    .selectFrom("messages")
    .select("id")
    .where("recipient", "=", "rolled@example.test")
    .execute();
  expect(rows).toEqual([]);
});

test("uses footer, support address and brand color of the platform's settings", async () => {
  const values = { emailFooter: "The Lamp Room, Dublin", supportEmail: "hello@lamp.example", primaryColor: "#00c853" };
  await platform.database.transaction((tx) => savePlatformSettings(tx, { values, version: 0, by: null }));
  const message = {
    template: "sign_up_known",
    channel: "email",
    to: "ada@example.test",
    params: { link: "https://example.test/auth" },
  } as const;
  const stored = await found(await enqueue(message));
  for (const part of [stored.text, stored.html]) {
    expect(part).toContain("The Lamp Room, Dublin");
    expect(part).toContain("hello@lamp.example");
  }
  expect(stored.html).toContain("background:#03ae4e");
});
