import type { Behaviour, RequestContext } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import { differingColumns } from '../../jsonapi/parse-document/rows.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Services } from '../../services.ts';
import { createCreator } from './creator.ts';
import { eventAbout } from './emit.ts';
import type { NamedReference } from './references.ts';
import { conditionsOf, createUpdater, type Updater, type UpdaterOptions } from './updater.ts';

/**
 * Behaviour of a type without rules of its own: stores what clients send and emits the declared
 * events.
 */
export function plainBehaviour(
  services: Services,
  model: Model,
  rules: UpdaterRules = {},
): Required<Pick<Behaviour, 'create' | 'update'>> {
  const create = createCreator(services, model.table);
  const update = updaterOf(services, model, rules);
  return {
    async create(ctx, _input, row) {
      const { idempotency } = ctx;
      const record = { row, events: eventsFor(model, row, 'created', ctx), idempotency };
      const created = await create({ record, references: referencesOf(model, row) });
      services.wake.deliver.raise();
      return created;
    },
    update: (ctx, id, _input, columns) =>
      update({
        ...conditionsOf(ctx, id),
        columns,
        references: (_row, changed) => referencesOf(model, changed),
        decide: (_row, _now, changed) => ({ set: changed, events: slugsOf(model, 'updated') }),
      }),
  };
}

type UpdaterRules = Pick<UpdaterOptions, 'refuse' | 'followOnChanges' | 'followOnWork'>;

/** Creates the updater of a model's records. */
export const updaterOf = (services: Services, model: Model, rules: UpdaterRules = {}): Updater =>
  createUpdater(services, {
    ...rules,
    table: model.table,
    differing: (row, columns) => differingColumns(model, row, columns),
  });

/** List of the slug if the type declares it; otherwise empty. */
export const slugsOf = (model: Model, slug: string): string[] =>
  model.resource.events?.slugs.includes(slug) ? [slug] : [];

const eventsFor = (model: Model, row: Row, slug: string, ctx: RequestContext) =>
  slugsOf(model, slug).map((event) => eventAbout(model, row, event, ctx.now()));

/** Rows that a row's to-one relationships reference, and that must exist in the row's scope. */
export const referencesOf = (model: Model, row: Row): NamedReference[] =>
  [...model.toOne.values()].flatMap(({ name, column, target }) => {
    const id = row[column];
    if (!id || name === 'merchant') return [];
    const { owner, ended: endedColumn, expires } = target.resource;
    return [{ relationship: name, table: target.table, owner, endedColumn, expires, id }];
  });
