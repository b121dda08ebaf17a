import { createContext } from "react";

/** The most months that the calendar of a date field shows side by side: two on a page, one in a dialog. */
export const PanelMonths = createContext<1 | 2>(2);
