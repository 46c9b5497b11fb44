export interface CurlParts {
  readonly base_url: string;
  readonly method: string;
  readonly path: string;
  readonly query: string | null;
  readonly body: unknown;
  readonly has_idempotency_key: boolean;
}

/** Quotes a text for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const addressOf = ({ base_url, path, query }: CurlParts): string =>
  encodeURI(`${base_url}${path}${query ? `?${query}` : ''}`);

/**
 * Returns a logged request as a curl command. The API key comes from the environment; redacted values must be filled
 * in.
 */
export function curlOf(parts: CurlParts): string {
  const { method, body, has_idempotency_key } = parts;
  const lines = [
    `curl --globoff -X ${method} ${quote(addressOf(parts))}`,
    `-H "Authorization: Bearer $FLORIN_SECRET_KEY"`,
    ...(has_idempotency_key ? [`-H "Idempotency-Key: $(uuidgen)"`] : []),
    ...(body
      ? [
          `-H 'Content-Type: application/vnd.api+json'`,
          `--data-raw ${quote(JSON.stringify(body, null, 2))}`,
        ]
      : []),
  ];
  return lines.join(' \\\n  ');
}
