/** The door of the activity room. */
export { type Entry, record } from "./activity.ts";
export { type ActivityType, activityTypes, textWithoutSecrets } from "./rules.ts";
export { type ActivityQuery, type ActivityRow, listActivity } from "./views.ts";
export { insertActivityHistory } from "./history.ts";
