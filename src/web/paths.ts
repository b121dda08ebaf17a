export { paths, searchedList } from "#platform/site-paths.rules.ts";
