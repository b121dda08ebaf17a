import { expect, test } from "vitest";
import { renderEmail } from "../catalog/render-email.ts";
import { editableEmails, emailCatalog, emailRecipients, emailTextProblem, fillText, paragraphsOf } from "./rules.ts";
import { emailValues, exampleParams, withText } from "./values.ts";

const texts = editableEmails.flatMap((template) =>
  emailRecipients.flatMap((reader) => {
    const text = emailCatalog[template].texts[reader];
    return text ? [{ template, reader, text }] : [];
  }),
);

test.each(texts)("has a default text of $template for the $reader that equals the product's text", (one) => {
  const params = exampleParams(one.template, one.reader, "https://stagedoor.example/");
  const written = renderEmail(one.template, params);
  const filled = withText(written, params, one.text);
  expect(filled.subject).toBe(written.subject);
  expect(filled.paragraphs).toEqual(written.paragraphs);
  expect(filled.button).toEqual(written.button);
  expect(filled.details).toEqual(written.details);
});

test.each(texts)("has an example value of every variable of $template for the $reader", ({ template, reader }) => {
  const values = emailValues(exampleParams(template, reader, "https://stagedoor.example/"));
  expect(emailCatalog[template].variables.filter((name) => !values[name])).toEqual([]);
  expect(emailTextProblem(template, "subject", emailCatalog[template].texts[reader]?.subject ?? "")).toBeUndefined();
  expect(emailTextProblem(template, "text", emailCatalog[template].texts[reader]?.text ?? "")).toBeUndefined();
});

test("does not evaluate variables in values, and ignores names of object properties", () => {
  expect(fillText("{{ a }} {{b}}{{constructor}}", { a: "{{b}}", b: "$&" })).toBe("{{b}} $&");
});

test.each([
  ["subject", " ", "Enter a subject."],
  ["text", "", "Enter a text."],
  ["subject", "a\nb", "The subject is one line."],
  ["subject", "a".repeat(151), "At most 150 characters."],
  ["text", "a".repeat(3001), "At most 3000 characters."],
  ["text", "Dear {{promoter}}", "{{promoter}} is not a variable of this email."],
  ["text", "{{__proto__}}", "{{__proto__}} is not a variable of this email."],
  ["text", "{{sign_until}}", "{{sign_until}} is not a variable of this email."],
  ["text", "{{amount", "Double braces must be in pairs"],
  ["text", "amount}}", "Double braces must be in pairs"],
] as const)("refuses the %s %j: %s", (field, text, message) => {
  expect(emailTextProblem("deposit_received", field, text)).toContain(message);
});

test("divides paragraphs at empty lines, not at single line breaks", () => {
  expect(paragraphsOf("one\ntwo\r\n\r\nthree\n \n\nfour\n")).toEqual(["one\ntwo", "three", "four"]);
});
