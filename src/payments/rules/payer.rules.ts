/** Who pays for the promoter: named on the receipt, which goes to this person. */
export type Payer = Readonly<{ name: string; email: string; company: string; taxId: string }>;
