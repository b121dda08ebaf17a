/** Renders the table of personal data. `npx vitest run --project postgres test/data/personal-data.test.ts -u` writes it. */

import type { ListedTable } from "#platform/personal-data/data-export.ts";
import { isRetained, retentionReasons, type PersonalData } from "#platform/personal-data/personal-data.ts";

export function personalDataDocument(lists: readonly ListedTable[]): string {
  const rows = lists.flatMap(({ table, personal }) => (personal ? [section(table, personal)] : []));
  const reasons = Object.entries(retentionReasons).map(([name, text]) => `- **${name}**: ${text}`);
  return [
    "# Personal data",
    "Where personal data is stored, why, for how long, and what deleting an account does with it. Written from the lists in `src/app/personal-data` by a test.",
    "The nightly job `enforce-retention` applies the age limits. A deleted account's rows are found by the account, its proven address and its proven number.",
    "## Why something stays",
    reasons.join("\n"),
    "## Tables",
    ...rows,
    "",
  ]
    .join("\n\n")
    .replace(/\n+$/, "\n");
}

function section(table: string, personal: PersonalData<string>): string {
  const columns = Object.entries(personal.columns);
  const retained = columns.filter(([, value]) => isRetained(value));
  const removed = columns.filter(([, value]) => !isRetained(value)).map(([column]) => `\`${column}\``);
  const deletion = { delete: "rows deleted", clear: "cleared", keep: "", module: "removed by the module" }[
    personal.erase
  ];
  const lines = [
    ...(removed.length > 0 && deletion ? [`- When the account is deleted, ${deletion}: ${removed.join(", ")}`] : []),
    ...(personal.deletedWhere
      ? [`- When the account is deleted, rows deleted where \`${personal.deletedWhere}\``]
      : []),
    ...retained.map(([column, value]) => `- Kept (${isRetained(value) ? value.retained : ""}): \`${column}\``),
    ...(personal.nightly ?? []).map(
      ({ action, days, since, where }) =>
        `- Every night: ${action === "delete" ? "rows deleted" : "cleared"} ${days} days after \`${since}\`${where ? `, where \`${where.replaceAll(/\s+/g, " ")}\`` : ""}`,
    ),
  ];
  return [`### ${table}`, personal.reason, lines.join("\n")].join("\n\n");
}
