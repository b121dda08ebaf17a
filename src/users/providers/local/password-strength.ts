/**
 * How easily a password is guessed, by the estimator of the zxcvbn-ts project: leaked passwords, sequences, repeats, keyboard walks,
 * letters written as digits, and words that belong to the person or the site. Offline; it is loaded when it is first asked for,
 * because its dictionary takes a few megabytes.
 */
import type { PasswordIssue } from "../../rules.ts";

/** Too weak below so many guesses: as many as a random password of eight characters takes in the estimator's reckoning. */
const leastGuesses = 1e8;
/** Longer passwords are checked by their beginning: the estimator's time grows with the square of the length. */
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

/** The issues by the names of the estimator's warnings; what has no name of its own is guessable. */
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

/** Why a password is easy to guess, or undefined. `words` are names of the site and the person; they count for nothing in it. */
export async function findGuessable(password: string, words: readonly string[]): Promise<PasswordIssue | undefined> {
  estimator ??= load();
  const checked = Array.from(password).slice(0, checkedLength).join("");
  const { guesses, feedback } = (await estimator).check(checked, contextWords(words));
  if (guesses >= leastGuesses) return undefined;
  return issueOf[feedback.warning ?? ""] ?? "guessable";
}

/** The texts themselves and their parts of three letters or more: a name's words, a mailbox's name and domain. */
const contextWords = (texts: readonly string[]): string[] => [
  ...new Set(
    texts
      .flatMap((text) => [text, text.replaceAll(/\s+/g, ""), ...text.split(/[^\p{L}\p{N}]+/u)])
      .map((word) => word.toLowerCase())
      .filter((word) => word.length >= 3),
  ),
];
