export const methodLabels: Readonly<Record<string, string>> = {
  typed: "signed by typing",
  clicked: "accepted by click",
  drawn: "signed by drawing",
  attested: "attested on paper",
  recorded: "recorded without proof",
};

export const providerLabels: Readonly<Record<string, string>> = {
  embedded: "Built-in",
  docuseal: "DocuSeal",
  docusign: "DocuSign",
};
