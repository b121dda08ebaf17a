/** The rules of this room, pure; the browser asks them too. */
export * from "./lifecycle/flow.rules.ts";
export * from "./request/form.rules.ts";
export * from "./lifecycle/cancellation.rules.ts";
