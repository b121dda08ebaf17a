export type Payer = Readonly<{ name: string; email: string; company: string; taxId: string }>;
