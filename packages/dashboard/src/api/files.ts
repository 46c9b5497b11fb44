import { scopeHeaders } from './client.ts';
import { ApiError, type ApiProblem } from './errors.ts';
import { withTexts } from './problem-texts.ts';
import { addressOf, type Parameters } from './queries.ts';
import type { Scope } from './types.ts';

interface Upload {
  readonly path: string;
  readonly parameters: Parameters;
  readonly file: Blob;
  readonly idempotency_key: string;
  /** Gets the share of sent bytes, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** Sends a file as the body of a request, whose progress `fetch` cannot tell. Rejects with `ApiError`. */
export function uploadFile(
  scope: Scope,
  { path, parameters, file, idempotency_key, onProgress }: Upload,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const request = new XMLHttpRequest();
  request.open('POST', addressOf(path, parameters));
  const headers = {
    ...scopeHeaders(scope),
    accept: 'application/vnd.api+json',
    'content-type': 'application/octet-stream',
    'idempotency-key': idempotency_key,
  };
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
  request.onload = () => {
    if (request.status < 300) resolve();
    else void errorOf(request.status, request.responseText, sentOf(request)).then(reject);
  };
  request.onerror = () => reject(new ApiError(0, [], { was_unanswered: true }));
  request.send(file);
  return promise;
}

const sentOf = (request: XMLHttpRequest) => ({
  request_id: request.getResponseHeader('x-request-id') ?? undefined,
});

const errorOf = async (status: number, text: string, sent = {}): Promise<ApiError> =>
  new ApiError(status, await withTexts(problemsIn(text)), sent);

function problemsIn(text: string): readonly ApiProblem[] {
  try {
    return (JSON.parse(text) as { readonly errors?: readonly ApiProblem[] }).errors ?? [];
  } catch {
    return [];
  }
}

/** Saves a file of the interface under a name. The browser never opens it. Rejects with `ApiError`. */
export async function downloadFile(scope: Scope, path: string, name: string): Promise<void> {
  const response = await fetch(addressOf(path), { headers: scopeHeaders(scope) });
  if (!response.ok) throw await errorOf(response.status, await response.text());
  const bytes = await response.arrayBuffer();
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
