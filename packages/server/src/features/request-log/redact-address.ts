import type { Field } from '@florin/contract/resources/define-resource.ts';
import type { Model, Models } from '../../jsonapi/model.ts';
import { isUuid } from '../../platform/ids.ts';
import { isClean, isMistake, MASKED, REDACTED, shownValue } from './shown.ts';

const PATH_SEGMENTS_MAX = 8;
/** Position of the id in `/v2/customers/:id`. Clients also put names and secrets there. */
const ID_SEGMENT = 3;
const PARAMETERS_MAX = 50;
const QUERY_LENGTH_MAX = 4_000;
const NAME = /^[a-z][a-zA-Z_.[\]]{0,100}$/;
const OWN_WORDS = ['v2', 'v1', 'relationships', 'sandbox', 'drain', 'and', 'true', 'false'];

/** Parameters whose values are names of the interface. */
const NAMES = /^(?:sort|include|fields\[\w+\])$/;

/** Redacts paths and queries. */
export interface AddressRedactor {
  /** Path that shows only ids, words of the interface, and misspelt words. */
  path(path: string): string;
  /** Query without its `?`; null if empty. */
  query(query: string): string | null;
}

export function createAddressRedactor(models: Models): AddressRedactor {
  const knownWords = wordsOf(models);
  return {
    path: (path) =>
      path
        .split('/')
        .slice(0, PATH_SEGMENTS_MAX)
        .map((part, at) => {
          const isShown = part === '' || knownWords.has(part) || isUuid(part);
          return isShown || (at !== ID_SEGMENT && isMistake(part, knownWords)) ? part : REDACTED;
        })
        .join('/'),
    query: (query) => (query === '' ? null : queryText(models, knownWords, query)),
  };
}

/** Names of types, fields, relationships and actions. */
const wordsOf = ({ all }: Models): ReadonlySet<string> =>
  new Set([
    ...OWN_WORDS,
    ...all.flatMap(({ type, fields, relations, resource }) => [
      type,
      ...fields.keys(),
      ...relations.keys(),
      ...Object.keys(resource.actions ?? {}),
    ]),
  ]);

function queryText(models: Models, knownWords: ReadonlySet<string>, query: string): string {
  const parameters = [...new URLSearchParams(query)].slice(0, PARAMETERS_MAX);
  const text = parameters
    .map(([name, value]) =>
      NAME.test(name) && isClean(name)
        ? `${name}=${shownOf(models, knownWords, name, value)}`
        : REDACTED,
    )
    .join('&');
  return text.slice(0, QUERY_LENGTH_MAX);
}

/**
 * Value of a query parameter for display: words of the interface and counts. Filters also show ids,
 * and values of fields without personal data.
 */
function shownOf(
  models: Models,
  knownWords: ReadonlySet<string>,
  name: string,
  value: string,
): string {
  if (!name.startsWith('filter[')) {
    const isPlain = value
      .split(/[,.-]/)
      .every(
        (part) =>
          part === '' || knownWords.has(part) || (NAMES.test(name) && isMistake(part, knownWords)),
      );
    return isPlain || /^\d{1,9}$/.test(value) ? value : MASKED;
  }
  const fields = fieldsNamed(models, name);
  const isShown = (part: string) => isUuid(part) || fields.some((field) => isValueOf(field, part));
  return value.split(',').every(isShown) ? value : MASKED;
}

/** Fields with the last name of a filter's path, in all resource types. */
function fieldsNamed({ all }: Models, name: string): NamedField[] {
  const [path = ''] = name.slice('filter['.length).split(']');
  const lastSegment = path.split('.').at(-1) ?? '';
  return all.flatMap((model) => fieldOf(model, lastSegment));
}

interface NamedField {
  readonly name: string;
  readonly definition: Field;
}

const fieldOf = ({ fields }: Model, name: string): NamedField[] => {
  const field = fields.get(name);
  return field ? [field] : [];
};

function isValueOf({ name, definition }: NamedField, part: string): boolean {
  if (definition.type === 'integer') return /^-?\d{1,12}$/.test(part);
  if (definition.type === 'boolean') return part === 'true' || part === 'false';
  return shownValue(name, definition, part) === part;
}
