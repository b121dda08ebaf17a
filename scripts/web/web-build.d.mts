export function webSources(root: string): string[];
export function buildWhenChanged(root: string, stamp: string, build: () => Promise<void>): Promise<boolean>;
