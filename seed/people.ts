import type { Promoter } from "./market.ts";
import { promoterLines } from "./people-data.ts";
import type { Random } from "./random.ts";

const guestPromoter = "Grace Abernathy";

/** Plans the promoter of the demo account first, then the others. Telephone numbers are from the block reserved for fiction. */
export function planPromoters(demo: { email: string; name: string }, now: Date, random: Random): Promoter[] {
  const lines = [
    { name: demo.name, organization: "Ellis Street Nights", location: "Austin, Texas", email: demo.email },
    ...promoterLines,
  ];
  return lines.map((line, index) => ({
    id: random.id(),
    hasAccount: line.name !== guestPromoter,
    name: line.name,
    email:
      "email" in line ? line.email : `${mailbox(line.name)}@${mailbox(line.organization).replaceAll(".", "-")}.test`,
    phone: `+1512555${String(100 + index).padStart(4, "0")}`,
    organization: line.organization,
    place: line.location,
    since: now,
  }));
}

const mailbox = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ".")
    .replace(/^\.|\.$/g, "");
