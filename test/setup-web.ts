/** Component tests are cleaned up after each test, and fail on React errors. */

import "./setup.ts";
import { ReadableStream, TransformStream, WritableStream } from "node:stream/web";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// jsdom lacks these browser objects and methods.
Object.assign(globalThis, { ReadableStream, TransformStream, WritableStream });
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
};
HTMLDialogElement.prototype.close = function close() {
  this.open = false;
  this.dispatchEvent(new Event("close"));
};
// A busy machine renders later than the library's limit of one second.
configure({ asyncUtilTimeout: 60_000 });
afterEach(cleanup);
