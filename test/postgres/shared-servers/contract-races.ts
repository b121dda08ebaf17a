/** Concurrent signing, declining and canceling through two processes on one PostgreSQL. TEST_DEEP=1 runs the full numbers. */

import { expect, test } from "vitest";
import { bookingKey } from "#bookings/index.ts";
import { makeSignerLink } from "#contracts/agreements-for-bookings.ts";
import { evidenceOf } from "#contracts/copies-for-bookings.ts";
import { findContract } from "#contracts/signing-for-bookings.ts";
import { makeArtist } from "#test/factories/artists.ts";
import { makeBooking } from "#test/factories/bookings.ts";
import { makeUser } from "#test/factories/users.ts";
import { setSigningOrder } from "#test/harness/esign/order.ts";
import { moneyOffences } from "../two-servers.ts";
import { keys, servers } from "./servers.ts";

const rounds = process.env["TEST_DEEP"] === "1" ? 50 : 2;

type Page = {
  status?: string;
  can_sign?: boolean;
  document?: { sha256: string };
  message?: string;
  refund_cents?: number;
};
type Party = { token: string; hash: string };
type Sent = { id: string; cookie: string; deposit: number; promoter: Party; artist: Party };

/** Retries a 503 of a busy server, which has done nothing, like the page. */
async function call(turn: number, name: string, body: object) {
  for (let tries = 1; ; tries++) {
    const response = await servers.send<Page>(turn, `/api/contracts/signing/${name}`, body);
    if (response.status !== 503 || tries === 5) return response;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
const sign = (turn: number, party: Party) =>
  call(turn, "sign", { key: party.token, name: "A. Signer", drawing: null, consent: true, documentHash: party.hash });
const decline = (turn: number, party: Party) =>
  call(turn, "decline", { key: party.token, reason: "The date was a mistake.", documentHash: party.hash });

const makePaid = () =>
  servers.database.transaction(async (tx) => {
    const user = await makeUser(tx, { role: "artist" });
    const artist = await makeArtist(tx, { userId: user.id, name: `Act ${user.id.slice(0, 8)}` });
    const made = await makeBooking(tx, { artistId: artist.id, status: "deposit_paid", keys });
    return { booking: made, mailbox: user.email };
  });

/** Inserts a paid booking. The servers' own loop sends its contract and the emails with the links. */
async function sent(): Promise<Sent> {
  const { booking, mailbox } = await makePaid();
  const promoter = await tokenFor(booking.id, booking.promoter_email);
  const artist = await tokenFor(booking.id, mailbox);
  return {
    id: booking.id,
    cookie: `bookings=${bookingKey(keys, booking.id)}`,
    deposit: booking.deposit_cents,
    promoter: { token: promoter, hash: await hashFor(promoter) },
    artist: { token: artist, hash: await hashFor(artist) },
  };
}

/** The same with the artist as first signer: the promoter gets a link to read it before the signature email. */
async function sentInOrder(): Promise<Sent> {
  const { booking, mailbox } = await makePaid();
  const token = await tokenFor(booking.id, mailbox);
  const artist = { token, hash: await hashFor(token) };
  const link = await servers.database.transaction(async (tx) => {
    const contract = await findContract(tx, booking.id);
    return makeSignerLink(tx, {
      contractId: contract?.id ?? "",
      side: "promoter",
      now: new Date(),
      expiresAt: booking.starts_at,
    });
  });
  return {
    id: booking.id,
    cookie: "",
    deposit: booking.deposit_cents,
    artist,
    promoter: { token: link, hash: artist.hash },
  };
}

/** Yields the bookings of all rounds in groups, so the servers send contracts while others are made. */
async function* sentBookings(make: () => Promise<Sent> = sent): AsyncGenerator<readonly [Sent, number]> {
  const together = 10;
  for (let from = 0; from < rounds; from += together) {
    const size = Math.min(together, rounds - from);
    const some = await Promise.all(Array.from({ length: size }, () => make()));
    for (const [index, booking] of some.entries()) yield [booking, from + index];
  }
}

async function tokenFor(bookingId: string, recipient: string): Promise<string> {
  for (let tries = 0; tries < 600; tries++) {
    const message = await servers.database.db
      .selectFrom("messages")
      .select("text")
      .where("ref_id", "=", bookingId)
      .where("template", "=", "contract_sent")
      .where("recipient", "=", recipient)
      .executeTakeFirst();
    const token = /\/sign\/([\w-]+)/.exec(message?.text ?? "")?.[1];
    if (token) return token;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`no link was sent to ${recipient}`);
}

const hashFor = async (token: string) => (await call(0, "open", { key: token })).body.document?.sha256 ?? "";

async function endOf(id: string) {
  const { db } = servers.database;
  const booking = await db.selectFrom("bookings").select("status").where("id", "=", id).executeTakeFirstOrThrow();
  const contract = await db
    .selectFrom("contracts")
    .select(["id", "signed_status"])
    .where("booking_id", "=", id)
    .executeTakeFirstOrThrow();
  const refunds = await db
    .selectFrom("refunds as r")
    .innerJoin("payments as p", "p.id", "r.payment_id")
    .select("r.amount")
    .where("p.booking_id", "=", id)
    .execute();
  const chain = await evidenceOf(db, contract.id);
  if ("fault" in chain) throw new Error(chain.fault);
  return {
    booking: booking.status,
    contract: contract.signed_status,
    refunded: refunds.reduce((sum, refund) => sum + Number(refund.amount), 0),
    acts: chain.entries.map(({ kind, side }) => (side ? `${kind} ${side}` : kind)),
  };
}

const signedActs = (acts: readonly string[]) => acts.filter((act) => act.startsWith("signed"));

export function contractRaces(): void {
  test(`signs once for both with two concurrent signatures in ${rounds} rounds`, { timeout: 900_000 }, async () => {
    for await (const [booking] of sentBookings()) {
      const answers = await Promise.all([sign(0, booking.promoter), sign(1, booking.artist)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const end = await endOf(booking.id);
      expect(end).toMatchObject({ booking: "contract_signed", contract: "signed", refunded: 0 });
      expect(signedActs(end.acts).sort()).toEqual(["signed artist", "signed promoter"]);
    }
  });

  test(
    `refuses the promoter or signs them second with the artist as first signer in ${rounds} rounds`,
    { timeout: 900_000 },
    async () => {
      await setSigningOrder(servers.database, "artist");
      try {
        for await (const [booking, round] of sentBookings(sentInOrder)) {
          const [artist, promoter] = await Promise.all([
            sign(round, booking.artist),
            sign(round + 1, booking.promoter),
          ]);
          expect(artist.status).toBe(200);
          if (promoter.status !== 200) {
            expect(promoter).toMatchObject({ status: 409, body: { message: expect.stringContaining("signs first") } });
            expect(await endOf(booking.id)).toMatchObject({ booking: "contract_sent", contract: "sent" });
            expect((await sign(round, booking.promoter)).status).toBe(200);
          }
          const end = await endOf(booking.id);
          expect(end).toMatchObject({ booking: "contract_signed", contract: "signed", refunded: 0 });
          expect(signedActs(end.acts)).toEqual(["signed artist", "signed promoter"]);
        }
      } finally {
        await setSigningOrder(servers.database, null);
      }
    },
  );

  test(`signs once with one link used twice concurrently in ${rounds} rounds`, { timeout: 900_000 }, async () => {
    for await (const [booking] of sentBookings()) {
      const answers = await Promise.all([sign(0, booking.artist), sign(1, booking.artist)]);
      expect(answers.filter(({ status }) => status === 200).length).toBe(1);
      expect(signedActs((await endOf(booking.id)).acts)).toEqual(["signed artist"]);
    }
  });

  test(
    `applies either the last signature or a decline in ${rounds} rounds, the same in every table`,
    { timeout: 900_000 },
    async () => {
      for await (const [booking, round] of sentBookings()) {
        expect((await sign(0, booking.artist)).status).toBe(200);
        const [signed, declined] = await Promise.all([
          sign(round, booking.promoter),
          decline(round + 1, booking.promoter),
        ]);
        expect([signed.status, declined.status].filter((status) => status === 200).length).toBe(1);
        const end = await endOf(booking.id);
        expect(end).toMatchObject(
          signed.status === 200
            ? { booking: "contract_signed", contract: "signed", refunded: 0 }
            : { booking: "canceled", contract: "declined", refunded: declined.body.refund_cents },
        );
      }
    },
  );

  test(
    `signs before a concurrent cancellation or voids the contract in ${rounds} rounds`,
    { timeout: 900_000 },
    async () => {
      for await (const [booking, round] of sentBookings()) {
        expect((await sign(0, booking.artist)).status).toBe(200);
        const { body: preview } = await servers.send<{ refund_cents: number }>(
          0,
          `/api/bookings/${booking.id}/cancellation`,
          undefined,
          booking.cookie,
        );
        const cancel = servers.send<Page>(
          round + 1,
          `/api/bookings/${booking.id}/cancel`,
          { code: "plans_changed", note: null, expected_refund_cents: preview.refund_cents },
          booking.cookie,
        );
        const [signed, canceled] = await Promise.all([sign(round, booking.promoter), cancel]);
        expect(canceled.status, canceled.body.message).toBe(200);
        const end = await endOf(booking.id);
        expect(end).toMatchObject({ booking: "canceled", refunded: preview.refund_cents });
        expect([end.contract, end.acts.includes("voided")]).toEqual(
          signed.status === 200 ? ["signed", false] : ["sent", true],
        );
      }
      expect(await moneyOffences(servers)).toEqual([]);
    },
  );
}
