/** Component tests: clean up after each, and let no complaint of React pass. */
import "./setup.ts";
import { ReadableStream, TransformStream, WritableStream } from "node:stream/web";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// Browsers have them; jsdom does not.
Object.assign(globalThis, { ReadableStream, TransformStream, WritableStream });
// A busy machine draws later than the library's second.
configure({ asyncUtilTimeout: 60_000 });
afterEach(cleanup);
