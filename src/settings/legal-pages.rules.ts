/** Web pages of the operator that the footer of every page and email links to. An empty address has no link. */
export const legalPageNames = { imprintUrl: "Imprint", privacyUrl: "Privacy", termsUrl: "Terms" } as const;
export type LegalPages = Readonly<Record<keyof typeof legalPageNames, string>>;

export const legalLinks = (pages: LegalPages): { label: string; href: string }[] =>
  (Object.keys(legalPageNames) as (keyof LegalPages)[]).flatMap((name) =>
    pages[name] ? [{ label: legalPageNames[name], href: pages[name] }] : [],
  );
