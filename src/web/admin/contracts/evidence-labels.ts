export const eventLabels: Readonly<Record<string, string>> = {
  sent: "Sent",
  opened: "Opened",
  code_sent: "Code sent",
  code_verified: "Code typed",
  consented: "Agreed to electronic records",
  signed: "Signed",
  attested: "Attested by an admin",
  objected: "Objected",
  objection_decided: "Objection decided",
  declined: "Declined",
  voided: "Voided",
};

/** Labels of an event's details by their evidence name. A detail without a label is shown by that name. */
export const detailLabels: Readonly<Record<string, string>> = {
  name: "Name",
  method: "Signature",
  via: "Identified by",
  reason: "Reason",
  decision: "Decision",
  by: "Admin",
  account: "Account",
  paper: "Signed document, SHA-256",
  paper_type: "Signed document, type",
  paper_bytes: "Signed document, bytes",
  terms: "Terms, SHA-256",
  text: "Text, SHA-256",
  template: "Template",
  code: "Because of",
  channel: "Sent by",
  to: "Sent to",
  supplied: "Document made",
};
