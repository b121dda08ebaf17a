import type { ContractSide } from "#contracts/rules.ts";
import type { ClauseCondition, TemplateText } from "#contracts/rules/template.rules.ts";

type Keyed = Readonly<{ key: number }>;
export type ClauseDraft = Keyed & Readonly<{ text: string; when: ClauseCondition | "" }>;
export type SectionDraft = Keyed &
  Readonly<{ heading: string; when: ClauseCondition | ""; clauses: readonly ClauseDraft[] }>;
export type TemplateDraft = Readonly<{
  name: string;
  title: string;
  sections: readonly SectionDraft[];
  firstSigner: ContractSide | null;
}>;

let made = 0;
const keyed = <T extends object>(value: T): T & Keyed => ({ ...value, key: (made += 1) });

export const draftOf = ({ title, sections, firstSigner }: TemplateText, name: string): TemplateDraft => ({
  name,
  title,
  firstSigner,
  sections: sections.map(({ heading, when, clauses }) =>
    keyed({
      heading,
      when: when ?? ("" as const),
      clauses: clauses.map((one) => keyed({ text: one.text, when: one.when ?? ("" as const) })),
    }),
  ),
});

export const textOf = ({ title, sections, firstSigner }: TemplateDraft) => ({
  title: title.trim(),
  firstSigner,
  sections: sections.map(({ heading, when, clauses }) => ({
    heading: heading.trim(),
    ...(when ? { when } : {}),
    clauses: clauses.map((one) => ({ text: one.text.trim(), ...(one.when ? { when: one.when } : {}) })),
  })),
});

export const inputOf = (draft: TemplateDraft) => {
  const { firstSigner, ...text } = textOf(draft);
  return { ...text, first_signer: firstSigner };
};

export const emptyClause = (): ClauseDraft => keyed({ text: "", when: "" as const });
export const emptySection = (): SectionDraft => keyed({ heading: "", when: "" as const, clauses: [emptyClause()] });

export const withChanged = <T extends Keyed>(list: readonly T[], key: number, change: Partial<T>): T[] =>
  list.map((one) => (one.key === key ? { ...one, ...change } : one));

export const without = <T extends Keyed>(list: readonly T[], key: number): T[] => list.filter((one) => one.key !== key);

export function movedUp<T extends Keyed>(list: readonly T[], key: number): T[] {
  const at = list.findIndex((one) => one.key === key);
  const [one, before] = [list[at], list[at - 1]];
  return one && before ? [...list.slice(0, at - 1), one, before, ...list.slice(at + 1)] : [...list];
}

export const insertAt = (text: string, at: number, what: string): string => text.slice(0, at) + what + text.slice(at);

export function changedParts(stored: TemplateDraft, draft: TemplateDraft): string[] {
  const count = Math.max(stored.sections.length, draft.sections.length);
  return [
    ...(stored.name === draft.name ? [] : ["name"]),
    ...(stored.title === draft.title ? [] : ["title"]),
    ...(stored.firstSigner === draft.firstSigner ? [] : ["signing order"]),
    ...Array.from({ length: count }, (_, at) => at)
      .filter((at) => stored.sections[at] !== draft.sections[at])
      .map((at) => `section ${at + 1}`),
  ];
}
