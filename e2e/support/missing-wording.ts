import type { Page } from "@playwright/test";
import type { Screen } from "./spec-wording.ts";

/** Returns the words of the specification that are missing on the page. */
export async function missingWording(page: Page, screen: Screen): Promise<string[]> {
  const { words, placeholders = [], fields = [], choices = {} } = screen;
  const seen = await page.evaluate(() => {
    const all = (selector: string) => Array.from(document.querySelectorAll<HTMLElement>(selector));
    const named = (one: HTMLElement) =>
      one.getAttribute("aria-label") ?? (one.id ? document.querySelector(`label[for="${one.id}"]`)?.textContent : "");
    return {
      // The document may still be loading.
      text: (document.body?.innerText ?? "").replaceAll(/\s+/g, " "),
      placeholders: all("[placeholder]").map((one) => one.getAttribute("placeholder")),
      fields: all("[name]").map((one) => one.getAttribute("name")),
      choices: all("select").map((one) => ({
        name: named(one)?.trim(),
        words: Array.from(one.querySelectorAll("option"), (option) => option.textContent.trim()),
      })),
    };
  });
  const offered = (name: string) => seen.choices.filter((one) => one.name === name).flatMap((one) => one.words);
  return [
    ...words.filter((word) => !seen.text.includes(word)),
    ...placeholders.filter((word) => !seen.placeholders.includes(word)).map((word) => `placeholder ${word}`),
    ...fields.filter((name) => !seen.fields.includes(name)).map((name) => `field ${name}`),
    ...Object.entries(choices).flatMap(([name, all]) =>
      all.filter((word) => !offered(name).includes(word)).map((word) => `choice ${name}: ${word}`),
    ),
  ];
}
