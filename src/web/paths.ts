export { paths } from "#platform/site-paths.rules.ts";
