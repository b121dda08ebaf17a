import { z } from "zod";

type Issue = z.core.$ZodRawIssue;

const kinds: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  date: "a time",
};
const formats: Readonly<Record<string, string>> = {
  email: "This is not an email address.",
  uuid: "This is not an id.",
  date: "A date is written YYYY-MM-DD and must exist.",
  datetime: "A time is written as 2027-02-13T20:30:00Z.",
  url: "This is not the address of a page.",
};
const maxNames = 5;
const maxNameLength = 40;

/** Returns the message for an issue. Undefined leaves it to the validator's own text. */
export function validationMessage(issue: Issue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? "This is missing."
        : `This must be ${kinds[issue.expected] ?? "of another kind"}.`;
    case "too_big":
      return Number(issue.maximum) === Number.MAX_SAFE_INTEGER
        ? "This number is too large."
        : `At most ${amount(issue.maximum, issue.origin)}.`;
    case "too_small":
      if (Number(issue.minimum) === Number.MIN_SAFE_INTEGER) return "This number is too small.";
      return issue.origin === "string" && Number(issue.minimum) === 1
        ? "This is missing."
        : `At least ${amount(issue.minimum, issue.origin)}.`;
    case "invalid_format":
      if (issue.format === "email" && issue.input === "") return "Enter an email address.";
      return formats[issue.format] ?? "The format is not valid.";
    case "unrecognized_keys":
      return `Not known here: ${listed(issue.keys)}.`;
    case "invalid_value":
      return `One of ${issue.values.map(String).filter(Boolean).join(", ")}.`;
    case "invalid_union":
      return "This is not an accepted form of the value.";
    default:
      return undefined;
  }
}

function amount(limit: number | bigint, origin: string): string {
  const unit = origin === "string" ? " character" : origin === "array" ? " entry" : "";
  const one = Number(limit) === 1;
  if (unit === "") return String(limit);
  return `${limit}${one ? unit : unit === " entry" ? " entries" : `${unit}s`}`;
}

const listed = (names: readonly string[]): string =>
  names
    .slice(0, maxNames)
    .map((name) => (name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name))
    .join(", ") + (names.length > maxNames ? " and more" : "");

export const useValidationMessages = (): void => void z.config({ customError: validationMessage });
