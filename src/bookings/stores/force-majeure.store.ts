/** SQL of proposals to end a booking by agreement. The caller locks the booking before a write. */

import { type Selectable, sql } from "kysely";
import type { DB, Reader, Tx } from "#platform/db/index.ts";
import type { AgreementOutcome } from "../rules/force-majeure.rules.ts";

export type Proposal = Selectable<DB["force_majeure_proposals"]>;

const proposals = (reader: Reader, bookingId: string) =>
  reader.selectFrom("force_majeure_proposals").selectAll().where("booking_id", "=", bookingId);

export const proposalsOf = (reader: Reader, bookingId: string): Promise<Proposal[]> =>
  proposals(reader, bookingId).orderBy("proposed_at").orderBy("id").execute();

export const findOpenProposal = (reader: Reader, bookingId: string): Promise<Proposal | undefined> =>
  proposals(reader, bookingId).where("closed_at", "is", null).executeTakeFirst();

export const insertProposal = async (tx: Tx, proposal: Omit<Proposal, "id" | "closed_at" | "outcome">) =>
  (
    await tx
      .insertInto("force_majeure_proposals")
      .values(proposal)
      .onConflict((on) => on.column("booking_id").where("closed_at", "is", null).doNothing())
      .returning("id")
      .executeTakeFirst()
  )?.id;

export const closeProposal = (tx: Tx, bookingId: string, outcome: AgreementOutcome, now: Date) =>
  tx
    .updateTable("force_majeure_proposals")
    .set({ closed_at: now, outcome })
    .where("booking_id", "=", bookingId)
    .where("closed_at", "is", null)
    .execute();

/** Returns bookings whose proposal has expired. In random order, because failing ones must not block the others. */
export const expiredProposals = (reader: Reader, now: Date, limit: number) =>
  reader
    .selectFrom("force_majeure_proposals")
    .select("booking_id as id")
    .where("closed_at", "is", null)
    .where("expires_at", "<=", now)
    .orderBy(sql`random()`)
    .limit(limit)
    .execute();
