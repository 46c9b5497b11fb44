import { WebhookError } from './webhook-error.ts';

/** Headers of a request: of the Fetch API, or an object as Node and its frameworks have it. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Longer than any that is sent, also with two signatures of each scheme. */
const HEADER_CHARACTERS_MAX = 4096;

/** The value of a header by its lower-case name. Throws where there are several, or one that is too long. */
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
