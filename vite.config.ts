import { pathToFileURL } from "node:url";
import { reactRouter } from "@react-router/dev/vite";
import { minifyContractRouter } from "@orpc/contract";
import { defineConfig, type Plugin } from "vite";

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
  ["summary", "description", "operationId", "tags", "access", "cacheable"].includes(name) ? undefined : value;

export default defineConfig({
  plugins: [apiContract(), reactRouter()],
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
            // Two files that every page needs, instead of twenty: one that changes with the packages, one with the frame of the
            // site; and one with the widgets that every dashboard needs. A group takes along what its files import; everything
            // else is divided by the bundler's own rule. The widgets share `tslib` with the account client of the public pages.
            codeSplitting: {
              groups: [
                {
                  name: "framework",
                  test: /node_modules\/(react|react-dom|react-router|scheduler|tslib)\//,
                  priority: 3,
                },
                { name: "widgets", test: /node_modules\/(@mantine|@floating-ui)\//, priority: 2 },
                {
                  name: "site",
                  test: /src\/web\/(root|entry\.client|public\/(site-layout|artist-card)|ui\/field|lib\/page-meta)\.tsx?/,
                  priority: 1,
                },
              ],
            },
          },
        },
      },
    },
    ssr: {
      build: { rollupOptions: { input: "./src/web/server.ts" } },
      // Bundled, the server reads the few parts of the kit and the icons that the pages use, instead of two thousand modules.
      resolve: { noExternal: [/^@mantine\//, /^@floating-ui\//, "lucide-react"] },
    },
  },
});
