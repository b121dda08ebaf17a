export function takeLock(file: string): { release?: () => void; owner?: number };
