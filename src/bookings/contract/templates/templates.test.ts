import { describe, expect, test } from "vitest";
import { findTemplate } from "#contracts/agreements-for-bookings.ts";
import { standardTemplate } from "#contracts/rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { contractRow, sentContract } from "#test/harness/contracts.ts";
import { testApp } from "#test/test-app.ts";
import { ensureDocument, sendContract } from "../sending.ts";
import type { TemplatePage } from "./templates.api.ts";

const app = closeAfterFile(await testApp());
const headers = await app.signIn(await app.make.user({ role: "admin", name: "Ines Halvorsen" }));

type Fault = { field: string; message: string };
async function call<T = TemplatePage>(method: string, address: string, body?: object, by: object = headers) {
  const response = await app.request(address, { method, headers: { ...by }, ...(body ? { body } : {}) });
  return {
    status: response.status,
    body: (await response.json()) as T & { message: string; data?: { fields?: Fault[] } },
  };
}
const text = { title: standardTemplate.title, sections: structuredClone(standardTemplate.sections) };
const save = (id: string, from: number, given: object = text) =>
  call("POST", `/api/admin/contract-templates/${id}`, { from, ...given });
const textWith = (clause: string, when?: string) => ({
  ...text,
  sections: [...text.sections, { heading: "Parking", clauses: [{ text: clause, ...(when ? { when } : {}) }] }],
});
const choose = async (defaultTemplateId: string) => {
  const { body } = await call<{ version: number }>("GET", "/api/admin/settings");
  return call("PATCH", "/api/admin/settings", { version: body.version, values: { defaultTemplateId } });
};
async function sentTemplate() {
  const booking = await app.make.booking({ status: "deposit_paid", now: app.clock.now() });
  await sendContract(app.services, booking.id);
  return { booking, template: (await contractRow(app, booking.id)).template };
}

test("the standard template in the database equals the one in the source, also in its earlier version", async () => {
  expect(await findTemplate(app.database.db, "standard", standardTemplate.version)).toEqual(standardTemplate);
  const { body } = await call<{ items: object[] }>("GET", "/api/admin/contract-templates");
  expect(body.items).toMatchObject([{ id: "standard", version: 7, saved_by: null, in_force: true }]);
});

test("only admins read and save templates", async () => {
  const artist = await app.signIn(await app.make.user({ role: "artist" }));
  for (const [by, status] of [
    [artist, 403],
    [{}, 401],
  ] as const) {
    expect((await call("GET", "/api/admin/contract-templates", undefined, by)).status).toBe(status);
    const saved = await call("POST", "/api/admin/contract-templates/standard", { from: 1, ...text }, by);
    expect(saved.status).toBe(status);
  }
  expect((await call("GET", "/api/admin/contract-templates/none")).status).toBe(404);
  expect((await call("GET", "/api/admin/contract-templates/standard?version=99")).status).toBe(404);
});

describe("saveTemplate", () => {
  test("saves a new version for the next contract, and a sent contract retains its version", async () => {
    const before = await sentTemplate();
    expect(before.template).toBe("standard 7");
    const saved = await save("standard", 7, textWith("The promoter keeps a place for one van."));
    expect(saved.status, saved.body.message).toBe(200);
    expect(saved.body).toMatchObject({
      version: 8,
      versions: [
        { version: 8, saved_by: "Ines Halvorsen" },
        { version: 7 },
        { version: 6 },
        { version: 5 },
        { version: 4 },
        { version: 3 },
        { version: 2 },
        { version: 1 },
      ],
    });
    expect((await sentTemplate()).template).toBe("standard 8");
    expect((await contractRow(app, before.booking.id)).template).toBe("standard 7");
    const first = await call("GET", "/api/admin/contract-templates/standard?version=1");
    expect(first.body.sections).toHaveLength(text.sections.length);
    const log = await app.database.db.selectFrom("activity").select("message").where("type", "=", "contract").execute();
    expect(log.map(({ message }) => message)).toContain(
      "Ines Halvorsen saved version 8 of the contract template standard",
    );
  });

  test("refuses the second of two concurrent changes of the same version (409)", async () => {
    const answers = await Promise.all([save("standard", 8), save("standard", 8)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await save("standard", 0)).status).toBe(409);
  });

  test("makes versions append-only in the database", async () => {
    const { db } = app.database;
    await expect(db.updateTable("contract_templates").set({ title: "x" }).execute()).rejects.toThrow("append-only");
    await expect(db.deleteFrom("contract_templates").execute()).rejects.toThrow("append-only");
  });

  test.each([
    [
      "an unknown variable",
      textWith("{{secret.key}}"),
      "sections.10.clauses.0.text",
      "There is no variable {{secret.key}}.",
    ],
    ["a name of JavaScript", textWith("{{constructor}}"), "sections.10.clauses.0.text", "no variable {{constructor}}"],
    ["a missing brace", textWith("{{fee}"), "sections.10.clauses.0.text", "a brace is missing"],
    [
      "a clause that may be empty",
      textWith("Quietly: {{special_requests}}"),
      "sections.10.clauses.0.text",
      "can be empty",
    ],
    [
      "policy steps within a text",
      textWith("So: {{cancellation_terms}}"),
      "sections.10.clauses.0.text",
      "must be alone in its clause",
    ],
    [
      "no fee",
      { ...text, sections: text.sections.filter(({ heading }) => heading !== "The fee") },
      "sections",
      "state the fee",
    ],
    [
      "no cancellation terms",
      { ...text, sections: text.sections.filter(({ heading }) => heading !== "Cancellation") },
      "sections",
      "what a cancellation costs",
    ],
    ["no text", textWith(" "), "sections.10.clauses.0.text", "Enter this clause"],
    ["a control character", textWith("one\u0007two"), "sections.10.clauses.0.text", "cannot be printed"],
    ["an unknown condition", textWith("Parking", "has_parking"), "sections.10.clauses.0.when", "One of"],
    [
      "policy steps as the title",
      { ...text, title: "{{cancellation_terms}}" },
      "title",
      "must have a clause of its own",
    ],
    [
      "policy steps as a heading",
      {
        ...text,
        sections: text.sections.map((one, at) => (at === 1 ? { ...one, heading: "{{cancellation_terms}}" } : one)),
      },
      "sections.1.heading",
      "must have a clause of its own",
    ],
    [
      "the fee in a heading alone",
      {
        ...text,
        sections: text.sections.map((one) =>
          one.heading === "The fee"
            ? { heading: "The fee: {{fee}}", clauses: [{ text: "Guests pay nothing.", when: "has_guest_count" }] }
            : one,
        ),
      },
      "sections",
      "state the fee",
    ],
    ["no title", { ...text, title: "" }, "title", "Enter a title for the agreement"],
  ])("refuses %s at its field, and saves no version", async (_what, given, field, message) => {
    const versions = (await call("GET", "/api/admin/contract-templates/standard")).body.versions.length;
    const { status, body } = await save("standard", versions, given);
    expect(status).toBe(400);
    expect(body.data?.fields).toContainEqual({ field, message: expect.stringContaining(message) as string });
    expect((await call("GET", "/api/admin/contract-templates/standard")).body.versions).toHaveLength(versions);
  });

  test("refuses the fee under the condition of a deposit, because some bookings have none", async () => {
    const sections = text.sections.map((section) =>
      section.heading === "The fee" ? { ...section, when: "has_deposit" as const } : section,
    );
    const { status, body } = await save("standard", 8, { ...text, sections });
    expect(status).toBe(400);
    expect(body.data?.fields?.map(({ message }) => message).join()).toContain("always state the fee");
  });
});

describe("the signing order", () => {
  const order = (first_signer: string | null, clause = "Order: {{signing_order}}.") => ({
    ...textWith(clause),
    first_signer,
  });

  test("is stored in the version and printed by its variable, and older versions retain theirs", async () => {
    const newest = async () => (await call("GET", "/api/admin/contract-templates/standard")).body;
    const { version, first_signer: before } = await newest();
    expect(before).toBeNull();
    const saved = await save("standard", version, order("artist"));
    expect(saved.status, saved.body.message).toBe(200);
    expect(saved.body).toMatchObject({ version: version + 1, first_signer: "artist" });
    const older = await call("GET", `/api/admin/contract-templates/standard?version=${version}`);
    expect(older.body.first_signer).toBeNull();
    const { booking } = await sentTemplate();
    type Preview = { sections: { clauses: string[] }[] };
    const preview = await call<Preview>("POST", "/api/admin/contract-template-preview", {
      booking_id: booking.id,
      ...order("promoter"),
    });
    expect(preview.body.sections.at(-1)?.clauses).toEqual(["Order: the promoter signs first."]);
    expect((await save("standard", version + 1, order(null))).body.first_signer).toBeNull();
  });

  test("is refused for an unknown party and for a text that contradicts it", async () => {
    const { body } = await call("GET", "/api/admin/contract-templates/standard");
    expect((await save("standard", body.version, order("admin"))).status).toBe(400);
    const contradiction = await save("standard", body.version, order("artist", "Either party may sign first."));
    expect(contradiction.status).toBe(400);
    expect(contradiction.body.message).toContain("write {{signing_order}} instead");
  });
});

describe("the setting `defaultTemplateId`", () => {
  test("chooses the template of the next contract, and refuses an unknown template", async () => {
    expect((await save("festival", 0, { ...text, title: "Festival agreement" })).body).toMatchObject({
      id: "festival",
      version: 1,
      in_force: false,
    });
    expect((await sentTemplate()).template).toMatch(/^standard /);
    const unknown = await choose("opera");
    expect([unknown.status, unknown.body.message]).toEqual([400, "There is no contract template with this name."]);
    expect((await choose("festival")).status).toBe(200);
    expect((await sentTemplate()).template).toBe("festival 1");
    const { body } = await call("GET", "/api/admin/contract-templates/festival");
    expect(body.in_force).toBe(true);
    expect((await choose("")).status).toBe(200);
    expect((await sentTemplate()).template).toMatch(/^standard /);
  });

  test("does not affect a contract from before editable templates, which uses the first standard template", async () => {
    const old = await app.make.booking({ status: "contract_signed", keys: app.services.keys, now: app.clock.now() });
    await ensureDocument(app.services, old.id);
    expect((await contractRow(app, old.id)).template).toBe("standard 1");
  });
});

describe("the template preview", () => {
  type Preview = { number: string; title: string; sections: { heading: string; clauses: string[] }[]; pdf: string };
  const preview = (bookingId: string, given: object = text) =>
    call<Preview>("POST", "/api/admin/contract-template-preview", { booking_id: bookingId, ...given });

  test("returns the document of a real booking with its printed clauses, and stores nothing", async () => {
    const { booking } = await sentContract(app);
    const count = async () => (await app.database.db.selectFrom("contract_documents").select("id").execute()).length;
    const before = await count();
    const given = textWith("Parking for {{artist_name}}.", `policy_${booking.policy_name}`);
    const { status, body } = await preview(booking.id, given);
    expect(status, body.message).toBe(200);
    expect(body).toMatchObject({ number: booking.number, title: "Performance agreement" });
    expect(body.sections.at(-1)?.clauses).toEqual([expect.stringMatching(/^Parking for .+\.$/)]);
    expect(Buffer.from(body.pdf, "base64").subarray(0, 5).toString()).toBe("%PDF-");
    const other = booking.policy_name === "strict" ? "flexible" : "strict";
    const without = await preview(booking.id, textWith("Parking for {{artist_name}}.", `policy_${other}`));
    // A section without a printed clause has no heading.
    expect(without.body.sections.map(({ heading }) => heading)).not.toContain("Parking");
    expect(await count()).toBe(before);
  });

  test("prints a script as text, refuses an error at its field, and returns not found (404) for a missing booking", async () => {
    const { booking } = await sentContract(app);
    const script = "<script>alert(1)</script>";
    const { body } = await preview(booking.id, textWith(script));
    expect(body.sections.at(-1)?.clauses).toEqual([script]);
    expect((await preview(booking.id, textWith("{{nothing}}"))).body.data?.fields?.[0]?.field).toBe(
      "sections.10.clauses.0.text",
    );
    expect((await preview(crypto.randomUUID())).status).toBe(404);
  });
});
