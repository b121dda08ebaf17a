import { expect, it } from "vitest";
import { plainName } from "#platform/security/plain-name.rules.ts";
import { type AccountsApp, setUpAccounts, testPassword } from "#test/harness/accounts.ts";

const actNames = ["Electric Kestrel", "Café Über", "Jack & Sister Oak", "The Midnight Lanterns"];
const mailboxes = ["kim.sparrow@example.test", "booking@lakeside-hall.test"];
const generated = 200;
const count = process.env["TEST_DEEP"] === "1" ? generated : 40;

const homoglyphs: Record<string, string> = {
  a: "\u0430",
  c: "\u0441",
  e: "\u0435",
  i: "\u0456",
  j: "\u0458",
  o: "\u03bf",
  p: "\u0440",
  s: "\u0455",
  x: "\u0445",
  k: "\u212a",
  l: "\u04cf",
  r: "\u0433",
  t: "\u03c4",
  n: "\u0578",
  m: "\uff4d",
  g: "\u0261",
  b: "\u042c",
  u: "\u057d",
  h: "\u04bb",
  C: "\u0421",
  E: "\u0395",
  J: "\u0408",
  K: "\u212a",
  O: "\u041e",
  S: "\u0405",
  "&": "\uff06",
  é: "e",
  Ü: "U",
  w: "\u051d",
  "@": "\uff20",
};
const invisible = ["\u200b", "\u200c", "\u200d", "\u2060", "\u00ad", "\u200e", "\u200f", "\u202e", "\ufe0f"];

function lookAlikes(text: string): string[] {
  const characters = Array.from(text);
  const replaced = characters.flatMap((character, at) =>
    homoglyphs[character] ? [characters.with(at, homoglyphs[character]).join("")] : [],
  );
  const hidden = invisible.flatMap((sign) =>
    [0, 3, characters.length].map((at) => characters.toSpliced(at, 0, sign).join("")),
  );
  const wide = text.replaceAll(/[!-~]/g, (character) => String.fromCodePoint(character.charCodeAt(0) + 0xfee0));
  return [...new Set([...replaced, ...hidden, wide, text.normalize("NFD"), text.normalize("NFD") + "\u0301"])].filter(
    (one) => one !== text,
  );
}

const names = actNames.flatMap((act, aim) =>
  [
    ...lookAlikes(act),
    `${act}.`,
    `The ${act}`,
    act.replaceAll(" ", "-"),
    act.replaceAll(" ", ""),
    `${act} Band`,
    ...["'", '"', "\u2019", "!", "_", "\u00b7", "\u3164", "\u2800"].map((end) => act + end),
  ]
    // Signing up removes invisible characters, which leaves the act's own name.
    .filter((name) => plainName(name) !== act)
    .map((name) => ({ name, aim })),
);
const oneOf = (mailbox: string): string[] => {
  const [local = "", domain = ""] = mailbox.split("@");
  return [
    ...Array.from(local, (_character, at) => `${local.slice(0, at)}${local.slice(at + 1)}@${domain}`),
    ...[
      ["o", "0"],
      ["l", "1"],
      ["i", "1"],
      ["m", "rn"],
      ["k", "kk"],
    ].map(([a, b]) => `${local.replace(a ?? "", b ?? "")}2@${domain}`),
    ...["+tag", "+", "x", "+a+b", "--", ".", "-", "_", "1", "'", "%00", "\u0000", "\r\n", "%40x"].map(
      (end) => `${local}${end}@${domain}`,
    ),
    `${local.replace(".", "")}@${domain}`,
    `.${local}@${domain}`,
    `${local.replace(".", "..")}@${domain}`,
    `${local}@${domain}.`,
    `${local}@www.${domain}`,
    `${local}@${domain}.evil.test`,
    `${local}@xn--${domain}`,
    `${local}@${domain}@evil.test`,
    `${local}%${domain}@evil.test`,
    `${domain}!${local}@evil.test`,

    `"${local}"@${domain}`,
    `${local}(x)@${domain}`,
    `<${mailbox}>`,
    `Kim <${mailbox}>`,
    `${mailbox} <evil@evil.test>`,
    `${mailbox},evil@evil.test`,
    `evil@evil.test;${mailbox}`,
    `mailto:${mailbox}`,
    `${mailbox}\tevil@evil.test`,
    `${mailbox}\r\nBcc: evil@evil.test`,
    `evil@evil.test\n${mailbox}`,
    `=?utf-8?q?${local}?=@${domain}`,

    `${local} @${domain}`,
    `${local}@ ${domain}`,
    `${local}@[127.0.0.1]`,
    `${local}@${domain.replace("test", "te.st")}`,
  ];
};
const addresses = [...new Set([...mailboxes.flatMap(oneOf), ...mailboxes.flatMap(lookAlikes)])].filter(
  (one) => !mailboxes.includes(one),
);

const spread = <T>(all: readonly T[]): T[] =>
  Array.from({ length: count }, (_, n) => all[Math.floor((n * all.length) / count)] as T);

const app = setUpAccounts();

const json = (path: string, token?: string, body?: object) =>
  app.json(`/api${path}`, { ...(token ? { token } : {}), ...(body ? { body } : {}) });

type Session = { access_token: string; user: { id: string } };
type Inside = { token: string; userId: string };

/** Signs up as an artist and confirms as the mailbox's owner. Returns the session, or why there is none. */
async function signUp(email: string, name: string): Promise<{ refused: unknown } | Inside> {
  const body = { email, password: testPassword, data: { name, role: "artist" } };
  const { status } = await app.send("/auth/v1/signup", { body });
  if (status !== 200) return { refused: status };
  // The stranger owns the entered mailbox, exact except for the case of ASCII characters.
  const typed = email.trim().replaceAll(/[A-Z]/g, (character) => character.toLowerCase());
  const [mail] = await app.messagesTo(typed);
  return mail && !mailboxes.includes(typed) ? confirm(typed) : { refused: "no email" };
}

/** Confirms the newest sign-up of a mailbox as its owner. */
async function confirm(email: string): Promise<Inside> {
  const { token: token_hash } = await app.lastMessage(email);
  const { body } = await app.json<Session>("/auth/v1/verify", { body: { type: "signup", token_hash } });
  return { token: body.access_token, userId: body.user.id };
}

it("generates a hundred names and two hundred addresses, all different from their models", () => {
  expect(new Set(names.map(({ name }) => name)).size).toBeGreaterThanOrEqual(100);
  expect(new Set(addresses).size).toBeGreaterThanOrEqual(generated);
  for (const one of [...names.map(({ name }) => name), ...addresses])
    expect([...actNames, ...mailboxes]).not.toContain(one);
});

async function foreignRows(token: string, artistIds: readonly string[]): Promise<string[]> {
  const foreign: string[] = [];
  const claimable = await json("/me/claimable-artists", token);
  if (claimable.status !== 200 || claimable.body.items?.length) foreign.push("claimable");
  for (const artistId of artistIds) {
    const claim = await json("/me/claims", token, { artistId, evidence: "Everybody knows that this is me." });
    if (claim.status !== 404) foreign.push(`claim ${claim.status}`);
  }
  const bookings = await json("/artist/bookings", token);
  if (bookings.status !== 200 || bookings.body.items?.length) foreign.push("bookings of the artist");
  return foreign;
}

it("finds no other user's row for look-alike names and addresses", async () => {
  const acts: Awaited<ReturnType<AccountsApp["make"]["artist"]>>[] = [];
  for (const name of actNames) acts.push(await app.make.artist({ name, userId: null }));
  for (const promoterEmail of mailboxes)
    await app.make.booking({ artist: acts[0], promoterEmail, promoterUserId: null });
  const ids = acts.map((act) => act.id);
  const foreign: Record<string, string[]> = {};

  const liar = await signUp("liar@evil.test", "Some Stranger");
  if ("refused" in liar) throw new Error("the stranger could not sign up");
  for (const { name, aim } of spread(names)) {
    const renamed = await app.send("/auth/v1/user", { method: "PUT", token: liar.token, body: { data: { name } } });
    expect(renamed.status).toBe(200);
    const found = await foreignRows(liar.token, ids.slice(aim, aim + 1));
    if (found.length) foreign[name] = found;
  }

  let inside = 0;
  const tried = spread(addresses);
  for (let at = 0; at < count; at += 8) {
    await Promise.all(
      tried.slice(at, at + 8).map(async (email) => {
        const stranger = await signUp(email, "Some Stranger");
        if ("refused" in stranger) return;
        inside += 1;
        const found = await foreignRows(stranger.token, ids);
        await app.settle();
        const { userId, token } = stranger;
        await app.db.updateTable("profiles").set({ role: "promoter" }).where("user_id", "=", userId).execute();
        const bookings = await json("/promoter/bookings", token);
        if (bookings.status !== 200 || bookings.body.items?.length) found.push("bookings of the promoter");
        if (found.length) foreign[email] = found;
      }),
    );
  }
  expect(foreign).toEqual({});
  expect(inside).toBeGreaterThan(count / 10);
  const owned = await app.db.selectFrom("artists").select("id").where("user_id", "is not", null).execute();
  const attached = await app.db.selectFrom("bookings").select("id").where("promoter_user_id", "is not", null).execute();
  expect([owned, attached]).toEqual([[], []]);
}, 600_000);

it("gives artists with such names other slugs, and does not change the existing ones", async () => {
  const real = await app.make.artist({ name: "Velvet Kestrel", userId: null });
  const made = [];
  for (const name of lookAlikes("Velvet Kestrel")) made.push(await app.make.artist({ name, userId: null }));
  expect(new Set(made.map((artist) => artist.slug)).size).toBe(made.length);
  expect(made.map((artist) => artist.slug)).not.toContain(real.slug);
  expect((await json(`/artists/${real.slug}`)).body).toMatchObject({ id: real.id, name: "Velvet Kestrel" });
});

it("offers a claim for the same name in other case and spacing, and attaches bookings to the verified mailbox", async () => {
  const artist = await app.make.artist({ name: "Silver  Kite", userId: null });
  for (const [n, name] of [
    "silver kite",
    "SILVER KITE",
    "Silver\u00a0Kite",
    "Silver\u3000 Kite",
    " Silver Kite\t",
  ].entries()) {
    const person = await signUp(`kite-${n}@people.test`, name);
    if ("refused" in person) throw new Error(`${name} could not sign up`);
    const { body } = await json("/me/claimable-artists", person.token);
    expect(body.items, name).toMatchObject([{ artistId: artist.id }]);
  }
  const [email = ""] = mailboxes;
  await app.send("/auth/v1/signup", { body: { email, password: testPassword, data: { role: "promoter" } } });
  const { token } = await confirm(email);
  await app.settle();
  expect((await json("/promoter/bookings", token)).body.items).toHaveLength(1);
});
