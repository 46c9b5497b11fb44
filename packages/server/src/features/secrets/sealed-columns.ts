import type { Field, Resource } from '@florin/contract/resources/define-resource.ts';
import { resources } from '@florin/contract/resources/index.ts';

/** A column whose texts are sealed, in a table with the key `id`, or `merchant_id` and `id`. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Column that stands for the merchant in the location of a text. */
  readonly owner: 'merchant_id' | 'id';
  /** Earlier versions of Florin stored plain texts here. */
  readonly was_plain?: true;
}

const byMerchant = (table: string, column: string): SealedColumn => ({
  table,
  column,
  owner: 'merchant_id',
});

const sealedFieldsOf = ([type, { table = type, fields }]: [string, Resource]): SealedColumn[] =>
  Object.entries<Field>(fields)
    .filter(([, { sealed }]) => sealed)
    .map(([name, { column = name }]) => ({ ...byMerchant(table, column), was_plain: true }));

/** Sealed attributes of the interface. */
const attributeColumns = Object.entries<Resource>(resources).flatMap(sealedFieldsOf);

/** All sealed columns of the server's database, apart from the secrets of the installation. */
export const sealedColumns: readonly SealedColumn[] = [
  ...attributeColumns,
  { ...byMerchant('personal_identifications', 'id_number_full'), was_plain: true },
  byMerchant('webhook_subscriptions', 'previous_secret_key'),
  byMerchant('financial_institutions', 'account_number'),
  byMerchant('dispute_file_contents', 'content_key'),
  { table: 'accounts', column: 'totp_secret', owner: 'id' },
  { table: 'account_letters', column: 'body', owner: 'id' },
  { table: 'cells', column: 'address', owner: 'id' },
];

/** The sealed columns of a table. */
export const sealedColumnsOf = (table: string): readonly string[] =>
  sealedColumns.filter((known) => known.table === table).map(({ column }) => column);
