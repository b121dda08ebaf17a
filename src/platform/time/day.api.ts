/** A separate file, because the booking form's script includes it. */

import { z } from "zod";
import { isDay } from "./calendar.rules.ts";

const message = "A date is written YYYY-MM-DD and must exist.";

/** An existing day YYYY-MM-DD, in the years that the calendar and PostgreSQL share (1000 to 9999). */
export const dayInput = z.iso.date({ error: message, abort: true }).refine(isDay, message);
