import { useRef, useState } from "react";
import { soundProblem } from "#platform/files/upload.rules.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { useUploadSample } from "../../lib/api/artist/own-samples.ts";

/** An upload in progress, or a rejected file until it is dismissed. `part` is the sent share, 0 to 1. */
export type SampleUpload = Readonly<{
  key: number;
  name: string;
  size: number;
  part: number;
  secondsLeft: number | undefined;
  problem: string | undefined;
  replaces: string | undefined;
}>;

/** Uploads files one after the other. Each can be canceled. A rejected one remains until it is dismissed. */
export function useSampleUploads() {
  const upload = useUploadSample();
  const [uploads, setUploads] = useState<readonly SampleUpload[]>([]);
  const stops = useRef(new Map<number, AbortController>());
  const last = useRef({ key: 0, end: Promise.resolve() });

  const change = (key: number, next: Partial<SampleUpload>) =>
    setUploads((before) => before.map((one) => (one.key === key ? { ...one, ...next } : one)));
  const dismiss = (key: number) => {
    stops.current.get(key)?.abort();
    setUploads((before) => before.filter((one) => one.key !== key));
  };

  async function send(key: number, file: File, replaces: string | undefined): Promise<void> {
    const { signal } = stops.current.get(key) ?? new AbortController();
    if (signal.aborted) return;
    const startedAt = performance.now();
    const onProgress = (part: number) => {
      const seconds = (performance.now() - startedAt) / 1_000;
      const secondsLeft = seconds > 1 && part > 0 ? Math.ceil((seconds / part) * (1 - part)) : undefined;
      change(key, { part, secondsLeft });
    };
    try {
      await upload({ file, replaces, signal, onProgress });
      dismiss(key);
    } catch (error) {
      if (!signal.aborted) change(key, { problem: apiErrorOf(error).message });
    }
  }

  const add = (files: readonly File[], replaces?: string) => {
    for (const file of files) {
      const key = ++last.current.key;
      const problem = soundProblem(file);
      const { name, size } = file;
      setUploads((before) => [...before, { key, name, size, part: 0, secondsLeft: undefined, problem, replaces }]);
      if (problem) continue;
      stops.current.set(key, new AbortController());
      last.current.end = last.current.end.then(() => send(key, file, replaces));
    }
  };
  return { uploads, add, dismiss };
}
