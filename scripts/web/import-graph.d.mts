export function reachableFiles(root: string, entries: readonly string[]): string[];
