import { isCurrentType } from '@florin/contract/resources/define-resource.ts';
import type { ForeignKeySchema, TableSchema } from '../../platform/database/schema/table-schema.ts';
import type { Model, Models, RelationModel } from '../model.ts';
import { columnsOf } from './columns.ts';
import { indexesOf } from './indexes.ts';

/** Tables that the definitions require. Old names of types share the table of the new name. */
export const expectedTables = ({ all }: Models): readonly TableSchema[] =>
  all.filter(({ resource }) => isCurrentType(resource)).map(expectedTable);

const expectedTable = (model: Model): TableSchema => ({
  name: model.table,
  columns: columnsOf(model),
  primary_key: keyOf(model),
  foreign_keys: [...model.toOne.values()].flatMap((relation) => foreignKey(model, relation)),
  indexes: indexesOf(model),
  join_tables: [...model.relations.values()].flatMap(({ through }) =>
    through ? [through.table] : [],
  ),
});

const keyOf = ({ tenant_column }: Model): readonly string[] =>
  tenant_column === 'merchant_id' ? ['merchant_id', 'id'] : ['id'];

/**
 * Foreign key of a relationship. None to the row's own merchant, which authentication has checked, none from platform
 * rows to merchants' rows, and none for unchecked relations.
 */
function foreignKey(
  model: Model,
  { column, target, definition }: RelationModel,
): ForeignKeySchema[] {
  const isMerchantOwned = target.tenant_column === 'merchant_id';
  if (
    definition.unchecked ||
    column === model.tenant_column ||
    (isMerchantOwned && !model.tenant_column)
  )
    return [];
  const columns = isMerchantOwned ? ['merchant_id', column] : [column];
  return [{ columns, table: target.table, target: keyOf(target) }];
}
