/** The page that the payment provider returns to. */

import { expect, test, vi } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, peopleOf, press, sceneOf } from "#test/harness/bookings.ts";
import { attestSignatures, signingCalls, tokensOf } from "#test/harness/contracts.ts";
import { testApp } from "#test/test-app.ts";
import { sendContract } from "../contract/sending.ts";

const app = closeAfterFile(await testApp());

const { person } = peopleOf(() => app);
const scene = sceneOf(() => app);

test("omits the contacts for the artist before both signatures", async () => {
  const { booking, player, visitor } = await scene("initiated");
  const { session_id: session } = (await visitor.checkout(booking)).body;
  const seen = async (at: ReturnType<typeof browser>) =>
    (await at.json(`/api/bookings/by-session/${String(session)}`)).body;
  const withoutContacts = { id: booking.id, promoter_email: null, promoter_phone: null };
  expect(await seen(player.at)).toMatchObject({ viewer: "artist", booking: withoutContacts });
  expect(await seen(visitor)).toMatchObject({
    viewer: "promoter",
    booking: { promoter_email: booking.promoter_email },
  });
});

test("shows after the deposit the state of the contract and the balance", async () => {
  const { booking, visitor } = await scene("initiated");
  const { session_id: session, checkout_url: url } = (await visitor.checkout(booking)).body;
  const seen = async () => (await visitor.json(`/api/bookings/by-session/${String(session)}`)).body;
  await press(app, url, "pay");
  const unsigned = { status: "draft", sent_at: null };
  expect(await seen()).toMatchObject({ booking: { can: { sign: false } }, contract: unsigned });
  await sendContract(app.services, booking.id);
  await app.settle();
  const sent = { status: "sent", sent_at: expect.any(String), expires_at: expect.any(String), signed_at: null };
  expect(await seen()).toMatchObject({ booking: { can: { sign: true } }, contract: sent });
  const { promoter: key } = await tokensOf(app, booking.id);
  const signing = signingCalls(app);
  expect((await signing.openAndSign(key)).status).toBe(200);
  const half = (await seen())["contract"] as { signers: { side: string; signed_at: string | null }[] };
  expect(half.signers.filter(({ signed_at: at }) => at !== null)).toMatchObject([{ side: "promoter" }]);
  await attestSignatures(app, booking.id, (await person("admin")).user.id);
  await app.settle();
  expect(await seen()).toMatchObject({
    booking: { can: { pay: "balance", sign: false }, balance_paid_at: null },
    contract: { status: "signed", signed_at: expect.any(String) },
  });
  const checkout = await visitor.json("/api/functions/create-checkout", { bookingId: booking.id, isDeposit: false });
  await press(app, checkout.body["url"], "pay");
  expect(await seen()).toMatchObject({
    payment: { kind: "deposit" },
    booking: { balance_paid: true, balance_paid_at: expect.any(String) },
  });
});

test("returns the stored state to the server's rendering, without a query to the provider", async () => {
  const { booking, visitor } = await scene("initiated");
  const { session_id: session } = (await visitor.checkout(booking)).body;
  app.clock.advance(10_000);
  const fetched = vi.spyOn(app.services.gateway!, "retrieveCheckout");
  const seen = async (by: ReturnType<typeof browser>, query = "") =>
    (await by.json(`/api/bookings/by-session/${String(session)}${query}`)).body;
  expect(await seen(visitor, "?state=stored")).toMatchObject({ payment: { status: "requires_payment_method" } });
  expect(fetched).not.toHaveBeenCalled();
  const stranger = browser(app);
  const neutral = { found: false, payer: null, message: expect.any(String) };
  for (const id of [String(session), "cs_test_nobody"])
    expect((await stranger.json(`/api/bookings/by-session/${id}?state=stored`)).body).toEqual(neutral);
  await seen(visitor);
  expect(fetched).toHaveBeenCalledOnce();
});
