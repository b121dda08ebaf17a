import { visit } from "jsonc-parser";
import { invalid, invalidField } from "../errors.ts";

export const bodyLimitBytes = 100_000;
const deepest = 32;
const forbiddenKeys = new Set(["__proto__", "constructor", "prototype"]);

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Parses a body. Throws for bad JSON, repeated or dangerous names, deep nesting, NUL characters and broken Unicode. */
export function parseBody(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw invalid("The body is not encoded as UTF-8.");
  }
  if (text.trim() === "") return undefined;
  refuseNamesAndDepth(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid("The body is not valid JSON.");
  }
  refuseText(value);
  return value;
}

function refuseNamesAndDepth(text: string): void {
  const open: Set<string>[] = [];
  const begin = () => {
    if (open.push(new Set()) > deepest) throw invalid(`The body is nested deeper than ${deepest} levels.`);
  };
  const end = () => void open.pop();
  visit(text, {
    onObjectBegin: begin,
    onObjectEnd: end,
    onArrayBegin: begin,
    onArrayEnd: end,
    onObjectProperty: (name) => {
      const names = open.at(-1);
      if (forbiddenKeys.has(name)) throw invalid(`The name "${name}" is not allowed in the body.`);
      if (names?.has(name)) throw invalid(`The name "${name}" occurs twice in the body.`);
      names?.add(name);
    },
  });
}

function refuseText(value: unknown, field = ""): void {
  if (typeof value === "string") refuseCharacters(value, field);
  else if (value && typeof value === "object") {
    for (const [name, inner] of Object.entries(value)) {
      refuseCharacters(name, field);
      refuseText(inner, field ? `${field}.${name}` : name);
    }
  }
}

/** Throws for text that PostgreSQL or an email cannot represent: NUL and lone halves of surrogate pairs. */
function refuseCharacters(text: string, field: string): void {
  if (text.includes("\0")) throw invalidField(field, "The text contains a NUL character, which cannot be stored.");
  if (!text.isWellFormed()) throw invalidField(field, "The text contains invalid Unicode characters.");
}
