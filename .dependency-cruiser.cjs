/** Which module may import which (ARCHITECTURE.md). Checked by test/architecture/imports.test.ts, which also plants an offence for each rule. */
const modules =
  "delivery|bookings|artists|payments|payouts|disputes|reconciliation|contracts|reviews|users|settings|activity|notifications|realtime|reports|invoicing|ledger|calendar";
const inModule = `^src/(${modules})/`;
/** Modules of Node itself, which no browser has. */
const nodeModules = `^(node:)?(${require("node:module")
  .builtinModules.map((name) => name.replace("node:", ""))
  .join("|")})$`;
const tests = "\\.test\\.tsx?$";

module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "platform-knows-no-module",
      severity: "error",
      from: { path: "^src/platform/", pathNot: tests },
      to: { path: "^(src/(?!platform/)|seed/|test/)" },
    },
    {
      name: "modules-enter-by-the-public-index",
      severity: "error",
      from: { path: inModule },
      to: {
        path: inModule,
        pathNot: [
          "^src/$1/",
          "^src/[^/]+/(index|api|rules)\\.ts$",
          "^src/payments/provider-sync\\.ts$",
          "^src/contracts/[^/]+-for-bookings\\.ts$",
          "^src/(artists/gazetteer|calendar/(event-files|holds|import))/index\\.ts$",
          "^src/[^/]+/[^/]+[.](api|rules)\\.ts$",
          "^src/artists/nights/[^/]+[.]rules\\.ts$",
        ],
      },
    },
    {
      name: "modules-know-no-app-nor-web",
      severity: "error",
      from: { path: inModule, pathNot: tests },
      to: { path: "^(src/(app|web)/|test/|seed/)" },
    },
    {
      name: "the-gateway-knows-no-module",
      severity: "error",
      from: { path: "^src/gateway/", pathNot: tests },
      to: { path: inModule, pathNot: "^src/ledger/rules\\.ts$" },
    },
    {
      name: "payouts-know-no-payments",
      severity: "error",
      from: { path: "^src/payouts/", pathNot: tests },
      to: { path: "^src/(payments|bookings|artists|users)/" },
    },
    {
      name: "payments-know-no-disputes",
      severity: "error",
      from: { path: "^src/payments/", pathNot: tests },
      to: { path: "^src/(disputes|reconciliation)/" },
    },
    {
      name: "disputes-know-no-reconciliation",
      severity: "error",
      from: { path: "^src/disputes/", pathNot: tests },
      to: { path: "^src/reconciliation/" },
    },
    {
      name: "payments-apply-provider-state-for-two-modules",
      severity: "error",
      from: { path: "^(src|seed)/", pathNot: "^src/(payments|disputes|reconciliation)/" },
      to: { path: "^src/payments/provider-sync\\.ts$" },
    },
    {
      name: "contracts-are-signed-in-bookings",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(contracts|bookings/contract)/" },
      to: { path: "^src/contracts/[^/]+-for-bookings\\.ts$" },
    },
    {
      name: "payments-and-contracts-know-no-bookings",
      severity: "error",
      from: { path: "^src/(payments|disputes|reconciliation|contracts)/", pathNot: tests },
      to: { path: "^src/(bookings|artists|users)/" },
    },
    {
      name: "leaves-know-no-bookings",
      severity: "error",
      from: { path: "^src/(activity|settings|notifications|users|artists|realtime)/", pathNot: tests },
      to: { path: "^src/bookings/" },
    },
    {
      name: "nothing-imports-reports",
      severity: "error",
      from: { path: inModule, pathNot: ["^src/reports/", tests] },
      to: { path: "^src/reports/" },
    },
    {
      name: "nothing-imports-reviews",
      severity: "error",
      from: { path: inModule, pathNot: ["^src/reviews/", tests] },
      to: { path: "^src/reviews/" },
    },
    {
      name: "realtime-knows-no-module",
      severity: "error",
      from: { path: "^src/realtime/", pathNot: tests },
      to: { path: "^src/(?!realtime/|platform/)" },
    },
    {
      name: "the-calendar-knows-no-bookings",
      severity: "error",
      from: { path: "^src/calendar/", pathNot: tests },
      to: { path: "^src/(?!calendar/|artists/|settings/|activity/|realtime/|platform/|payments/rules\\.ts$)" },
    },
    {
      name: "delivery-knows-no-template",
      severity: "error",
      from: { path: "^src/delivery/", pathNot: tests },
      to: { path: "^src/(?!delivery/|settings/|activity/|realtime/|platform/)" },
    },
    {
      name: "the-ledger-knows-no-module",
      severity: "error",
      from: { path: "^src/ledger/", pathNot: tests },
      to: { path: "^src/(?!ledger/|realtime/|platform/)" },
    },
    {
      name: "nothing-imports-the-gotrue-protocol",
      severity: "error",
      from: { path: "^(src|seed)/", pathNot: ["^src/users/gotrue/", "^src/users/index\\.ts$", tests] },
      to: { path: "^src/users/gotrue/" },
    },
    {
      name: "providers-are-chosen-in-one-place",
      severity: "error",
      from: {
        path: "^src/",
        pathNot: [
          "^src/users/providers/",
          "^src/users/local-accounts/",
          "^src/users/gotrue/hosted-proxy\\.ts$",
          "^src/users/index\\.ts$",
          tests,
        ],
      },
      to: { path: "^src/users/providers/(gotrue-hosted|local)/" },
    },
    {
      name: "use-cases-know-no-http",
      severity: "error",
      from: {
        path: inModule,
        pathNot: [
          "[/.]plugin\\.ts$",
          "^src/users/gotrue/",
          "^src/reconciliation/webhooks/webhook\\.ts$",
          "^src/artists/artwork/index\\.ts$",
          tests,
        ],
      },
      to: { path: "node_modules/(fastify|@fastify)/" },
    },
    {
      name: "sessions-and-codes-know-nothing-above-them",
      severity: "error",
      from: { path: "^src/users/(sessions|verification|mfa)/", pathNot: tests },
      to: { path: "^src/users/(providers|authentication|account|account-changes|directory|roles|profile-claims)/" },
    },
    {
      name: "providers-know-no-authentication",
      severity: "error",
      from: { path: "^src/users/providers/", pathNot: tests },
      to: { path: "^src/users/(authentication|account|account-changes|directory|profile-claims)/" },
    },
    {
      name: "rules-are-pure",
      severity: "error",
      from: { path: "[/.]rules\\.ts$" },
      to: {
        path: "^src/(platform|app)/(?!.*(api|rules)\\.ts$)|[/.](store|views|routes|jobs|index|policy)\\.ts$",
        reachable: true,
      },
    },
    {
      name: "rules-need-no-node",
      severity: "error",
      from: { path: "[/.](rules|api)\\.ts$" },
      to: { path: nodeModules, reachable: true },
    },
    {
      name: "api-is-portable",
      severity: "error",
      from: { path: "^src/.*[/.]api\\.ts$" },
      to: { path: "^src/", pathNot: "[/.](api|rules)\\.ts$" },
    },
    {
      name: "web-sees-only-api-and-rules",
      severity: "error",
      from: { path: "^src/web/" },
      to: { path: "^src/", pathNot: ["^src/web/", "[/.](api|rules)\\.ts$"] },
    },
    {
      name: "web-runs-in-a-browser",
      severity: "error",
      from: { path: "^src/web/", pathNot: [tests, "^src/web/(server|entry\\.server)\\.tsx?$"] },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "vendors-only-in-adapters",
      severity: "error",
      from: { path: "^src/", pathNot: ["/adapters/", tests] },
      to: { path: "node_modules/(stripe|nodemailer|@aws-sdk|flydrive)/" },
    },
    {
      name: "engines-only-in-the-platform",
      severity: "error",
      from: { path: "^src/", pathNot: ["^src/platform/db/", tests] },
      to: { path: "node_modules/(pg|@electric-sql)/" },
    },
    {
      name: "mantine-only-in-dashboards",
      severity: "error",
      from: { path: "^src/web/(public|lib|ui)/", pathNot: "^src/web/ui/mantine/" },
      to: { path: "node_modules/@mantine/" },
    },
    {
      name: "production-imports-no-tests",
      severity: "error",
      from: { path: "^(src|sandbox|seed)/", pathNot: tests },
      to: { path: "^test/|\\.test\\.tsx?$" },
    },
    {
      name: "the-product-runs-without-the-sandbox",
      severity: "error",
      from: { path: "^src/", pathNot: tests },
      to: { path: "^sandbox/" },
    },
    {
      name: "the-sandbox-knows-only-the-payment-gateway",
      severity: "error",
      from: { path: "^sandbox/", pathNot: tests },
      to: {
        path: "^src/(?!platform/)",
        pathNot: ["^src/gateway/", "^src/payments/(provider|.*rules)\\.ts$", "^src/disputes/.*rules\\.ts$"],
      },
    },
    {
      name: "nothing-imports-the-seed",
      severity: "error",
      from: { path: "^src/", pathNot: ["^src/app/", tests] },
      to: { path: "^seed/" },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    // The parser does not know `await using`, which only tests use.
    exclude: { path: "\\.test\\.tsx?$" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".css"],
    },
    parser: "swc",
  },
};
