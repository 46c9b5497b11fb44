import { problem } from '@florin/contract/errors.ts';
import type { Model, RelationModel } from '../model.ts';
import { STEPS_WEIGHT_MAX } from './limits.ts';
import type { IncludeTree, Path, Query } from './query.ts';

/** Throws `query_too_costly` if filters, sorts and includes have too many hops. */
export function requireFewSteps(
  model: Model,
  { filters, sort, include, page }: Pick<Query, 'filters' | 'sort' | 'include' | 'page'>,
): void {
  const weights = {
    // The total needs a separate statement with the same filters.
    filter: weightOfPaths(filters) * (page.total ? 2 : 1),
    sort: weightOfPaths(sort),
    include: include ? weightOfTree(model, include) : 0,
  };
  const total = weights.filter + weights.sort + weights.include;
  if (total <= STEPS_WEIGHT_MAX) return;
  const [[parameter]] = Object.entries(weights).sort(([, a], [, b]) => b - a) as [[string, number]];
  throw problem(
    'query_too_costly',
    `Filters, sorts and includes can use at most ${STEPS_WEIGHT_MAX} relationships together. To-many relationships count double, and page[total] doubles those of filters.`,
    { parameter },
    { meta: { limit: STEPS_WEIGHT_MAX } },
  );
}

/** Weight of a hop: one per table that it reads, including visibility checks. To-many hops count double. */
function weightOf({ many, through, target }: RelationModel): number {
  const tables = 1 + (through ? 1 : 0) + (target.seen_through ? 1 : 0);
  return many ? 2 * tables : tables;
}

const weightOfPaths = (paths: readonly Path[]): number =>
  sum(paths.flatMap(({ hops }) => hops.map(weightOf)));

const weightOfTree = (model: Model, tree: IncludeTree): number =>
  sum(
    [...tree].map(([name, branch]) => {
      const relation = model.relations.get(name) as RelationModel;
      return weightOf(relation) + weightOfTree(relation.target, branch);
    }),
  );

const sum = (weights: readonly number[]): number =>
  weights.reduce((total, weight) => total + weight, 0);
