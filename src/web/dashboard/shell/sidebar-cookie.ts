/** The sidebar remembers how a person left it, for seven days. */

const cookieName = "sidebar_state";
const sevenDaysSeconds = 7 * 86_400;

/** The sidebar was left collapsed, by the word of a cookie header or `document.cookie`. Unknown means open. */
export const isSidebarCollapsed = (cookies: string): boolean =>
  cookies.split(";").some((one) => one.trim() === `${cookieName}=collapsed`);

/** The cookie line that remembers the sidebar for seven days. */
export const sidebarCookie = (collapsed: boolean): string =>
  `${cookieName}=${collapsed ? "collapsed" : "expanded"}; path=/; max-age=${sevenDaysSeconds}; samesite=lax`;
