import { expect, test } from "vitest";
import { composeAgreement, findTemplate } from "#contracts/agreements-for-bookings.ts";
import { findContract } from "#contracts/signing-for-bookings.ts";
import { changeArtistSettings } from "#settings/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, follow, form, guestOf, peopleOf, press } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";
import { agreementContext, sendContract } from "../sending.ts";

const app = closeAfterFile(await testApp());
const people = peopleOf(() => app);

type Clause = string | readonly { label: string; amount: string }[];
type Text = { title: string; sections: readonly { heading: string; clauses: readonly Clause[] }[] };
const wordsOf = (clause: Clause) =>
  typeof clause === "string" ? [clause] : clause.map(({ label, amount }) => `${label} ${amount}`);
const clausesOf = ({ sections }: Text) =>
  sections.flatMap(({ heading, clauses }) => [heading, ...clauses.flatMap(wordsOf)]);
const textOf = (body: object) => clausesOf(body as Text).join("\n");
const previewForm = (body: object) => browser(app).json("/api/bookings/contract-preview", body);

test("the previews of the form and the request have the clauses of the sent contract", async () => {
  const player = await people.person("artist", { email: "ada@long.example" });
  const artist = await people.artist({ name: "Electric Dreams", userId: player.user.id });
  const legal = { legalName: "Ada Long", legalAddress: "1 Main Street, Austin" };
  await app.database.transaction((tx) => changeArtistSettings(tx, artist.id, legal, player.user.id));
  const answers = form(app, { artistId: artist.slug });
  const preview = await previewForm(answers);
  expect(preview.status, JSON.stringify(preview.body)).toBe(200);
  const visitor = browser(app);
  const { body: booking } = await visitor.requestBooking({ artistId: artist.slug });
  const requested = await visitor.json(`/api/bookings/${booking.id}/contract-preview`);
  expect(requested.status).toBe(200);
  const numbered = textOf(requested.body);
  expect(textOf(preview.body).replace("[the number of your request]", String(booking["number"]))).toBe(numbered);
  expect(numbered).toContain("The promoter is Hannah Whitt (hannah@whitt.example, +1 512 555 0148).");
  expect(numbered).toContain("> First dance at 21:00.");
  expect(numbered).not.toContain(legal.legalName);

  const opened = await visitor.json("/api/functions/create-contract-and-checkout", { booking_id: booking.id });
  const page = await app.server.inject({ url: new URL(String(opened.body["checkout_url"])).pathname });
  expect(page.body).toContain(`/booking/${booking.id}#contract`);
  // The address is corrected after the first checkout.
  const email = "hannah.whitt@whitt.example";
  expect((await visitor.json(`/api/bookings/${booking.id}/correct-email`, { email })).status).toBe(200);
  const corrected = textOf((await visitor.json(`/api/bookings/${booking.id}/contract-preview`)).body);
  expect(corrected).toBe(numbered.replace("hannah@whitt.example", email));
  await visitor.json("/api/functions/create-contract-and-checkout", { booking_id: booking.id });
  await press(app, opened.body["checkout_url"], "pay");
  await follow(app);
  await sendContract(app.services, booking.id);
  const contract = await findContract(app.database.db, booking.id);
  const template = await findTemplate(app.database.db, "standard");
  if (!contract || !template) throw new Error("no contract was sent");
  const context = agreementContext({ number: String(booking["number"]) }, contract);
  const sent = await composeAgreement({ template, terms: contract.terms, context });
  const parties = /^The artist is .*$/m;
  expect(clausesOf(sent).join("\n").replace(parties, "")).toBe(corrected.replace(parties, ""));
  expect(clausesOf(sent)).toContain(
    "The artist is Ada Long, performing as Electric Dreams, 1 Main Street, Austin (ada@long.example).",
  );
  expect((await visitor.json(`/api/bookings/${booking.id}/contract-preview`)).status).toBe(409);
});

test("the preview of an incomplete form has placeholders in brackets", async () => {
  const artist = await people.artist({ baseRate: 150_000 });
  const { status, body } = await previewForm({ artistId: artist.slug, clientName: "", eventDate: "" });
  expect(status, JSON.stringify(body)).toBe(200);
  for (const open of ["[your name]", "[your email]", "[the date]", "[start]", "[end]", "[the venue]", "[the due date]"])
    expect(textOf(body)).toContain(open);
});

test("the preview is refused (409) without a price, and not found (404) for others", async () => {
  const onRequest = await people.artist({ baseRate: 10 });
  expect(await previewForm({ artistId: onRequest.slug })).toMatchObject({
    status: 409,
    body: { message: "The price is on request. A contract needs a price." },
  });
  const { booking } = await people.held();
  const address = `/api/bookings/${booking.id}/contract-preview`;
  expect((await guestOf(app, booking.id).json(address)).status).toBe(200);
  expect((await browser(app).json(address)).status).toBe(404);
});
