const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns true if the text has the form of an id. Other text is never sent to the database as an id. */
export const isUuid = (text: string): boolean => uuid.test(text);
