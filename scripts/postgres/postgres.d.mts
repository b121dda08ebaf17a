/** The folder with PostgreSQL's programs, the newest version; undefined if there is none. */
export declare function findPrograms(): string | undefined;
/** The user that PostgreSQL's programs run as where this process is root; empty elsewhere. */
export declare function unprivileged(): { uid?: number; gid?: number };
