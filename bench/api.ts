/** The API against the bare server, turn and turn about so that both meet the same machine. */
import { atLeast, type Figure, told } from "./report.ts";
import { type BenchFixture, throughput } from "./fixture.ts";

/** Design, section 9: at least half of the bare server's throughput. */
const bar = 0.5;
/** Whoever sends this header gets an answer made anew; everybody else may get a kept one (decision 18). */
const anew = { authorization: "none" };

export async function benchApi(stage: BenchFixture): Promise<Figure[]> {
  const first = await stage.database.db
    .selectFrom("artists")
    .select("slug")
    .where("is_active", "=", true)
    .limit(1)
    .executeTakeFirstOrThrow();
  const pairs = [
    { what: "list of 24 artists", ours: "/api/artists?limit=24", theirs: "/artists" },
    { what: "one artist by slug", ours: `/api/artists/${first.slug}`, theirs: `/artists/${first.slug}` },
  ];
  const figures: Figure[] = [];
  for (const { what, ours, theirs } of pairs) {
    const a = await throughput(stage.rival + theirs);
    const b = await throughput(stage.product + ours);
    const made = await throughput(stage.product + ours, anew);
    const c = await throughput(stage.rival + theirs);
    const bare = (a + c) / 2;
    figures.push(atLeast(what, b / bare, bar, "of bare", `${Math.round(b)}/s against ${Math.round(bare)}/s`));
    figures.push(told(`${what}, every answer made anew`, made / bare, "of bare", `${Math.round(made)}/s`));
  }
  return figures;
}
