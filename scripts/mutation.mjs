/** npm run test:mutation: writes the share of mutants of the money rules that tests detect to docs/mutation-score.md. Fails below 90 %. */

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openPostgres } from "./postgres/postgres.mjs";
import { environmentFor, prepare } from "./setup.mjs";
import { command, root, run, step, StepFailed } from "./steps.mjs";

const report = path.join(root, "test-results", "mutation.json");

await command(async () => {
  const node = await prepare();
  const postgres = await step("Starting PostgreSQL for the tests", openPostgres);
  if (!postgres)
    throw new StepFailed("The mutation run needs PostgreSQL 15 or later: install it, or set DATABASE_URL_TEST.");
  try {
    const stryker = path.join(root, "node_modules/@stryker-mutator/core/bin/stryker.js");
    const env = environmentFor(node, { DATABASE_URL_TEST: postgres.url, TEST_ENGINE: "postgres" });
    const { code } = await run(node, [stryker, "run", ...process.argv.slice(2)], { env });
    if (process.argv.length === 2) writeScore(JSON.parse(readFileSync(report, "utf8")));
    process.exitCode = code;
  } finally {
    await postgres.stop();
  }
});

/** Writes one row for each file and one for all of them. A timeout counts as detected. */
function writeScore({ files }) {
  const rows = Object.entries(files).map(([file, { mutants }]) => {
    const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
    return { file: `\`${file}\``, noticed: count("Killed", "Timeout"), missed: count("Survived", "NoCoverage") };
  });
  const total = { file: "**all**", noticed: 0, missed: 0 };
  for (const { noticed, missed } of rows) {
    total.noticed += noticed;
    total.missed += missed;
  }
  const row = ({ file, noticed, missed }) =>
    `| ${file} | ${noticed + missed} | ${noticed} | ${((100 * noticed) / (noticed + missed)).toFixed(1)} % |`;
  const page = [
    "# Mutation score of the money rules",
    "",
    "Written by `npm run test:mutation`. Each row counts the changes that were made to a file and those that a test noticed",
    "([decision 90](decisions/0090-test-tiers-and-engines.md)). The target is 90 % of all changes.",
    "",
    "| file | changes | noticed | score |",
    "| --- | ---: | ---: | ---: |",
    ...rows.map(row),
    row(total),
    "",
  ];
  writeFileSync(path.join(root, "docs", "mutation-score.md"), page.join("\n"));
}
