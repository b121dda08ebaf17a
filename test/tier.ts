/** Which tests run (docs/decisions/0090): the daily run and the deep tier run all of them, a commit those that are not marked as daily. */
export const isThorough = process.env["TEST_DAILY"] === "1" || process.env["TEST_DEEP"] === "1";
