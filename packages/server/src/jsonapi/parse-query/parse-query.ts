import { problem } from '@florin/contract/errors.ts';
import { queryText, withPosition } from '../document/links.ts';
import type { Model, Models } from '../model.ts';
import { unknownName } from '../unknown-name.ts';
import { CURSOR_PROFILE, profileUse } from './cursor-profile.ts';
import { parseFields } from './fields.ts';
import { parseFilters } from './filter.ts';
import { parseInclude } from './include.ts';
import { CURSOR_TEXT_MAX, QUERY_TEXT_MAX } from './limits.ts';
import { parsePage } from './page.ts';
import { type Parameter, readParameters, tooLong, withoutIndex } from './parameters.ts';
import type { Query } from './query.ts';
import { parseSort } from './sort.ts';
import { requireFewSteps } from './steps.ts';

type Family = 'fields' | 'include' | 'sort' | 'filter' | 'page';

const listFamilies: readonly Family[] = ['fields', 'include', 'sort', 'filter', 'page'];
const documentFamilies: readonly Family[] = ['fields', 'include'];

/**
 * Parses the query string (without `?`) of a request for `model`. An unknown name is 400, an ill-typed value
 * 422, both with `source.parameter`. Documents of one record accept no filter, sort or page. Error rules of
 * the requested `profiles` take precedence.
 */
export function parseQuery(
  models: Models,
  model: Model,
  queryText: string,
  shape: 'list' | 'document',
  profiles: ReadonlySet<string> = new Set(),
): Query {
  const parameters = readParameters(queryText);
  const families = shape === 'list' ? listFamilies : documentFamilies;
  for (const parameter of parameters) checkFamily(parameter, families);
  requireLinkable(parameters, shape);
  const parametersOf = (family: Family) =>
    parameters.filter((parameter) => parameter.family === family);
  const touchedModels = new Set<Model>();
  const profile =
    shape === 'list' ? profileUse(parametersOf('page'), profiles.has(CURSOR_PROFILE)) : undefined;
  const query = {
    fields: parseFields(models, parametersOf('fields')),
    include: parseInclude(model, parametersOf('include'), touchedModels),
    sort: parseSort(model, parametersOf('sort'), touchedModels, profile),
    filters: parseFilters(model, parametersOf('filter'), touchedModels),
    page: parsePage(parametersOf('page'), profile),
    profile,
    touchedModels,
    parameters,
  };
  requireFewSteps(model, query);
  return query;
}

/** Throws if the query is too long for the response's links, which repeat the query with a cursor. */
function requireLinkable(parameters: readonly Parameter[], shape: 'list' | 'document'): void {
  const limit = shape === 'list' ? QUERY_TEXT_MAX - CURSOR_TEXT_MAX : QUERY_TEXT_MAX;
  const repeatedParameters = shape === 'list' ? withPosition(parameters) : parameters;
  if (queryText(repeatedParameters).length > limit)
    throw tooLong('characters in its links, cursors left out', limit);
}

function checkFamily({ name, family, brackets }: Parameter, families: readonly Family[]): void {
  const knownFamily = families.find((candidate) => candidate === family);
  const isList = knownFamily === 'include' || knownFamily === 'sort';
  if (knownFamily && (!isList || withoutIndex(brackets).brackets.length === 0)) return;
  const unknown = knownFamily ? name : family;
  const detail = unknownName('This address', 'parameter', unknown, families);
  throw problem('unknown_parameter', detail, { parameter: name });
}
