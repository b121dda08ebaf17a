import { z } from "zod";

const amountRow = z.object({ label: z.string(), amount: z.string(), isSum: z.boolean() });

const agreementClause = z
  .union([z.string(), z.array(amountRow)])
  .describe("Text, or a list of amounts. A paragraph that begins with '> ' quotes a party");

export const agreementText = z.object({
  title: z.string(),
  sections: z.array(z.object({ heading: z.string(), clauses: z.array(agreementClause) })),
});

export const documentText = z.object({
  title: z.string(),
  parties: z.string(),
  sections: z.array(
    z.object({
      number: z.string(),
      heading: z.string(),
      page: z.int(),
      clauses: z.array(z.object({ number: z.string(), content: agreementClause, page: z.int() })),
    }),
  ),
  signatures: z.array(z.string()).optional(),
  pages: z.int(),
});
