/** Component tests are cleaned up after each test, and fail on React errors. */
import "./setup.ts";
import { ReadableStream, TransformStream, WritableStream } from "node:stream/web";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// jsdom lacks these browser objects.
Object.assign(globalThis, { ReadableStream, TransformStream, WritableStream });
// A busy machine renders later than the library's limit of one second.
configure({ asyncUtilTimeout: 60_000 });
afterEach(cleanup);
