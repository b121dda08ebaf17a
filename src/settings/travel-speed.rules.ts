/** How fast an artist drives from one show to the next, for travel warnings. Without libraries, because public pages read the defaults. */
export const speedUnits = ["kmh", "mph"] as const;
type SpeedUnit = (typeof speedUnits)[number];

export const speedUnitNames: Record<SpeedUnit, string> = { kmh: "km/h", mph: "mph" };
export const distanceUnitNames: Record<SpeedUnit, string> = { kmh: "km", mph: "miles" };
