/**
 * Measures a contract of a dozen pages: drawn and stored, then signed and stored. The CPU time is comparable on a busy computer, and shows
 * the cost of typefaces that are parsed once per process.
 */

import { sealContract } from "#bookings/contract/document/sealing.ts";
import { ensureDocument } from "#bookings/contract/sending.ts";
import { fontFile } from "#contracts/documents/fonts.ts";
import { makePdf, type PdfDocument } from "#contracts/documents/pdf-page.ts";
import { contractOf, documentOf } from "#contracts/index.ts";
import { testApp } from "#test/test-app.ts";
import { atMost, type Figure, quantile } from "./report.ts";

const rounds = 25;
const target = 300;

/** Special requests that fill a dozen pages. A usual contract has two. */
const longRequests = Array.from(
  { length: 450 },
  (_, line) => `${line + 1}. The artist gets water, towels and a table with light and a mirror, away from the guests.`,
).join(" ");

function cpuMs(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

/** Returns the median CPU time of drawing, alternately with shared typefaces, and with ones that are parsed for each document. */
async function benchTypefaces(): Promise<{ shared: number; parsed: number }> {
  const files = { regular: fontFile("regular"), bold: fontFile("bold") };
  const times: { shared: number[]; parsed: number[] } = { shared: [], parsed: [] };
  const draw = (fonts?: typeof files): Promise<PdfDocument> =>
    makePdf(
      { title: "Agreement", foot: ["Agreement"] },
      (page) => {
        page.title("Agreement");
        page.paragraph(longRequests);
      },
      fonts,
    );
  for (let round = 0; round <= rounds; round++)
    for (const [name, fonts] of [
      ["shared", undefined],
      ["parsed", files],
    ] as const) {
      const before = process.cpuUsage();
      await draw(fonts);
      if (round > 0) times[name].push(cpuMs(before));
    }
  return { shared: quantile(times.shared, 0.5), parsed: quantile(times.parsed, 0.5) };
}

export async function benchContracts(): Promise<Figure[]> {
  await using app = await testApp({ engine: "postgres" });
  const { services, database } = app;
  const drawn: number[] = [];
  const sealed: number[] = [];
  const cpu: number[] = [];
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
    const cpuBefore = process.cpuUsage();
    const began = performance.now();
    await ensureDocument(services, id);
    const stored = performance.now();
    await sealContract(services, id);
    const ended = performance.now();
    if (round === 0) {
      const contract = await contractOf(database.db, id);
      pages = (await documentOf(database.db, contract?.id ?? "", ["agreement"]))?.pages ?? 0;
      continue;
    }
    drawn.push(stored - began);
    sealed.push(ended - began);
    cpu.push(cpuMs(cpuBefore));
  }
  const note = `median of ${rounds}, ${pages} pages, PostgreSQL`;
  const drawing = await benchTypefaces();
  return [
    atMost("contract, drawn and stored as PDF", quantile(drawn, 0.5), target, "ms", note),
    atMost("contract, drawn, sealed and stored", quantile(sealed, 0.5), target, "ms", note),
    atMost("contract, drawn, sealed and stored: CPU time", quantile(cpu, 0.5), target, "ms", note),
    atMost(
      "drawing, CPU time of shared typefaces by that of parsed ones",
      drawing.shared / drawing.parsed,
      0.7,
      "",
      `${drawing.shared.toFixed(0)} ms instead of ${drawing.parsed.toFixed(0)} ms`,
    ),
  ];
}
