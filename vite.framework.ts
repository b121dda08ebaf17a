/**
 * The framework as the browser's build takes it in: only what the pages use (docs/decisions/0017).
 * Builds of the browser's scripts only; the server and development take the packages as they are.
 */
import { createRequire } from "node:module";
import path from "node:path";
import type { Plugin } from "vite";

const { resolve } = createRequire(import.meta.url);
const production = (name: string, file: string) =>
  path.join(path.dirname(resolve(`${name}/package.json`)), "cjs", `${file}.production.js`);

/** React's own production files by the names under which they are imported. */
const reactFiles: Readonly<Record<string, string>> = {
  react: production("react", "react"),
  "react/jsx-runtime": production("react", "react-jsx-runtime"),
  "react-dom": production("react-dom", "react-dom"),
  "react-dom/client": production("react-dom", "react-dom-client"),
  scheduler: production("scheduler", "scheduler"),
};

/**
 * Writes one of React's CommonJS files as a module under the name it is imported by: what nobody imports can be left out
 * then. Not a line of what the file does is changed. A file of another shape than React 19's is refused.
 */
export function asModule(code: string, name: string): string {
  const needs = [...code.matchAll(/\b(\w+) = require\("([\w-]+)"\)/g)];
  const assigned = (pattern: RegExp) => Map.groupBy(code.matchAll(pattern), ([, exported = ""]) => exported);
  const [everywhere, outermost] = [assigned(/\bexports\.(\w+) =/g), assigned(/^exports\.(\w+) =/gm)];
  const names = [...everywhere.keys()];
  const fixed = new Set(names.filter((one) => everywhere.get(one)?.length === 1 && outermost.has(one)));
  const open = names.filter((one) => !fixed.has(one));
  const body = code
    .replace(/^var (?:\w+ = require\("[\w-]+"\)[,;]\s*)+/m, (list) => (/,\s*$/.test(list) ? "var " : ""))
    .replace(/^exports\.(\w+) =/gm, (found, one: string) => (fixed.has(one) ? `const $${one} =` : found))
    .replace(/\bexports\.(\w+)/g, "$$$1");
  if (names.length === 0 || /\brequire\(|\bexports\b[.[]/.test(body))
    throw new Error(`${name} is not shaped as the build expects; see vite.framework.ts`);
  return [
    ...needs.map(([, local, from]) => `import * as ${local} from "${from}";`),
    ...open.map((one) => `let $${one};`),
    body,
    `export { ${names.map((one) => `$${one} as ${one}`).join(", ")} };`,
    `export * as default from "${name}";`,
  ].join("\n");
}

/** Takes the labels for developer tools off the router's components: as writes to a component they keep unused ones in. */
export const withoutLabels = (code: string): string => code.replace(/^\w+\.displayName = "[^"]*";$/gm, "");

/** Reads React's exports where they are, instead of from a copy of all of them: the copy keeps all in for every page. */
export const withoutCopy = (code: string): string =>
  code.replace(/^const SafeReact = \{\s*\.\.\.React\s*\};$/m, "").replace(/\bSafeReact\./g, "React.");

/** What of the framework no page uses is left out of the browser's scripts. */
export function leanFramework(): Plugin {
  const names = new Map(Object.entries(reactFiles).map(([name, file]) => [file, name]));
  return {
    name: "stagedoor-lean-framework",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "client",
    // Without this name React leaves out its reports to the developer tools, which a visitor does not have.
    config: () => ({ environments: { client: { define: { __REACT_DEVTOOLS_GLOBAL_HOOK__: "undefined" } } } }),
    resolveId: (id) => reactFiles[id],
    transform: {
      filter: { id: /\/node_modules\/(react|react-dom|scheduler|react-router|@floating-ui\/react)\// },
      handler(code, id) {
        const name = names.get(id);
        if (name) return { code: asModule(code, name), map: null };
        return { code: id.includes("/react-router/") ? withoutLabels(code) : withoutCopy(code), map: null };
      },
    },
  };
}
