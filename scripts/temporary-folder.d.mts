/** The folder of the tests' temporary folders. */
export declare const temporaryFolder: string;
