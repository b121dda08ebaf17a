/** Estimates offline how easily a password is guessed (zxcvbn-ts). Loaded on first use, because the dictionary takes a few megabytes. */

import type { PasswordIssue } from "../../rules.ts";

/** A password with fewer guesses is too weak. The estimator counts as many for a random one of eight characters. */
const minGuesses = 1e8;
/** Longer passwords are checked by their beginning, because the estimator's time grows with the square of the length. */
const checkedLength = 32;

type Estimator = {
  check(password: string, words: string[]): { guesses: number; feedback: { warning: string | null } };
};
let estimator: Promise<Estimator> | undefined;

async function load(): Promise<Estimator> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  return new ZxcvbnFactory({ graphs: adjacencyGraphs, dictionary });
}

const issueOf: Readonly<Record<string, PasswordIssue>> = {
  userInputs: "context",
  sequences: "sequence",
  simpleRepeat: "repeat",
  extendedRepeat: "repeat",
  straightRow: "keyboard",
  keyPattern: "keyboard",
  topTen: "common",
  topHundred: "common",
  common: "common",
  similarToCommon: "common",
  wordByItself: "common",
  pwned: "common",
};

/** Returns why a password is easy to guess, or undefined. `words` are names of the site and the user, which add no strength. */
export async function findGuessable(password: string, words: readonly string[]): Promise<PasswordIssue | undefined> {
  estimator ??= load();
  const checked = Array.from(password).slice(0, checkedLength).join("");
  const { guesses, feedback } = (await estimator).check(checked, contextWords(words));
  if (guesses >= minGuesses) return undefined;
  return issueOf[feedback.warning ?? ""] ?? "guessable";
}

/** Returns the texts and their parts of three or more characters: a name's words, a mailbox's name and domain. */
const contextWords = (texts: readonly string[]): string[] => [
  ...new Set(
    texts
      .flatMap((text) => [text, text.replaceAll(/\s+/g, ""), ...text.split(/[^\p{L}\p{N}]+/u)])
      .map((word) => word.toLowerCase())
      .filter((word) => word.length >= 3),
  ),
];
