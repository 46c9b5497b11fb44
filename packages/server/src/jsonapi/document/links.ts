import type { Parameter } from '../parse-query/parameters.ts';

const encodeText = (text: string): string => encodeURIComponent(text).replaceAll('%2C', ',');

/** A query string with its `?`, brackets percent-encoded; empty without parameters. */
export function queryText(parameters: readonly Pick<Parameter, 'name' | 'value'>[]): string {
  if (parameters.length === 0) return '';
  return `?${parameters.map(({ name, value }) => `${encodeText(name)}=${encodeText(value)}`).join('&')}`;
}

/** Replaces the parameters that position the page. */
export function withPosition(
  parameters: readonly Parameter[],
  position?: { readonly side: 'after' | 'before'; readonly cursor: string },
): Pick<Parameter, 'name' | 'value'>[] {
  const otherParameters = parameters.filter(
    ({ family, brackets }) => family !== 'page' || !POSITIONS.has(brackets[0] ?? ''),
  );
  return position
    ? [...otherParameters, { name: `page[${position.side}]`, value: position.cursor }]
    : otherParameters;
}

const POSITIONS: ReadonlySet<string> = new Set(['number', 'offset', 'after', 'before']);
