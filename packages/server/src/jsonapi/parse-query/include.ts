import { problem } from '@florin/contract/errors.ts';
import type { Model } from '../model.ts';
import { unknownName } from '../unknown-name.ts';
import { INCLUDE_DEPTH_MAX, INCLUDE_PATHS_MAX } from './limits.ts';
import { listOf, type Parameter } from './parameters.ts';
import type { IncludeTree } from './query.ts';

type MutableTree = Map<string, MutableTree>;

const source = { parameter: 'include' };

/** Maximum number of include paths for the type, at least one per relationship. */
export const includePathsMax = ({ relations }: Model): number =>
  Math.max(INCLUDE_PATHS_MAX, relations.size);

/** Merges the paths of all `include` parameters into one tree, and collects the types that they reach. */
export function parseInclude(
  model: Model,
  parameters: readonly Parameter[],
  touchedModels: Set<Model>,
): IncludeTree | undefined {
  if (parameters.length === 0) return undefined;
  const paths = new Set(parameters.flatMap(({ value }) => listOf(value)));
  const pathsMax = includePathsMax(model);
  if (paths.size > pathsMax) throw tooMany(`${pathsMax} paths`, pathsMax);
  const tree: MutableTree = new Map();
  for (const path of paths) addPath(tree, model, path, touchedModels);
  return tree;
}

function addPath(tree: MutableTree, root: Model, path: string, touchedModels: Set<Model>): void {
  const names = path.split('.');
  if (names.length > INCLUDE_DEPTH_MAX)
    throw tooMany(`${INCLUDE_DEPTH_MAX} steps`, INCLUDE_DEPTH_MAX);
  let node = tree;
  let model = root;
  for (const name of names) {
    const relation = model.relations.get(name);
    if (!relation) {
      throw problem(
        'invalid_include',
        `${path} cannot be included: ${unknownName(model.type, 'relationship', name, model.relations.keys())}`,
        source,
      );
    }
    model = relation.target;
    touchedModels.add(model);
    node = node.get(name) ?? addBranch(node, name);
  }
}

function addBranch(tree: MutableTree, name: string): MutableTree {
  const branch: MutableTree = new Map();
  tree.set(name, branch);
  return branch;
}

const tooMany = (limitText: string, limit: number) =>
  problem('query_too_costly', `An include can have at most ${limitText}.`, source, {
    meta: { limit },
  });
