import type { ContractTerms } from "../rules/contract.rules.ts";
import type { NumberedSection } from "../rules/document-text.rules.ts";
import {
  type AgreementClause,
  type AgreementTemplate,
  type AgreementText,
  fillTemplate,
  quoteMark,
  type TemplateVariable,
} from "../rules/template.rules.ts";
import { loadPrintable, type Printable } from "./pdf-library.ts";
import { makePdf, type Page } from "./pdf-page.ts";
import { type AgreementContext, agreementValues } from "./variables.ts";

type Parts = { template: AgreementTemplate; terms: ContractTerms; context: AgreementContext };

/** Composes the text of an agreement, for preview and document, in printable characters. `unknown` has placeholders for a preview. */
export async function composeAgreement(
  { template, terms, context }: Parts,
  unknown: Partial<Record<TemplateVariable, string>> = {},
): Promise<AgreementText> {
  const printable = await loadPrintable();
  const values = agreementValues(terms, context, template.firstSigner);
  const { title, sections } = fillTemplate(template, { ...values, variables: { ...values.variables, ...unknown } });
  return {
    title: printable(title),
    sections: sections.map(({ heading, clauses }) => ({
      heading: printable(heading),
      clauses: clauses.map((clause) => printableClause(clause, printable)),
    })),
  };
}

const printableClause = (clause: AgreementClause, printable: Printable): AgreementClause =>
  typeof clause === "string"
    ? printable(clause)
    : clause.map((row) => ({ ...row, label: printable(row.label), amount: printable(row.amount) }));

const indent = 30;

/** Indents text in a party's own words, with the mark beside each paragraph. It must not look like a clause. */
function writeQuote(page: Page, clause: string, number: string): number {
  const [begins = 1] = clause
    .split("\n")
    .map((paragraph) =>
      page.paragraph(paragraph.slice(quoteMark.length), { indent: 54, label: `${number} ${quoteMark}`, isWhole: true }),
    );
  return begins;
}

function writeClause(page: Page, clause: AgreementClause, number: string): number {
  if (typeof clause !== "string") {
    const [begins = 1] = clause.map(({ label, amount, isSum }, at) =>
      page.row(label, amount, { bold: isSum, rule: isSum, indent, number: at === 0 ? number : "" }),
    );
    return begins;
  }
  return clause.startsWith(quoteMark)
    ? writeQuote(page, clause, number)
    : page.paragraph(clause, { indent, label: number, isWhole: true });
}

/** Draws the agreement. The same terms, context and template give the same bytes. `text` is the written text with its pages. */
export async function makeAgreement(agreement: Parts & { termsHash: string }) {
  const { terms, termsHash, context } = agreement;
  const { title, sections } = await composeAgreement(agreement);
  const printable = await loadPrintable();
  const foot = [`${title}, booking ${context.number}`, `Fingerprint of the terms (SHA-256): ${termsHash}`];
  const promoter = printable(terms.promoter.name);
  const artist = printable(terms.artist.name);
  const parties = `between ${promoter} (the promoter) and ${artist} (the artist)`;
  const numbered: NumberedSection[] = [];
  const document = await makePdf({ title: `${title} ${context.number}`, foot, hasMark: true }, (page) => {
    page.title(title);
    page.paragraph(parties);
    sections.forEach(({ heading, clauses }, index) => {
      const number = `${index + 1}`;
      numbered.push({
        number,
        heading,
        page: page.heading(`${number}. ${heading}`),
        clauses: clauses.map((content, at) => {
          const own = `${number}.${at + 1}`;
          return { number: own, content, page: writeClause(page, content, own) };
        }),
      });
    });
  });
  return { document, text: { title, parties, sections: numbered, pages: document.pages } };
}
