import { WebhookError } from './webhook-error.ts';

/** Headers of a request: `Headers` of the Fetch API, or an object as in Node and its frameworks. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Above the length of any header that Florin sends, even with two signatures per scheme. */
const HEADER_CHARACTERS_MAX = 4096;

/** Returns a header's value by its lower-case name. Throws if the header is repeated or too long. */
export function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  const values = valuesOf(headers, name);
  if (values.length > 1) {
    throw new WebhookError('header_repeated', `The header ${name} came more than once.`);
  }
  const [value] = values;
  if (value && value.length > HEADER_CHARACTERS_MAX) {
    throw new WebhookError('header_malformed', `The header ${name} is too long.`);
  }
  return value || undefined;
}

function valuesOf(headers: WebhookHeaders, name: string): readonly string[] {
  if (isFetchHeaders(headers)) return [headers.get(name) ?? []].flat();
  return Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
}

const isFetchHeaders = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof headers.get === 'function';
