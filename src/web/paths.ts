export { documentsAnchor, paths, searchedList } from "#platform/site-paths.rules.ts";
