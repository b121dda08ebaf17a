/** The inputs of texts. Characters that are invisible or change the direction of a text are removed without a message: they come along with copied text, and its author cannot see them. */

import { z } from "zod";
import { isPlainLine, plainProse, visibleText } from "./plain-name.rules.ts";

export const oneLine = (max: number, tooLong?: string) =>
  z.string().overwrite(visibleText).trim().max(max, tooLong).refine(isPlainLine, "Enter this in one line.");

export const prose = (max: number, tooLong?: string) => z.string().overwrite(plainProse).trim().max(max, tooLong);
