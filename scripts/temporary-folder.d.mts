export declare const temporaryFolder: string;
