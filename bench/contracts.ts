/** How long a contract of a dozen pages takes: drawn and stored, and then sealed and stored. */
import { ensureDocument } from "#bookings/contract/sending.ts";
import { sealContract } from "#bookings/contract/document/sealing.ts";
import { contractOf, documentOf } from "#contracts/index.ts";
import { testApp } from "#test/test-app.ts";
import { atMost, type Figure, quantile } from "./report.ts";

const rounds = 25;
const bar = 300;

/** Special requests that fill a dozen pages; a usual contract has two. */
const longRequests = Array.from(
  { length: 450 },
  (_, line) => `${line + 1}. The artist gets water, towels and a table with light and a mirror, away from the guests.`,
).join(" ");

export async function benchContracts(): Promise<Figure[]> {
  await using app = await testApp({ engine: "postgres" });
  const { services, database } = app;
  const drawn: number[] = [];
  const sealed: number[] = [];
  let pages = 0;
  for (let round = 0; round <= rounds; round++) {
    const { id } = await app.make.booking({ status: "contract_signed", now: app.clock.now() });
    const { terms } = await database.db
      .selectFrom("contracts")
      .select("terms")
      .where("booking_id", "=", id)
      .executeTakeFirstOrThrow();
    const { event, ...rest } = terms as { event: object };
    const long = JSON.stringify({ ...rest, event: { ...event, specialRequests: longRequests } });
    await database.db.updateTable("contracts").set({ terms: long }).where("booking_id", "=", id).execute();
    const began = performance.now();
    await ensureDocument(services, id);
    const stored = performance.now();
    await sealContract(services, id);
    const ended = performance.now();
    // The first one loads the typefaces and makes the certificate, once for an installation.
    if (round === 0) {
      const contract = await contractOf(database.db, id);
      pages = (await documentOf(database.db, contract?.id ?? "", ["agreement"]))?.pages ?? 0;
      continue;
    }
    drawn.push(stored - began);
    sealed.push(ended - began);
  }
  const note = `median of ${rounds}, ${pages} pages, PostgreSQL`;
  return [
    atMost("contract, drawn and stored as PDF", quantile(drawn, 0.5), bar, "ms", note),
    atMost("contract, drawn, sealed and stored", quantile(sealed, 0.5), bar, "ms", note),
  ];
}
