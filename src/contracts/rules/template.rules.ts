/** The text of an agreement as data: headings and clauses with variables, optionally under a condition. Pure. */

import type { ContractSide } from "./contract.rules.ts";

export const clauseConditions = [
  "has_deposit",
  "has_balance",
  "has_special_requests",
  "has_guest_count",
  "has_commission",
  "policy_flexible",
  "policy_standard",
  "policy_strict",
] as const;
export type ClauseCondition = (typeof clauseConditions)[number];

export const conditionLabels: Readonly<Record<ClauseCondition, string>> = {
  has_deposit: "only with a deposit",
  has_balance: "only with a balance that a card can pay",
  has_special_requests: "only with special requests",
  has_guest_count: "only with a number of guests",
  has_commission: "only with a commission",
  policy_flexible: "only under the flexible cancellation policy",
  policy_standard: "only under the standard cancellation policy",
  policy_strict: "only under the strict cancellation policy",
};

export const templateVariables = [
  "number",
  "artist_name",
  "artist_party",
  "promoter_name",
  "promoter_party",
  "promoter_email",
  "promoter_phone",
  "event_date",
  "start_time",
  "end_time",
  "time_zone",
  "set_length",
  "event_type",
  "guest_count",
  "venue",
  "venue_name",
  "venue_address",
  "special_requests",
  "fee",
  "deposit",
  "deposit_percent",
  "balance",
  "balance_due",
  "commission_percent",
  "cancellation_policy",
  "signing_order",
] as const;
export type TemplateVariable = (typeof templateVariables)[number];

export const signingOrderText = (firstSigner: ContractSide | null): string =>
  firstSigner === null ? "either may sign first" : `the ${firstSigner} signs first`;

export const quoteMark = "> ";

export const cancellationTermsMark = "{{cancellation_terms}}";
export const amountsMark = "{{amounts}}";
export const clauseMarks = {
  cancellation_terms: "it becomes one clause for each step of the policy",
  amounts: "it becomes the list of deposit, balance and fee",
} as const;

type Clause = Readonly<{ text: string; when?: ClauseCondition | undefined }>;
type Section = Readonly<{ heading: string; when?: ClauseCondition | undefined; clauses: readonly Clause[] }>;
export type TemplateText = Readonly<{ title: string; sections: readonly Section[]; firstSigner: ContractSide | null }>;
export type AgreementTemplate = TemplateText & Readonly<{ id: string; version: number }>;

/** `has_direct_balance`: the balance is too small for a card, and is paid directly to the artist. */
export type AgreementCondition = ClauseCondition | "has_direct_balance";

export type TemplateValues = Readonly<{
  variables: Readonly<Record<TemplateVariable, string>>;
  conditions: ReadonlySet<AgreementCondition>;
  cancellationTerms: readonly string[];
}>;

export type AmountRow = Readonly<{ label: string; amount: string; isSum: boolean }>;

/** A clause is text, or a list of amounts. Each paragraph of a party's own words begins with the quote mark. */
export type AgreementClause = string | AmountRow[];

export type AgreementText = Readonly<{
  title: string;
  sections: Readonly<{ heading: string; clauses: AgreementClause[] }>[];
}>;

type Row = Readonly<AmountRow & { when?: AgreementCondition }>;

const amountRows: readonly Row[] = [
  {
    label: "Deposit, {{deposit_percent}} of the fee, due at booking",
    amount: "{{deposit}}",
    isSum: false,
    when: "has_deposit",
  },
  {
    label: "Balance, due on {{balance_due}}, or when both have signed if that is later",
    amount: "{{balance}}",
    isSum: false,
    when: "has_balance",
  },
  {
    label: "Balance, paid directly to the artist",
    amount: "{{balance}}",
    isSum: false,
    when: "has_direct_balance",
  },
  { label: "Fee", amount: "{{fee}}", isSum: true },
];

const variable = /\{\{\s*([\w.]+)\s*\}\}/g;

export const unknownVariables = (text: string): string[] =>
  [...text.matchAll(variable)]
    .map((match) => match[1] ?? "")
    .filter((name) => !Object.hasOwn(clauseMarks, name) && !templateVariables.some((known) => known === name));

/** Returns whether a clause without a condition states the balance. A template can also state it only under `has_balance`. */
const alwaysStatesBalance = ({ sections }: TemplateText): boolean =>
  sections.some(
    (section) =>
      !section.when &&
      section.clauses.some(({ text, when }) => !when && /\{\{\s*(?:amounts|balance)\s*\}\}/.test(text)),
  );

/** Fills a template. Values are inserted once and never read as templates again. Throws for an unknown variable. */
export function fillTemplate(template: AgreementTemplate, values: TemplateValues): AgreementText {
  const isMet = (condition: AgreementCondition | undefined) =>
    condition === undefined || values.conditions.has(condition);
  const statesEveryBalance = alwaysStatesBalance(template);
  const applies = (condition: ClauseCondition | undefined) =>
    isMet(condition) || (condition === "has_balance" && !statesEveryBalance && isMet("has_direct_balance"));
  const fill = (text: string) =>
    text.replaceAll(variable, (_mark, name: string) => {
      if (!Object.hasOwn(values.variables, name)) throw new Error(`the template names the unknown variable "${name}"`);
      return values.variables[name as TemplateVariable];
    });
  const amounts = (): AmountRow[] =>
    amountRows
      .filter(({ when }) => isMet(when))
      .map(({ label, amount, isSum }) => ({ label: fill(label), amount: fill(amount), isSum }));
  const clausesOf = (text: string): readonly AgreementClause[] => {
    if (text.trim() === cancellationTermsMark) return values.cancellationTerms;
    return [text.trim() === amountsMark ? amounts() : fill(text)];
  };
  return {
    title: fill(template.title),
    sections: template.sections
      .filter((section) => applies(section.when))
      .map((section) => ({
        heading: fill(section.heading),
        clauses: section.clauses.filter((clause) => applies(clause.when)).flatMap(({ text }) => clausesOf(text)),
      }))
      .filter(({ clauses }) => clauses.length > 0),
  };
}
