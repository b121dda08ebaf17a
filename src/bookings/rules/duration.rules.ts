import { maxLengths } from "./form.rules.ts";

/** The length of a show without a readable duration, and the maximum, in minutes. */
const defaultMinutes = 180;
const maxShowMinutes = 7 * 24 * 60;

const numberWords = (
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty " +
  "thirty forty fifty sixty seventy eighty ninety"
).split(" ");
const numberWord = new RegExp(
  `\\b(${numberWords.slice(19).join("|")})[ -](${numberWords.slice(0, 9).join("|")})\\b|\\b(${numberWords.join("|")})\\b`,
  "g",
);
const valueOf = (word: string) => {
  const at = numberWords.indexOf(word);
  return at < 20 ? at + 1 : (at - 17) * 10;
};

const amounts = /(\d{1,4}(?:[.,]\d{1,2})?)(?:\s*|-)(days?|d|hours?|hrs?|hs|h|minutes?|mins?|min|m)(?![a-z])/g;
const unitMinutes = (unit: string) => (unit.startsWith("h") ? 60 : unit.startsWith("d") ? 1_440 : 1);
const number = (text: string) => Number(text.replace(",", "."));

/** Words around the amounts that change the length, or are a part of it that was not read. */
const unread =
  /\d|[<>≤≥]|\/ *set|\b(?:half|quarters?|hours?|hrs?|min(?:ute)?s?|sets|each|per|every|twice|double|couple|several|few|multiple|more|less|over|least|minimum|plus|minus|without|including|includes|incl|excluding|excl|except|hundred|dozen)\b/;

/** Returns the minutes of a typed duration ("2 hours", "90 min", "2h30", "1:45", "two sets of 45 minutes"). A number without a unit is hours up to 24, else minutes. Text of which a part is not understood is 3 hours. */
export function readDuration(text: string | null | undefined): { minutes: number; understood: boolean } {
  const words = (text ?? "").trim().toLowerCase().slice(0, maxLengths.duration);
  const minutes = words === "" ? undefined : parseDuration(inDigits(words));
  if (minutes === undefined || minutes < 1 || minutes > maxShowMinutes)
    return { minutes: defaultMinutes, understood: false };
  return { minutes: Math.round(minutes), understood: true };
}

const inDigits = (words: string): string =>
  words
    .replace(/\s*½/g, ".5")
    .replace(/(^|\s)\.(?=\d)/g, "$1 0.")
    .replace(/\ban?(?= hour)/g, "1")
    .replace(numberWord, (_, tens?: string, ones?: string, alone?: string) =>
      String(tens && ones ? valueOf(tens) + valueOf(ones) : valueOf(alone ?? "")),
    )
    .replace(/\b(\d{1,2}) ?(hours?|hrs?|h) and a half\b/g, "$1.5 $2")
    .replace(/\b(\d{1,2}) and a half (?=h)/g, "$1.5 ")
    .replace(/\bhalf[ -](?:an? |1 )?hours?\b/g, "30 min")
    .trim();

function parseDuration(words: string): number | undefined {
  const sets =
    /^(?<count>\d{1,2})\s*(?:x|×|\*|sets? of|(?<unclear>sets?[,:]?))\s*(?<length>\d.*?)(?<each>(?: long| sets?| each| per set)*)$/.exec(
      words,
    ) ?? /^(?<count>\d{1,2}) (?<length>\d.*?)[ -]sets?$/.exec(words);
  if (sets?.groups) {
    const { count = "", length = "", unclear, each: end = "" } = sets.groups;
    const each = parseDuration(length);
    // "3 sets, 3 hours" may mean 3 hours in all.
    if (each !== undefined && each >= 60 && Number(count) > 1 && unclear && !/each|per/.test(end)) return undefined;
    // "2 sets of 45 minutes and 30 minutes": the second length is no part of each set.
    const isOne = !/\+|plus|min.*min|h.*h/.test(length.replaceAll("hour", "h"));
    return each === undefined || !isOne ? undefined : Number(count) * each;
  }
  const clock = /^(\d{1,2}):([0-5]\d)(?:\s*(?:h|hours?))?$/.exec(words);
  if (clock) return Number(clock[1]) * 60 + Number(clock[2]);
  const short = /^(\d{1,2})\s*h(?:ours?)?\s*([0-5]?\d)$/.exec(words);
  if (short) return Number(short[1]) * 60 + Number(short[2]);
  if (/^\d{1,4}(?:[.,]\d{1,2})?$/.test(words)) return number(words) <= 24 ? number(words) * 60 : number(words);
  const parts = [...words.matchAll(amounts)];
  // A length of which a part was not read would be wrong, not approximate.
  const [before = "", ...after] = words.split(amounts).filter((_, index) => index % 3 === 0);
  const end = after.pop() ?? "";
  if (parts.length === 0 || unread.test(`${before} ; ${end}`) || /(?:^|[\s(])[-−–]$/.test(before)) return undefined;
  if (!after.every((between) => /^\s*,?\s*(?:and|&|\+)?\s*$/.test(between))) return undefined;
  return parts.reduce((sum, [, count = "0", unit = "m"]) => sum + number(count) * unitMinutes(unit), 0);
}

export function describeDuration(minutes: number): string {
  const count = (amount: number, unit: string) => (amount === 0 ? [] : [`${amount} ${unit}${amount === 1 ? "" : "s"}`]);
  return [...count(Math.floor(minutes / 60), "hour"), ...count(minutes % 60, "minute")].join(" ");
}
