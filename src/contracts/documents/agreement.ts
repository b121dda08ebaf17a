/** Makes the agreement of a contract: the document that both parties read and sign. */
import type { ContractTerms } from "../rules/contract.rules.ts";
import { type AgreementContext, agreementFacts } from "./variables.ts";
import { makePdf, type Page, type PdfDocument } from "./pdf-page.ts";
import {
  type AgreementTemplate,
  type AgreementText,
  fillTemplate,
  quoteMark,
  type TemplateVariable,
} from "../rules/template.rules.ts";

type Parts = { template: AgreementTemplate; terms: ContractTerms; context: AgreementContext };

/** Composes the text of an agreement, for preview and document. `unknown` is printed for what a preview does not know yet. */
export function composeAgreement(
  { template, terms, context }: Parts,
  unknown: Partial<Record<TemplateVariable, string>> = {},
): AgreementText {
  const facts = agreementFacts(terms, context, template.firstSigner);
  return fillTemplate(template, { ...facts, variables: { ...facts.variables, ...unknown } });
}

/** Text in a party's own words is set in deeper, with the mark beside each paragraph, so that a line of it never stands like a clause. */
function writeClause(page: Page, clause: string, number: string): void {
  if (!clause.startsWith(quoteMark)) return page.paragraph(clause, { indent: 30, label: number });
  for (const paragraph of clause.split("\n"))
    page.paragraph(paragraph.slice(quoteMark.length), { indent: 54, label: `${number} ${quoteMark}` });
}

/** Draws the agreement. The same terms, context and template give the same bytes. */
export function makeAgreement(agreement: Parts & { termsHash: string }): Promise<PdfDocument> {
  const { terms, termsHash, context } = agreement;
  const text = composeAgreement(agreement);
  const foot = [`${text.title}, booking ${context.number}`, `Fingerprint of the terms (SHA-256): ${termsHash}`];
  return makePdf({ title: `${text.title} ${context.number}`, foot }, (page) => {
    page.title(text.title);
    page.paragraph(`between ${terms.promoter.name} (the promoter) and ${terms.artist.name} (the artist)`);
    text.sections.forEach(({ heading, clauses }, index) => {
      page.heading(`${index + 1}. ${heading}`);
      clauses.forEach((clause, at) => writeClause(page, clause, `${index + 1}.${at + 1}`));
    });
    for (const [side, name] of [
      ["promoter", terms.promoter.name],
      ["artist", terms.artist.name],
    ] as const)
      page.paragraph(`${name}, ${side}: signs electronically; see the certificate of the signed copy.`, {
        small: true,
      });
  });
}
