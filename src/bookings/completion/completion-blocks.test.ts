import { sql } from "kysely";
import { expect, test } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";
import { completeShows } from "../jobs.ts";
import { completionBlockText } from "../rules/completion.rules.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));

async function playedShow() {
  const promoter = await app.make.user({ role: "promoter" });
  const artist = await app.make.artist({ baseRate: 150_000 });
  const { id } = await app.make.booking({ artist, status: "contract_signed", balancePaid: true, fee: 150_000 });
  const ended = new Date(app.clock.now().getTime() - 49 * hourMs);
  await app.database.transaction((tx) =>
    tx
      .updateTable("bookings")
      .set({ promoter_user_id: promoter.id, starts_at: new Date(ended.getTime() - hourMs), ends_at: ended })
      .where("id", "=", id)
      .execute(),
  );
  const headers = await app.signIn(promoter);
  const confirm = () => app.request(`/api/bookings/${id}/complete`, { method: "POST", headers, body: {} });
  const read = async () =>
    (await (await app.request(`/api/bookings/${id}`, { headers })).json()) as {
      completion_block: string | null;
      can: { complete: boolean };
      deadlines: { kind: string }[];
    };
  const listed = async () => {
    const { items } = (await (await app.request("/api/promoter/bookings", { headers })).json()) as {
      items: { id: string; can: { complete: boolean } }[];
    };
    return items.find((one) => one.id === id);
  };
  return { id, confirm, read, listed };
}
type Show = Awaited<ReturnType<typeof playedShow>>;

const blocks = {
  dispute: {
    open: ({ id }: Show) => sql`
      insert into disputes (provider_ref, provider_payment, amount, currency, reason, status, opened_at, evidence_due_at, booking_id)
      select ${`du_${id}`}, provider_payment, amount, currency, 'fraudulent', 'needs_response', now(), now() + interval '9 days', booking_id
      from payments where booking_id = ${id}::uuid and kind = 'balance'`,
    close: ({ id }: Show) => sql`update disputes set status = 'won', closed_at = now() where booking_id = ${id}::uuid`,
  },
  objection: {
    open: ({ id }: Show) => sql`
      insert into contract_objections (contract_id, side, reason, made_at)
      select id, 'promoter', 'I never signed this.', now() from contracts where booking_id = ${id}::uuid`,
    close: ({ id }: Show) => sql`update contract_objections set decided_at = now(), decision = 'upheld'
      where contract_id in (select id from contracts where booking_id = ${id}::uuid)`,
  },
} as const;

test.each(["dispute", "objection"] as const)(
  "an open %s blocks the job and the promoter, and its end allows the completion",
  async (block) => {
    const show = await playedShow();
    await blocks[block].open(show).execute(app.database.db);
    await completeShows(app.services);
    expect((await bookingRow(app, show.id)).status).toBe("contract_signed");
    const refused = await show.confirm();
    expect(refused.status).toBe(409);
    expect(((await refused.json()) as { message: string }).message).toBe(completionBlockText[block]);
    expect(await show.read()).toMatchObject({ completion_block: block, can: { complete: false } });
    expect(await show.listed()).toMatchObject({ can: { complete: false } });
    expect((await show.read()).deadlines.map(({ kind }) => kind)).not.toContain("completes");
    await blocks[block].close(show).execute(app.database.db);
    expect(await show.read()).toMatchObject({ completion_block: null, can: { complete: true } });
    expect(await show.listed()).toMatchObject({ can: { complete: true } });
    await completeShows(app.services);
    expect((await bookingRow(app, show.id)).status).toBe("completed");
  },
);
