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
      const { api } = (await import(
        pathToFileURL("src/app/routing/api.ts").href
      )) as typeof import("#app/routing/api.ts");
      return `export default ${JSON.stringify(minifyContractRouter(api), withoutWords)}`;
    },
  };
}

/** Leaves out what only people and the server read: a visitor's browser needs no summary of the admin's endpoints. */
const withoutWords = (name: string, value: unknown) =>
  ["summary", "description", "operationId", "tags", "access", "cacheable"].includes(name) ? undefined : value;

/**
 * The scripts that many pages share, by priority: the first group whose test a module passes has it, together with what it imports. Packages
 * change rarely. `site` is what every public page shows: in one script it keeps the landing page below its limits (test/process/pages.test.ts).
 * Everything else is divided by the bundler's own rule.
 */
const sharedScripts = [
  // The account client shares `tslib` with the widgets.
  { name: "framework", test: /node_modules\/(react|react-dom|react-router|scheduler|tslib)\// },
  {
    name: "site",
    test: /src\/web\/(.+\/)?(root|entry\.client|site-layout|artist-card|field|date-field|page-meta)\.tsx?$/,
  },
  { name: "landing", test: /src\/web\/public\/landing\/(landing-page|landing\.module)\.(tsx|css)$/ },
  { name: "widgets", test: /node_modules\/(@mantine\/(?!charts)|@floating-ui)/ },
  { name: "query", test: /node_modules\/@tanstack\// },
  // Only pages with a chart load it, after their figures.
  { name: "charts", test: /node_modules\/(@mantine\/charts|recharts)\// },
].map((group, index, all) => ({ ...group, priority: all.length - index }));

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
            codeSplitting: { groups: sharedScripts },
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
