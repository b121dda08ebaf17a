import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { peopleOf } from "#test/harness/bookings.ts";
import { sentContract, signingCalls } from "#test/harness/contracts.ts";
import { testApp } from "#test/test-app.ts";
import { sealContract } from "./document/sealing.ts";

const app = closeAfterFile(await testApp());

test("a later owner gets the agreement of a contract that the former owner signed, not the signature nor the copy with its certificate", async () => {
  const { booking, contractId, promoter, artist_token } = await sentContract(app);
  for (const token of [promoter, artist_token]) expect((await signingCalls(app).openAndSign(token)).status).toBe(200);
  await sealContract(app.services, booking.id);
  const later = await peopleOf(() => app).person("artist");
  await app.database.db
    .updateTable("artists")
    .set({ user_id: later.user.id })
    .where("id", "=", booking.artist_id)
    .execute();
  const addressOf = async (reader: typeof later.at) => {
    const { status, body } = await reader.json(`/api/contracts/${contractId}/document-link`);
    expect(status).toBe(200);
    return new URL(String(body["url"]), "http://localhost").pathname;
  };
  const onSigningPage = async () => {
    const { body } = await later.at.json("/api/contracts/signing/open", { key: contractId });
    const { url, is_signed: isSigned } = body["document"] as { url: string; is_signed: boolean };
    const signers = body["signers"] as { side: string; signature: unknown }[];
    const shown = signers.filter(({ signature }) => signature !== null).map(({ side }) => side);
    return [
      new URL(url, "http://localhost").pathname.split("/").at(-1),
      isSigned,
      shown,
      body["signed_by_former_owner"],
    ];
  };
  expect(await addressOf(later.at)).toMatch(/\/file\/copy$/);
  expect(await onSigningPage()).toEqual(["copy", true, ["promoter", "artist"], false]);
  const decided = new Date(app.clock.now().getTime() + 60_000);
  await app.database.db
    .insertInto("profile_claims")
    .values({
      artist_id: booking.artist_id,
      user_id: later.user.id,
      evidence: "We play under this name since 2019.",
      decided_at: decided,
      granted: true,
    })
    .execute();
  expect(await addressOf(later.at)).toMatch(/\/file\/agreement$/);
  expect(await onSigningPage()).toEqual(["agreement", false, ["promoter"], true]);
  const { at: admin } = await peopleOf(() => app).person("admin");
  expect(await addressOf(admin)).toMatch(/\/file\/copy$/);
});
