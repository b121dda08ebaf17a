/** The rules of this room, pure; the browser asks them too. */
export * from "./flow.ts";
export * from "./form/rules.ts";
export * from "./terms.ts";
