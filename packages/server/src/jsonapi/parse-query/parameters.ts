import { problem } from '@florin/contract/errors.ts';
import { PARAMETERS_MAX, QUERY_TEXT_MAX } from './limits.ts';

/** A decoded `name=value` of a query string. `filter[a][b]` has the family `filter` and the brackets `a`, `b`. */
export interface Parameter {
  readonly name: string;
  readonly family: string;
  readonly brackets: readonly string[];
  readonly value: string;
}

const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

/**
 * Parses a query string; keeps order and repetitions. Throws `invalid_url` for broken percent-encoding, and
 * `unknown_parameter` for names not of the form `family[a][b]`.
 */
export function readParameters(query: string): Parameter[] {
  if (query === '') return [];
  const pairs = query.split('&').filter((pair) => pair !== '' && pair !== '=');
  if (query.length > QUERY_TEXT_MAX) throw tooLong('characters', QUERY_TEXT_MAX);
  if (pairs.length > PARAMETERS_MAX) throw tooLong('parameters', PARAMETERS_MAX);
  return pairs.map(readParameter);
}

export const tooLong = (items: string, limit: number) =>
  problem('query_too_costly', `A query can have at most ${limit} ${items}.`, undefined, {
    meta: { limit },
  });

function readParameter(pair: string): Parameter {
  const equalsIndex = pair.indexOf('=');
  const name = decode(equalsIndex < 0 ? pair : pair.slice(0, equalsIndex));
  const value = equalsIndex < 0 ? '' : decode(pair.slice(equalsIndex + 1));
  const match = NAME.exec(name);
  if (!match) {
    throw problem(
      'unknown_parameter',
      'A query parameter must be named `family` or `family[member]`.',
      {
        parameter: name,
      },
    );
  }
  const [, family = '', bracketed = ''] = match;
  return {
    name,
    family,
    brackets: bracketed === '' ? [] : bracketed.slice(1, -1).split(']['),
    value,
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw problem('invalid_url', 'The query is not valid percent-encoded UTF-8.', undefined, {
      cause,
    });
  }
}

/** The brackets without a trailing `[]` or `[0]`, which some clients append to arrays. */
export function withoutIndex(brackets: readonly string[]): {
  brackets: readonly string[];
  indexed: boolean;
} {
  const indexed = brackets.length > 0 && /^\d{0,4}$/.test(brackets.at(-1) ?? '');
  return { brackets: indexed ? brackets.slice(0, -1) : brackets, indexed };
}

/** Members of a comma list, trimmed, without blank ones. */
export const listOf = (value: string): string[] =>
  value
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
