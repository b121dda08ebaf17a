/** The folder in which tests make their folders. */
export declare const temporaryFolder: string;
