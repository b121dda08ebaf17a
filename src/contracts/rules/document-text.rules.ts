import type { AgreementClause } from "./template.rules.ts";

/** Pages are counted from 1: the page of the file on which the part begins. */
export type NumberedSection = Readonly<{
  number: string;
  heading: string;
  page: number;
  clauses: Readonly<{ number: string; content: AgreementClause; page: number }>[];
}>;

export type DocumentText = Readonly<{
  title: string;
  parties: string;
  sections: NumberedSection[];
  /** The last line of documents until November 2026. */
  signatures?: string[];
  pages: number;
}>;
