/** What an agreement says, as data: stored with its file and shown on the page where it is read and signed. */
import type { AgreementClause } from "./template.rules.ts";

/** Pages are counted from 1; each is the page of the file on which the part begins. */
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
  /** What stands at the end instead of ink. */
  signatures: string[];
  pages: number;
}>;
