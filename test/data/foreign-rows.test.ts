/** A booking of another user gives the same response as a booking that does not exist. */

import { describe, expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp());
/** Headers. The anonymous caller has none. */
const callers = { anon: {} } as Record<"anon" | "promoter" | "artist" | "otherPromoter", Record<string, string>>;
for (const role of ["promoter", "artist"] as const) {
  const user = await app.make.user({ role });
  callers[role] = await app.signIn(user);
  if (role === "artist") await app.make.artist({ userId: user.id });
}
const promoter = await app.make.user({ role: "promoter" });
callers.otherPromoter = await app.signIn(promoter);
const performer = await app.make.user({ role: "artist" });
const artist = await app.make.artist({ userId: performer.id });
const foreignId = (await app.make.booking({ artistId: artist.id, promoterUserId: promoter.id })).id;

describe("same response for a foreign and a missing row", () => {
  const missing = "00000000-0000-4000-8000-000000000000";
  const calls = [
    {
      what: "create-contract-and-checkout",
      path: () => "/api/functions/create-contract-and-checkout",
      body: (id: string) => ({ booking_id: id }),
    },
    {
      what: "create-checkout",
      path: () => "/api/functions/create-checkout",
      body: (id: string) => ({ bookingId: id, isDeposit: true }),
    },
    {
      what: "release-hold",
      path: (id: string) => `/api/artist/bookings/${id}/release-hold`,
      body: () => ({}),
      only: ["artist"] as const,
    },
    {
      what: "balance-link",
      path: (id: string) => `/api/artist/bookings/${id}/balance-link`,
      body: () => ({}),
      only: ["artist"] as const,
    },
    ...(["accept", "decline"] as const).map((what) => ({
      what,
      path: (id: string) => `/api/artist/bookings/${id}/${what}`,
      body: () => ({}),
      only: ["artist"] as const,
    })),
    {
      what: "extend-balance",
      path: (id: string) => `/api/artist/bookings/${id}/extend-balance`,
      body: () => ({ due_day: "2027-03-01" }),
      only: ["artist"] as const,
    },
    {
      what: "release-date",
      path: (id: string) => `/api/artist/bookings/${id}/release-date`,
      body: () => ({ expected_refund_cents: 0 }),
      only: ["artist"] as const,
    },
    {
      what: "release-own-hold",
      path: (id: string) => `/api/bookings/${id}/release-own-hold`,
      body: () => ({}),
    },
    {
      what: "withdraw-automatic-payment",
      path: (id: string) => `/api/bookings/${id}/withdraw-automatic-payment`,
      body: () => ({}),
    },
    {
      what: "cancel",
      path: (id: string) => `/api/bookings/${id}/cancel`,
      body: () => ({ code: "other", expected_refund_cents: 0 }),
    },
    {
      what: "propose force majeure",
      path: (id: string) => `/api/bookings/${id}/force-majeure`,
      body: () => ({ reason: "The hall is under water.", refund_cents: null, expected_paid_cents: 0 }),
    },
    {
      what: "answer force majeure",
      path: (id: string) => `/api/bookings/${id}/force-majeure/answer`,
      body: () => ({ proposal_id: missing, accept: true, expected_refund_cents: 0 }),
    },
    {
      what: "withdraw force majeure",
      path: (id: string) => `/api/bookings/${id}/force-majeure/withdraw`,
      body: () => ({ proposal_id: missing }),
    },
    {
      what: "complete",
      path: (id: string) => `/api/bookings/${id}/complete`,
      body: () => ({}),
    },
    {
      what: "open a signed link",
      path: (id: string) => `/api/bookings/${id}/open`,
      body: () => ({ link: "abc.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }),
    },
  ];
  const who = ["anon", "promoter", "artist"] as const;

  for (const { what, path, body, only } of calls) {
    test.each(who.filter((role) => !only || only.some((one) => one === role)))(
      `is returned by ${what} for %s`,
      async (role) => {
        const [foreign, gone] = await Promise.all(
          [foreignId, missing].map(async (id) => {
            const response = await app.request(path(id), { method: "POST", headers: callers[role], body: body(id) });
            const { code, message } = (await response.json()) as { code: string; message: string };
            return { status: response.status, code, message };
          }),
        );
        expect(foreign).toEqual(gone);
        expect(foreign?.status).toBe(404);
      },
    );
  }

  const pages = who.flatMap((role) => [[role, ""] as const, [role, "/cancellation"] as const]);
  test.each(pages)("is returned by a booking's page for %s%s", async (role, part) => {
    const [foreign, gone] = await Promise.all(
      [foreignId, missing].map(async (id) => {
        const response = await app.request(`/api/bookings/${id}${part}`, { headers: callers[role] });
        const { code, message } = (await response.json()) as { code: string; message: string };
        return { status: response.status, code, message };
      }),
    );
    expect(foreign).toEqual(gone);
    expect(foreign?.status).toBe(404);
  });

  test("is returned for a new link to a booking", async () => {
    const [foreign, gone] = await Promise.all(
      [foreignId, missing].map(async (id) => {
        const response = await app.request(`/api/bookings/${id}/send-link`, { body: {} });
        return { status: response.status, body: await response.text() };
      }),
    );
    expect(foreign).toEqual(gone);
    expect(foreign?.status).toBe(200);
  });

  test("is returned for a checkout session", async () => {
    const opened = await app.request("/api/functions/create-contract-and-checkout", {
      headers: callers.otherPromoter,
      body: { booking_id: foreignId },
    });
    expect(opened.status).toBe(200);
    const { session_id: session } = (await opened.json()) as { session_id: string };
    const request = async (id: string) => {
      const response = await app.request(`/api/bookings/by-session/${id}`, { headers: callers.promoter });
      return { status: response.status, body: await response.text() };
    };
    expect(await request(session)).toEqual(await request("cs_test_nobody_ever_had_this_one"));
  });
});
