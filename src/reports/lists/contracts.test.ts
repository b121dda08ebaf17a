import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, browser } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";
import type { ListedContract } from "./contracts.api.ts";

const app = closeAfterFile(await testApp());
const admin = browser(app, await app.signIn(await app.make.user({ role: "admin" })));

const list = async (query = "") => {
  const { status, body } = await admin.json(`/api/admin/contracts${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as unknown as { items: ListedContract[]; total: number };
};

test("lists contracts newest first with booking, artist and promoter, filtered by search and status", async () => {
  const artist = await app.make.artist({ name: "Kestrel Quartet" });
  const sent = await app.make.booking({ artist, status: "contract_sent", promoterName: "Riverside Arts" });
  const signed = await app.make.booking({ status: "contract_signed", promoterName: "Hotel Calloway" });
  const { number } = await bookingRow(app, sent.id);
  const all = await list();
  expect(all.total).toBe(2);
  const created = all.items.map((one) => String(one.created_at));
  expect(created).toEqual(created.toSorted().toReversed());
  expect((await list("?search=kestrel")).items).toMatchObject([
    {
      signed_status: "sent",
      signed_sides: [],
      artist: { name: "Kestrel Quartet" },
      booking: { id: sent.id, number, promoter_name: "Riverside Arts" },
    },
  ]);
  expect((await list("?status=signed")).items.map((one) => one.booking.id)).toEqual([signed.id]);
  expect((await list("?status=signed&search=riverside")).items).toEqual([]);
  expect((await list("?status=declined")).total).toBe(0);
  expect((await admin.json("/api/admin/contracts?status=lost")).status).toBe(400);
});

test("distinguishes contracts that ended from those that can be signed", async () => {
  const canceled = await app.make.booking({ status: "contract_sent", promoterName: "Ended Arts" });
  const open = await app.make.booking({ status: "contract_sent", promoterName: "Ended Arts" });
  const draft = await app.make.booking({ status: "initiated", promoterName: "Ended Arts" });
  const refund = (await admin.json(`/api/bookings/${canceled.id}/cancellation`)).body["refund_cents"];
  const done = await admin.json(`/api/bookings/${canceled.id}/cancel`, {
    code: "terms_broken",
    expected_refund_cents: refund,
  });
  expect(done.status, JSON.stringify(done.body)).toBe(200);
  const { canceled_at } = await bookingRow(app, canceled.id);
  const ended = await list("?search=Ended+Arts&status=ended");
  expect(ended).toMatchObject({
    total: 1,
    items: [
      {
        signed_status: "sent",
        booking: { id: canceled.id },
        ended_at: canceled_at?.toISOString(),
        end_code: "terms_broken",
        can: { mark_signed: false },
      },
    ],
  });
  const signable = await list("?search=Ended+Arts&status=to_sign");
  expect(signable.items.map((one) => one.booking.id)).toEqual([open.id]);
  expect(signable.items[0]).toMatchObject({ ended_at: null, end_code: null, can: { mark_signed: true } });
  expect((await list("?search=Ended+Arts&status=sent")).total).toBe(2);
  expect(signable.items.some((one) => one.booking.id === draft.id)).toBe(false);
});

test("refuses the list to other callers and roles", async () => {
  expect((await browser(app).json("/api/admin/contracts")).status).toBe(401);
  for (const role of ["artist", "promoter"] as const) {
    const headers = await app.signIn(await app.make.user({ role }));
    expect((await browser(app, headers).json("/api/admin/contracts")).status).toBe(403);
  }
});
