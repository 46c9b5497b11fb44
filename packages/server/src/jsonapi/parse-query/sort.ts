import { problem } from '@florin/contract/errors.ts';
import { idField, type Model } from '../model.ts';
import { unknownName } from '../unknown-name.ts';
import { errorLinks, type ProfileUse } from './cursor-profile.ts';
import { PATH_STEPS_MAX, SORT_KEYS_MAX } from './limits.ts';
import { listOf, type Parameter } from './parameters.ts';
import { queryableField, queryableNames, resolvePath } from './path.ts';
import type { SortKey } from './query.ts';

const source = { parameter: 'sort' };

/** Parses the sort order; default newest first. The id is the last key, so the order is unique. */
export function parseSort(
  model: Model,
  parameters: readonly Parameter[],
  touchedModels: Set<Model>,
  profile: ProfileUse,
): readonly SortKey[] {
  const names = [...new Set(parameters.flatMap(({ value }) => listOf(value)))];
  if (names.length > SORT_KEYS_MAX) {
    throw tooMany('A sort', 'keys', SORT_KEYS_MAX);
  }
  return withUniqueKey(
    names.length === 0
      ? newestFirst(model)
      : names.map((name) => parseSortKey(model, name, touchedModels, profile)),
  );
}

const newestFirst = (model: Model): SortKey[] => {
  const field = queryableField(model, 'created_at') ?? idField;
  return [{ hops: [], field, descending: true }];
};

function withUniqueKey(keys: readonly SortKey[]): readonly SortKey[] {
  const idIndex = keys.findIndex(({ hops, field }) => hops.length === 0 && field === idField);
  if (idIndex >= 0) return keys.slice(0, idIndex + 1);
  return [...keys, { hops: [], field: idField, descending: keys.at(-1)?.descending ?? true }];
}

function parseSortKey(
  model: Model,
  text: string,
  touchedModels: Set<Model>,
  profile: ProfileUse,
): SortKey {
  const isDescending = text.startsWith('-');
  const name = isDescending ? text.slice(1) : text;
  const segments = name.split('.');
  if (segments.length - 1 > PATH_STEPS_MAX) {
    throw tooMany('A sort key', 'relationships', PATH_STEPS_MAX);
  }
  const path = resolvePath(model, segments);
  if (!('field' in path)) {
    const endModel = 'model' in path ? path.model : path.relation.target;
    throw problem(
      'invalid_sort',
      unknownName(endModel.type, 'sort key', segments.at(-1) ?? '', sortNames(endModel)),
      source,
      errorLinks(profile, 'unsupported-sort'),
    );
  }
  if (path.hops.some(({ many }) => many)) {
    throw problem(
      'invalid_sort',
      `${name} leads to many records. Sort by attributes of to-one relationships only.`,
      source,
      errorLinks(profile, 'unsupported-sort'),
    );
  }
  for (const hop of path.hops) touchedModels.add(hop.target);
  return { ...path, descending: isDescending };
}

const tooMany = (owner: string, items: string, limit: number) =>
  problem('query_too_costly', `${owner} can have at most ${limit} ${items}.`, source, {
    meta: { limit },
  });

const sortNames = (model: Model): string[] =>
  queryableNames(model).filter((name) => !model.relations.get(name)?.many);
