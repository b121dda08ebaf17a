import { isContractProcedure } from "@orpc/contract";
import { accessLevels } from "#app/http/api-reference.ts";
import { api } from "#app/routing/api.ts";
import type { Access } from "#platform/http/api.ts";

type Declared = { "~orpc": { meta: { access?: Access }; route: { method?: string; path?: string; summary?: string } } };
type Row = { access: Access; method: string; path: string; summary: string };

function rowsOf(part: unknown): Row[] {
  if (!isContractProcedure(part)) return part && typeof part === "object" ? Object.values(part).flatMap(rowsOf) : [];
  const { meta, route } = (part as Declared)["~orpc"];
  // An endpoint without a level is for admins (app/edge.ts).
  return [
    {
      access: meta.access ?? "admin",
      method: route.method ?? "POST",
      path: `/api${route.path ?? ""}`,
      summary: route.summary ?? "",
    },
  ];
}

/** Returns the text of docs/access.md, which lists the access of every endpoint, formatted. */
export function accessDocument(): string {
  const rows = rowsOf(api);
  const sections = Object.entries(accessLevels).map(([level, who]) => {
    const own = rows
      .filter(({ access }) => access === level)
      .toSorted((a, b) => order(a).localeCompare(order(b), "en"));
    return `## ${level}\n\nFor ${who}.\n\n${table(
      ["call", "what it does"],
      own.map((row) => [`\`${row.method} ${row.path}\``, row.summary]),
    )}`;
  });
  return `${introduction}\n\n${sections.join("\n\n")}\n`;
}

const order = ({ path, method }: Row) => `${path} ${method}`;

function table(head: string[], rows: string[][]): string {
  const all = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_cell, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const [first = [], ...rest] = all;
  return [line(first), line(widths.map((width) => "-".repeat(width))), ...rest.map(line)].join("\n");
}

const introduction = `# Who may call what

Made by \`node scripts/access-docs.ts\` from the declarations of the endpoints. A test fails if the two differ. The level is checked before any handler runs (\`platform/http/access.ts\`). A row of another user gets the same response as a missing row. Every combination of endpoint, role and row is tested in \`test/data/role-matrix.test.ts\`.

Beside these: accounts follow the GoTrue protocol under \`/auth/v1\`, whose calls check the bearer token themselves. \`/api/webhooks/…\` accept signed messages only. \`POST /api/artist/media/{photo|video}\` and \`POST /api/artist/samples\` accept uploads of artists. \`/storage/artist-media/…\` serves them publicly. \`/livez\` and \`/readyz\` are public. \`/metrics\` requires a request from this machine or the \`METRICS_TOKEN\`. \`/dev/…\` and \`/api/dev/…\` exist in demo mode only, for direct requests from this machine.`;
