/** Component tests: clean up after each, and let no complaint of React pass. */
import "./setup.ts";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// A busy machine draws later than the library's second.
configure({ asyncUtilTimeout: 5_000 });
afterEach(cleanup);
