/** The tests of this run (docs/decisions/0090). A commit skips those marked as daily. The daily run and the deep tier run all. */
export const isThorough = process.env["TEST_DAILY"] === "1" || process.env["TEST_DEEP"] === "1";
