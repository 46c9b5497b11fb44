import { type ProblemError, problem } from '@florin/contract/errors.ts';
import type { Models } from '../jsonapi/model.ts';
import { unknownName } from '../jsonapi/unknown-name.ts';

const NOTHING = 'No resource has this address';

/** The 404 of an unknown address below `/v2`, with a suggested address. */
export function unknownAddressProblem(models: Models, url: string): ProblemError {
  const detail = suggestionFor(models, url.split('?')[0] ?? '');
  return problem('not_found', detail ? `${NOTHING}: ${detail}` : `${NOTHING}. Check the path.`);
}

function suggestionFor(models: Models, path: string): string | undefined {
  const [type = '', id, firstSegment, secondSegment] = path.split('/').slice(2);
  const model = models.find(type);
  if (!model) {
    const types = models.all.map(({ type: knownType }) => knownType);
    return unknownName('the interface', 'type', type, types);
  }
  if (id === undefined || firstSegment === undefined) return undefined;
  const relations = [...model.relations.keys()];
  if (firstSegment === 'relationships') {
    return unknownName(model.type, 'relationship', secondSegment ?? '', relations);
  }
  const actions = Object.keys(model.resource.actions ?? {});
  return unknownName(model.type, 'relationship or action', firstSegment, [
    ...relations,
    ...actions,
  ]);
}
