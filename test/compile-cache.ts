/** Compiled modules are cached between the servers of tests, as by `npm start`. This halves the start time. */

import path from "node:path";

export const compileCache = {
  NODE_COMPILE_CACHE: path.resolve(import.meta.dirname, "../node_modules/.cache/node"),
};
