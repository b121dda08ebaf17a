const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns true if a text from outside has the shape of one of our ids. Anything else is never sent to the database as one. */
export const isUuid = (text: string): boolean => uuid.test(text);
