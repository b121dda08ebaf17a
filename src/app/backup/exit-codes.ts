/** The exit code of a command whose backup lacks files that the store lacks. */
export const exitIncomplete = 2;
