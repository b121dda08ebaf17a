export { type CalendarMethod, calendarText } from "./calendar-file.rules.ts";
export { showEvent } from "./show-event.rules.ts";
