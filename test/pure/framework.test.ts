/** The build's way of reading the framework: it may leave out what is unused, and must change nothing else. */
import { expect, test } from "vitest";
import { asModule, withoutCopy, withoutLabels } from "../../vite.framework.ts";

const commonjs = `"use strict";
var Scheduler = require("scheduler"),
  React = require("react"),
  first = 1;
exports.now = void 0;
if (first) {
  exports.now = function () { return first; };
}
exports.createRoot = function () { return exports.now(); };
exports.version = "19";
`;

test("a CommonJS file becomes a module with the same exports", () => {
  const code = asModule(commonjs, "react-dom/client");
  expect(code).toContain('import * as Scheduler from "scheduler";');
  expect(code).toContain('import * as React from "react";');
  expect(code).toContain("var first = 1;");
  expect(code).toContain("let $now;");
  expect(code).toContain("const $createRoot = function () { return $now(); };");
  expect(code).toContain("export { $now as now, $createRoot as createRoot, $version as version };");
  expect(code).not.toMatch(/require\(|\bexports\./);
});

test("a file of another shape stops the build", () => {
  const refused = "react is not shaped as the build expects";
  expect(() => asModule("export const a = 1;", "react")).toThrow(refused);
  expect(() => asModule('exports.a = 1;\nmodule.exports["b"] = 2;', "react")).toThrow(refused);
  expect(() => asModule('exports.a = 1;\nif (exports.a) require("other");', "react")).toThrow(refused);
});

test("labels go, and nothing beside them", () => {
  const code =
    'const Link = make();\nLink.displayName = "Link";\nlet FetcherForm;\n\tFetcherForm.displayName = "inner";\n';
  expect(withoutLabels(code)).toBe('const Link = make();\n\nlet FetcherForm;\n\tFetcherForm.displayName = "inner";\n');
});

test("a copy of all of React is read where it is", () => {
  const code = "const SafeReact = {\n  ...React\n};\nconst useReactId = SafeReact.useId;\n";
  expect(withoutCopy(code)).toBe("\nconst useReactId = React.useId;\n");
});
