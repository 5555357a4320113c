import { failureOf, Unreachable } from "../../api/failure.ts";

type Put = {
  method: "PUT" | "PATCH" | "POST";
  path: string;
  token: string;
  headers?: Record<string, string>;
  body: FormData | Blob;
  /** The share that has left this browser, 0 to 1. */
  progress: (part: number) => void;
  signal: AbortSignal;
};

/** Sends bytes and says how far it is, which fetch cannot. Rejects like `answered`, and with an abort when told to stop. */
export function put<T>({ method, path, token, headers, body, progress, signal }: Put): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    const fail = (error: Error) => {
      signal.removeEventListener("abort", stop);
      reject(error);
    };
    request.open(method, path);
    request.setRequestHeader("Authorization", `Bearer ${token}`);
    request.setRequestHeader("Accept", "application/json");
    for (const [name, value] of Object.entries(headers ?? {})) request.setRequestHeader(name, value);
    request.responseType = "json";
    request.timeout = 90_000;
    request.upload.onprogress = (event) => progress(event.lengthComputable ? event.loaded / event.total : 0);
    request.upload.onload = () => progress(1);
    request.onerror = () => fail(new Unreachable("no answer"));
    request.ontimeout = () => fail(new Unreachable("too slow"));
    request.onabort = () => fail(new DOMException("stopped", "AbortError"));
    request.onload = () => {
      signal.removeEventListener("abort", stop);
      const answer: unknown = request.response;
      if (request.status >= 200 && request.status < 300 && answer) resolve(request.response);
      else reject(failureOf(request.status, answer, request.getResponseHeader("Retry-After")));
    };
    if (signal.aborted) return fail(new DOMException("stopped", "AbortError"));
    signal.addEventListener("abort", stop);
    request.send(body);
  });
}
