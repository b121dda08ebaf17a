/** Finds the faults of a template. Pure: the server rejects by it, and the editor shows the same messages at the same fields. */

import {
  type ClauseCondition,
  clauseMarks,
  type TemplateText,
  type TemplateVariable,
  unknownVariables,
} from "./template.rules.ts";

export const templateLimits = { title: 120, sections: 40, heading: 120, clauses: 40, clause: 2_000 } as const;

export type TemplateFault = Readonly<{ field: string; message: string }>;

/** Variables that can be empty: a clause with one needs the condition. */
const conditional: Readonly<Partial<Record<TemplateVariable, ClauseCondition>>> = {
  special_requests: "has_special_requests",
  guest_count: "has_guest_count",
};

const required: readonly Readonly<{
  mark: TemplateVariable | keyof typeof clauseMarks;
  or?: TemplateVariable | keyof typeof clauseMarks;
  what: string;
  under: readonly (ClauseCondition | undefined)[];
}>[] = [
  { mark: "number", what: "the number of the booking", under: [undefined] },
  { mark: "promoter_party", or: "promoter_name", what: "the promoter", under: [undefined] },
  { mark: "artist_party", or: "artist_name", what: "the artist", under: [undefined] },
  { mark: "event_date", what: "the date", under: [undefined] },
  { mark: "start_time", what: "the beginning", under: [undefined] },
  { mark: "time_zone", what: "the time zone", under: [undefined] },
  { mark: "venue_name", or: "venue", what: "the venue", under: [undefined] },
  { mark: "set_length", what: "the set length", under: [undefined] },
  { mark: "fee", or: "amounts", what: "the fee", under: [undefined] },
  { mark: "deposit", or: "amounts", what: "the deposit", under: [undefined, "has_deposit"] },
  { mark: "balance", or: "amounts", what: "the balance", under: [undefined, "has_balance"] },
  { mark: "balance_due", or: "amounts", what: "when the balance is due", under: [undefined, "has_balance"] },
  { mark: "special_requests", what: "the special requests", under: ["has_special_requests"] },
  { mark: "cancellation_terms", what: "what a cancellation costs", under: [undefined] },
];

const marksIn = (text: string): string[] => [...text.matchAll(/\{\{\s*([\w.]+)\s*\}\}/g)].map(([, name = ""]) => name);

export function checkTemplate({ title, sections, firstSigner }: TemplateText): TemplateFault[] {
  const faults: TemplateFault[] = [];
  const found = new Map<string, Set<ClauseCondition | undefined>>();
  const checkText = (
    field: string,
    text: string,
    {
      conditions = [],
      isClause = false,
    }: { conditions?: readonly (ClauseCondition | undefined)[]; isClause?: boolean },
  ) => {
    const message = faultOf(text, { conditions, isClause }) ?? orderFaultOf(text, firstSigner);
    if (message) faults.push({ field, message });
    // Only a clause is always printed. A heading is left out with its section if none of its clauses is printed.
    if (!isClause) return;
    const given = conditions.filter((condition) => condition !== undefined);
    for (const name of marksIn(text)) {
      const under = found.get(name) ?? new Set();
      // Under two different conditions a clause is printed less often than under each of them.
      if (new Set(given).size < 2) under.add(given[0]);
      found.set(name, under);
    }
  };
  checkText("title", title, {});
  sections.forEach((section, at) => {
    checkText(`sections.${at}.heading`, section.heading, { conditions: [section.when] });
    section.clauses.forEach((clause, index) =>
      checkText(`sections.${at}.clauses.${index}.text`, clause.text, {
        conditions: [section.when, clause.when],
        isClause: true,
      }),
    );
  });
  for (const { mark, or = mark, what, under } of required)
    if (!under.some((condition) => found.get(mark)?.has(condition) || found.get(or)?.has(condition)))
      faults.push({
        field: "sections",
        message: under.includes(undefined)
          ? `A contract must always state ${what}: put {{${mark}}} into a clause.`
          : `A contract must state ${what}: put {{${mark}}} into a clause that is printed only if there are some.`,
      });
  if (firstSigner !== null && !found.get("signing_order")?.has(undefined))
    faults.push({
      field: "sections",
      message: "A contract with a signing order must always state it: put {{signing_order}} into a clause.",
    });
  return faults;
}

function orderFaultOf(text: string, firstSigner: TemplateText["firstSigner"]): string | undefined {
  if (firstSigner === null || !/\b(either|any)\b[^.;:]*\bmay sign first\b/i.test(text)) return undefined;
  return `By its signing order the ${firstSigner} signs first: write {{signing_order}} instead.`;
}

function faultOf(
  text: string,
  { conditions, isClause }: { conditions: readonly (ClauseCondition | undefined)[]; isClause: boolean },
): string | undefined {
  const [unknown] = unknownVariables(text);
  if (unknown !== undefined) return `There is no variable {{${unknown}}}.`;
  if (/\{\{|\}\}/.test(text.replaceAll(/\{\{\s*[\w.]+\s*\}\}/g, "")))
    return "A variable is written as {{name}}: here a brace is missing, or there is one too many.";
  const marks = marksIn(text);
  for (const [name, becomes] of Object.entries(clauseMarks)) {
    if (!marks.includes(name)) continue;
    if (!isClause) return `{{${name}}} must have a clause of its own.`;
    if (text.trim() !== `{{${name}}}`) return `{{${name}}} must be alone in its clause: ${becomes}.`;
  }
  for (const [name, condition] of Object.entries(conditional))
    if (marks.includes(name) && !conditions.includes(condition))
      return `{{${name}}} can be empty: print this clause only if it has a value.`;
  return undefined;
}
