const cookieName = "sidebar_state";
const sevenDaysSeconds = 7 * 86_400;

export const isSidebarCollapsed = (cookies: string): boolean =>
  cookies.split(";").some((one) => one.trim() === `${cookieName}=collapsed`);

export const sidebarCookie = (collapsed: boolean): string =>
  `${cookieName}=${collapsed ? "collapsed" : "expanded"}; path=/; max-age=${sevenDaysSeconds}; samesite=lax`;
