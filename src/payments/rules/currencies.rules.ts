/** Supported currencies, all with two decimals, and the provider's minimum charge in each (minor units). */
export const currencies = {
  usd: { min: 50 },
  eur: { min: 50 },
  gbp: { min: 30 },
  cad: { min: 50 },
  aud: { min: 50 },
  nzd: { min: 50 },
  chf: { min: 50 },
  sek: { min: 300 },
  nok: { min: 300 },
  dkk: { min: 250 },
  pln: { min: 200 },
  mxn: { min: 1000 },
  brl: { min: 50 },
  sgd: { min: 50 },
  hkd: { min: 400 },
} as const;

export type Currency = keyof typeof currencies;

export const defaultCurrency = "usd" satisfies Currency;

export const isCurrency = (code: string): code is Currency => Object.hasOwn(currencies, code);
