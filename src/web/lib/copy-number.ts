import { copyText } from "./copy-text.ts";

export const copyNumber = (number: string) =>
  copyText(number, { done: { title: "Copied", text: number }, otherwise: `The number is ${number}` });
