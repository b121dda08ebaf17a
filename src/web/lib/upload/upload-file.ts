import { accessToken } from "../auth/session.ts";
import { responseError } from "../response-error.ts";

/** fetch reports no progress. `onProgress` gets the share, 0 to 1. Throws like the API client, or an AbortError. */
export async function uploadFile<Stored>(
  address: string,
  file: File,
  onProgress: (part: number) => void,
  signal?: AbortSignal,
): Promise<Stored> {
  const token = await accessToken();
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", address);
    if (token) request.setRequestHeader("authorization", `Bearer ${token}`);
    request.setRequestHeader("content-type", file.type || "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const body = parse(request.responseText);
      if (request.status === 201) resolve(body as Stored);
      else
        reject(
          responseError("The upload was refused. Please try a smaller file, or try again later.", request.status, body),
        );
    };
    request.onerror = () => reject(new Error("The upload was interrupted."));
    request.onabort = () => reject(new DOMException("The upload was canceled.", "AbortError"));
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
