export declare function findPrograms(): string | undefined;
/** Returns the user of PostgreSQL's programs if this process is root, otherwise an empty object. */
export declare function unprivileged(): { uid?: number; gid?: number };
