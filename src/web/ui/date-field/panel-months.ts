import { createContext } from "react";

/** The maximum number of months side by side in a date field's calendar: two on a page, one in a dialog. */
export const PanelMonths = createContext<1 | 2>(2);
