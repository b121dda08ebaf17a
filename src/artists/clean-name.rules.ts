import { plainName } from "#platform/security/plain-name.rules.ts";
import { searchTerm } from "./rules.ts";

export const cleanName = (text: string): string => searchTerm(plainName(text));
