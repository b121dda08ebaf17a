export const methodLabels: Readonly<Record<string, string>> = {
  typed: "signed by typing",
  clicked: "accepted by click",
  drawn: "signed by drawing",
  attested: "attested on paper",
  recorded: "recorded without proof",
};
