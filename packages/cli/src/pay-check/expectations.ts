import type { IncomingHttpHeaders } from 'node:http';

/** Differences of a served file, each in a few words. */
export type Differences = readonly string[];

/** Expected values of headers. */
type ExpectedHeaders = Readonly<Record<string, RegExp>>;

const PINNED = /-[\da-f]{16}\.\w+$/;

const scriptHeaders: ExpectedHeaders = {
  'content-type': /^text\/javascript/,
  'x-content-type-options': /^nosniff$/,
  'cross-origin-resource-policy': /^cross-origin$/,
  'access-control-allow-origin': /^\*$/,
};

/**
 * Checks the headers of a script for other pages. At an address with a hash the script is immutable in caches,
 * elsewhere cached for minutes.
 */
export const scriptDifferences = (path: string, headers: IncomingHttpHeaders): Differences =>
  differences(headers, {
    ...scriptHeaders,
    'cache-control': PINNED.test(path) ? /\bimmutable\b/ : /\bmax-age=\d{1,3}$/,
  });

const documentHeaders: ExpectedHeaders = {
  'content-type': /^text\/html/,
  'x-content-type-options': /^nosniff$/,
  'referrer-policy': /^no-referrer$/,
  'cache-control': /^no-store$/,
  'cross-origin-resource-policy': /^cross-origin$/,
  'origin-agent-cluster': /^\?1$/,
  'permissions-policy': /camera=\(\)/,
  'strict-transport-security': /max-age=\d{7,}/,
};

const GOOGLE = 'https://pay.google.com';
const HASH = /^'sha(256|384|512)-[\w+/=]+'$/;
const isOwn = (source: string): boolean => source === "'self'" || source === "'none'";

/** Permitted sources of each directive. The policy must contain every directive. */
const directives: Readonly<Record<string, (source: string) => boolean>> = {
  'default-src': (source) => source === "'none'",
  'script-src': (source) => isOwn(source) || source === GOOGLE,
  'style-src': (source) => HASH.test(source),
  'base-uri': (source) => source === "'none'",
  'form-action': (source) => source === "'none'",
  'frame-ancestors': (source) => source !== '*',
  'report-uri': (source) => source.startsWith('/'),
};

/** Checks the headers of a document inside the form's frame. */
export function documentDifferences(headers: IncomingHttpHeaders): Differences {
  const policy = policyOf(String(headers['content-security-policy'] ?? ''));
  const policyDifferences = Object.entries(directives)
    .filter(([name, allows]) => !(policy.get(name)?.length && policy.get(name)?.every(allows)))
    .map(([name]) => `its policy differs in ${name}`);
  const allowsGoogle = policy.get('script-src')?.includes(GOOGLE) === true;
  const requiresTrustedTypes =
    policy.get('require-trusted-types-for')?.includes("'script'") === true;
  return [
    ...differences(headers, documentHeaders),
    ...policyDifferences,
    ...(requiresTrustedTypes || allowsGoogle ? [] : ['its policy does not require trusted types']),
    ...([...policy.values()].flat().some((source) => /^'unsafe-/.test(source))
      ? ['its policy allows unsafe sources']
      : []),
  ];
}

const policyOf = (text: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    text.split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(/\s+/);
      return [name, sources];
    }),
  );

const differences = (headers: IncomingHttpHeaders, expected: ExpectedHeaders): Differences =>
  Object.entries(expected)
    .filter(([name, pattern]) => !pattern.test(String(headers[name] ?? '')))
    .map(
      ([name]) => `its header ${name} is ${headers[name] === undefined ? 'missing' : 'another'}`,
    );
