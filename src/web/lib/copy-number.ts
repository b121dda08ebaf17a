import { copyText } from "./copy-text.ts";

/** Copies the number of a booking, and says whether it worked. */
export const copyNumber = (number: string) =>
  copyText(number, { done: { title: "Copied", text: number }, otherwise: `The number is ${number}` });
