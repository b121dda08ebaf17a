/** A commit tests the same generated cases each time, because it must not fail by chance. The other tiers generate new ones. A failure prints its seed. */

import fc from "fast-check";
import { isThorough } from "./tier.ts";

if (!isThorough) fc.configureGlobal({ seed: 20_261_129 });
