/** Days as users type them: "13 Feb 2027", "Feb 13, 2027", "13.2.2027", "2/13/2027", "2027-02-13". */

import { dayText, isDay } from "./calendar.rules.ts";

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Reads a typed day as YYYY-MM-DD. With slashes the month comes first, if it can. Without a year: the next such day from `today`, if given. */
export function readTypedDay(text: string, today?: string): string | undefined {
  const typed = text.trim().toLowerCase();
  if (isDay(typed)) return typed;
  const found = readFigures(typed) ?? readWords(typed);
  if (!found) return undefined;
  if (found.year !== undefined) return existing(dayText({ ...found, year: found.year }));
  if (!today) return undefined;
  const year = Number(today.slice(0, 4));
  // A 29 February may be eight years away, around a year such as 2100.
  return Array.from({ length: 9 }, (_, at) => existing(dayText({ ...found, year: year + at }))).find(
    (day) => day !== undefined && day >= today,
  );
}

type Parts = { day: number; month: number; year: number | undefined };

function readFigures(text: string): Parts | undefined {
  const [, first, sign, second, year] = /^(\d\d?)([./])(\d\d?)\2(\d{4})$/.exec(text) ?? [];
  if (!sign) return undefined;
  const monthFirst = sign === "/" && Number(first) <= 12;
  const [month, day] = monthFirst ? [first, second] : [second, first];
  return { day: Number(day), month: Number(month), year: Number(year) };
}

function readWords(text: string): Parts | undefined {
  const words = text.split(/[\s,.]+/).filter(Boolean);
  const month = months.findIndex((name) => words.some((word) => word.length > 2 && word.startsWith(name))) + 1;
  const figures = words.flatMap((word) =>
    /^(\d\d?|\d{4})(st|nd|rd|th)?$/.test(word) ? Number.parseInt(word, 10) : [],
  );
  const day = figures.find((figure) => figure <= 31);
  const year = figures.find((figure) => figure >= 1000);
  const known = year === undefined ? 1 : 2;
  if (month === 0 || day === undefined || figures.length !== known || words.length > 4) return undefined;
  return { day, month, year };
}

const existing = (day: string): string | undefined => (isDay(day) ? day : undefined);
