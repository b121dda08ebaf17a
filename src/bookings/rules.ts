/** The rules of this module, pure; the browser uses them too. */
export * from "#calendar/holds.rules.ts";
export * from "./acceptance/acceptance.rules.ts";
export * from "./balance/due-day.rules.ts";
export * from "./contract/document/drawing.rules.ts";
export * from "./contract/policy-text.rules.ts";
export * from "./cancellation/cancellation.rules.ts";
export * from "./completion/completion.rules.ts";
export * from "./lifecycle/flow.rules.ts";
export * from "./lifecycle/deadlines.rules.ts";
export * from "./lifecycle/permissions.rules.ts";
export * from "./request/form.rules.ts";
export * from "#artists/event-kinds.rules.ts";
