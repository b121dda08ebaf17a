export const exitIncomplete = 2;
