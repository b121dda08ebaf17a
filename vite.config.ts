import { pathToFileURL } from "node:url";
import { minifyContractRouter } from "@orpc/contract";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vite";

const contractId = "virtual:api-contract";

/** Bundles the API's paths and methods without schemas, which would include the whole validator. */
function apiContract(): Plugin {
  return {
    name: "stagedoor-api-contract",
    resolveId: (id) => (id === contractId ? `\0${contractId}` : undefined),
    load: async (id) => {
      if (id !== `\0${contractId}`) return undefined;
      // Imported by URL, because the configuration is bundled before it runs and must not bundle the API.
      const { api } = (await import(
        pathToFileURL("src/app/routing/api.ts").href
      )) as typeof import("#app/routing/api.ts");
      return `export default ${JSON.stringify(minifyContractRouter(api), withoutWords)}`;
    },
  };
}

/** Omits texts that only developers and the server need. */
const withoutWords = (name: string, value: unknown) =>
  ["summary", "description", "operationId", "tags", "access", "cacheable"].includes(name) ? undefined : value;

/**
 * Scripts and styles shared by many pages, by priority: a module and its imports belong to the first matching group.
 * Packages change rarely. `site` is what every public page displays: one script keeps the landing page below its limits
 * (test/process/pages.test.ts). The bundler divides the rest.
 */
const sharedFiles = [
  // The account client shares `tslib` with the widgets.
  { name: "framework", test: /node_modules\/(react|react-dom|react-router|scheduler|tslib)\// },
  {
    name: "site",
    test: /src\/web\/(.+\/)?(root|entry\.client|site-layout|artist-card|field|date-field|page-meta)\.tsx?$/,
  },
  { name: "landing", test: /src\/web\/public\/landing\/(landing-page|landing\.module)\.(tsx|css)$/ },
  // Dashboards load their styles as files: one of the small components, one of what a booking's pages share.
  { name: "small", test: /src\/web\/(player|ui\/(?!mantine)).*\.css$/ },
  { name: "booking", test: /src\/web\/booking\/.*\.css$/ },
  // What the artists' cards and the page load after the first paint, in one request.
  {
    name: "controls",
    test: /src\/(artists\/compare\/|web\/(overlays|player\/(?!player-bar|waveform)|public\/(card-controls|compare-tick\/|landing\/compare-tray))).*\.tsx?$/,
  },
  // Small modules that many pages import.
  { name: "common", test: /src\/(.+\.rules|web\/(lib|ui)\/(?!api).+)\.tsx?$/, minShareCount: 6 },
  { name: "widgets", test: /node_modules\/(@mantine\/(?!charts)|@floating-ui)/ },
  { name: "query", test: /node_modules\/@tanstack\// },
  // Loaded only by pages with a chart, after their data.
  { name: "charts", test: /node_modules\/(@mantine\/charts|recharts)\// },
].map((group, index, all) => ({ ...group, priority: all.length - index }));

export default defineConfig({
  plugins: [apiContract(), reactRouter()],
  build: {
    // Lower targets make the CSS compiler replace light-dark() by variables that are never set.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    target: ["chrome123", "firefox120", "safari17.5"],
  },
  environments: {
    client: {
      build: {
        // The minifier removes the licenses from the scripts, so they are in a separate file.
        license: { fileName: "assets/licenses.md" },
        rollupOptions: {
          output: {
            codeSplitting: { groups: sharedFiles },
          },
        },
      },
    },
    ssr: {
      build: { rollupOptions: { input: "./src/web/server.ts" } },
      // Bundled, so the server reads only the used parts of the kit and the icons, instead of two thousand modules.
      resolve: { noExternal: [/^@mantine\//, /^@floating-ui\//, "lucide-react"] },
    },
  },
});
