import { pathToFileURL } from "node:url";
import { reactRouter } from "@react-router/dev/vite";
import { minifyContractRouter } from "@orpc/contract";
import { defineConfig, type Plugin } from "vite";
import { leanFramework } from "./vite.framework.ts";

const contractId = "virtual:api-contract";

/** Gives the browser the API's paths and methods without the shapes: those would bring the whole validator along. */
function apiContract(): Plugin {
  return {
    name: "stagedoor-api-contract",
    resolveId: (id) => (id === contractId ? `\0${contractId}` : undefined),
    load: async (id) => {
      if (id !== `\0${contractId}`) return undefined;
      // By address, not by name: the configuration is bundled before it runs, the API must not be bundled with it.
      const { api } = (await import(pathToFileURL("src/app/api.ts").href)) as typeof import("./src/app/api.ts");
      return `export default ${JSON.stringify(minifyContractRouter(api), withoutWords)}`;
    },
  };
}

/** Leaves out what only people and the server read: a visitor's browser needs no summary of the admin's endpoints. */
const withoutWords = (name: string, value: unknown) =>
  ["summary", "description", "operationId", "tags", "access", "kept"].includes(name) ? undefined : value;

export default defineConfig({
  plugins: [apiContract(), leanFramework(), reactRouter()],
  build: {
    // Lower targets make the CSS compiler rewrite light-dark() to variables that nobody sets.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    target: ["chrome123", "firefox120", "safari17.5"],
  },
  environments: {
    client: {
      build: {
        // The minifier takes the licences out of the scripts; they stand beside them.
        license: { fileName: "assets/licenses.md" },
        rollupOptions: {
          output: {
            // Two files that every page needs, instead of a dozen: one that changes with the framework, one with the site.
            codeSplitting: {
              groups: [
                { name: "framework", test: /node_modules\/(react|react-dom|react-router|scheduler)\//, priority: 2 },
                {
                  name: "site",
                  test: /preload-helper|src\/web\/(root|entry\.client|paths|ui\/(tokens|button|field|star|states|toaster|wordmark)|lib\/(site|toasts|api\/api-error|format\/money|page-meta|use-hydrated)|public\/(site-chrome|site-layout|page-failed|artist-card))\./,
                },
              ],
            },
          },
        },
      },
    },
    ssr: { build: { rollupOptions: { input: "./src/web/server.ts" } } },
  },
});
