import { describe, expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { sentContract, signingCalls, tokensOf } from "#test/harness/contracts.ts";
import { testApp } from "#test/test-app.ts";
import { sealContracts } from "../document/sealing.ts";
import type { ContractPage } from "./contract-page.api.ts";

const app = closeAfterFile(await testApp());
const admin = await app.signIn(await app.make.user({ role: "admin" }));

async function read(id: string, headers: Record<string, string> = admin) {
  const response = await app.request(`/api/admin/contracts/${id}`, { headers });
  return { status: response.status, body: (await response.json()) as ContractPage };
}

describe("the contract page", () => {
  test("returns details, parties, files, seal and every event with its hash to an admin only", async () => {
    const { booking, contractId: id, artist_token, promoter, performer, artist } = await sentContract(app);
    const guest = signingCalls(app, { "user-agent": "A browser of the artist" });
    await guest.openAndSign(artist_token, { name: "The Artist", drawing: "M1,1L20,30" });
    const { status, body } = await read(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      status: "sent",
      template: "standard 7",
      booking: { id: booking.id, number: booking.number, status: "contract_sent" },
      artist: { name: artist.name },
      parties: [
        { side: "promoter", signed_at: null },
        { side: "artist", signed_name: "The Artist", method: "drawn" },
      ],
      files: [{ kind: "agreement" }],
      seal: { state: "none" },
      attestation: null,
      can: { mark_signed: true, send_again: true, open_paper: false },
    });
    expect(body.evidence.fault).toBeNull();
    expect(body.evidence.events.map(({ kind, side }) => `${kind} ${side}`)).toEqual([
      "sent null",
      "opened artist",
      "consented artist",
      "signed artist",
    ]);
    const signed = body.evidence.events.at(-1);
    expect(signed?.agent).toBe("A browser of the artist");
    expect(signed?.document).toBe(body.document_hash);
    expect(signed?.details).not.toContainEqual(expect.objectContaining({ name: "drawing" }));
    expect(new Set(body.evidence.events.map(({ hash }) => hash)).size).toBe(4);
    expect(JSON.stringify(body)).not.toContain(promoter);
    expect((await read(id, await app.signIn(performer.user))).status).toBe(403);
    expect((await read(id, {})).status).toBe(401);
    expect((await read(crypto.randomUUID())).status).toBe(404);
    expect((await read("not-an-id")).status).toBe(400);
  });

  test("displays that a signed contract waits for its seal, then the certificate of the seal", async () => {
    const { contractId: id, artist_token, promoter } = await sentContract(app);
    const guest = signingCalls(app);
    for (const token of [artist_token, promoter]) await guest.openAndSign(token);
    expect((await read(id)).body.seal).toMatchObject({ state: "waiting", at: null });
    await sealContracts(app.services);
    const { seal, files, can } = (await read(id)).body;
    expect(seal).toMatchObject({
      state: "sealed",
      certificate: expect.stringMatching(/^([0-9A-F]{2}:){31}/) as string,
    });
    expect(files.map(({ kind }) => kind)).toEqual(["agreement", "sealed"]);
    expect(can).toEqual({ mark_signed: false, send_again: false, open_paper: false });
  });

  test("reports evidence that was changed in the database", async () => {
    const { contractId: id } = await sentContract(app);
    await app.database.db
      .insertInto("contract_events")
      .values({ contract_id: id, number: 2, entry: "{}", hash: Buffer.alloc(32) })
      .execute();
    expect((await read(id)).body.evidence).toEqual({
      fault: "Entry 2 of the evidence was changed, or one before it is missing.",
      events: [],
    });
  });
});

describe("sendAgain", () => {
  test("sends a new link to the party who has not signed, records the admin, and refuses a signed contract (409)", async () => {
    const { booking, contractId: id, artist_token, promoter } = await sentContract(app);
    const guest = signingCalls(app);
    await guest.openAndSign(artist_token);
    app.clock.advance(60_000);
    const response = await app.request(`/api/admin/contracts/${id}/send-again`, { body: {}, headers: admin });
    expect(await response.json()).toEqual({ sent_to: ["promoter"] });
    const fresh = (await tokensOf(app, booking.id)).promoter;
    expect(fresh).not.toBe(promoter);
    expect((await guest.open(fresh)).body.can_sign).toBe(true);
    const log = await app.database.db.selectFrom("activity").select("message").where("ref_id", "=", id).execute();
    expect(log.map(({ message }) => message).join()).toContain("sent the contract of");
    await guest.openAndSign(fresh);
    const late = await app.request(`/api/admin/contracts/${id}/send-again`, { body: {}, headers: admin });
    expect(late.status).toBe(409);
  });

  test("names only the parties with a confirmed email address, and refuses (409) if there is none", async () => {
    const { booking, contractId: id, promoter, performer } = await sentContract(app);
    const again = async () => {
      app.clock.advance(60_000);
      const response = await app.request(`/api/admin/contracts/${id}/send-again`, { body: {}, headers: admin });
      return { status: response.status, body: (await response.json()) as object };
    };
    await app.database.db
      .updateTable("users")
      .set({ email_confirmed_at: null })
      .where("id", "=", performer.user.id)
      .execute();
    expect(await again()).toEqual({ status: 200, body: { sent_to: ["promoter"] } });
    const guest = signingCalls(app);
    const fresh = (await tokensOf(app, booking.id)).promoter;
    expect(fresh).not.toBe(promoter);
    await guest.openAndSign(fresh);
    expect(await again()).toMatchObject({ status: 409, body: { message: "We have no email address for this party." } });
  });
});
