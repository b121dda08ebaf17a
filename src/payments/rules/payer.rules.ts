/** The payer in place of the promoter. The receipt names the payer and is sent to them. */
export type Payer = Readonly<{ name: string; email: string; company: string; taxId: string }>;
