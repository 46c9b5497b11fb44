/** A table whose rows move with their merchant. */
export interface MovedTable {
  readonly name: string;
  /** Columns in the table's order, without generated ones. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Column that refers to another row of the same table; undefined without one. */
  readonly own_reference: string | undefined;
}

/** A foreign key between two tables. */
export interface TableReference {
  readonly source: string;
  readonly target: string;
  /** Column besides the merchant's; null if there is none. */
  readonly column: string | null;
}

/** Orders tables so that each comes after those that its rows refer to. Throws on a circle of references. */
export function inOrderOfReferences(
  tables: readonly Omit<MovedTable, 'own_reference'>[],
  references: readonly TableReference[],
): readonly MovedTable[] {
  const ordered: MovedTable[] = [];
  const left = new Map(tables.map((table) => [table.name, table]));
  const isFree = (name: string): boolean =>
    !references.some(
      ({ source, target }) => source === name && target !== name && left.has(target),
    );
  while (left.size > 0) {
    const free = [...left.keys()].filter(isFree);
    if (free.length === 0)
      throw new Error(`the tables ${[...left.keys()].join(', ')} refer to each other in a circle`);
    for (const name of free) {
      const own = references.find(({ source, target }) => source === name && target === name);
      const table = left.get(name) as MovedTable;
      ordered.push({ ...table, own_reference: own?.column ?? undefined });
      left.delete(name);
    }
  }
  return ordered;
}

/** Column with the merchant of a row. */
export const ownerColumn = (table: string): string =>
  table === 'merchants' ? 'id' : 'merchant_id';

/** Describes the first difference between the tables of two cells; undefined without one. */
export function describeTableDifference(
  source: readonly MovedTable[],
  target: readonly MovedTable[],
): string | undefined {
  const textOf = ({ columns }: MovedTable): string =>
    columns
      .map(({ name, type }) => `${name} ${type}`)
      .sort()
      .join(', ');
  const targetTexts = new Map(target.map((table) => [table.name, textOf(table)]));
  const differing = source.find((table) => targetTexts.get(table.name) !== textOf(table));
  return differing && `the table ${differing.name} has other columns in the target`;
}

/** Values that columns of moved rows get in the target. */
export interface Arrival {
  /** Accounts at processors of the source, each with that of the target. */
  readonly accounts: Readonly<Record<string, string>>;
  /** Integrations of the source, each with that of the target. */
  readonly integrations: Readonly<Record<string, string>>;
  /** Added to stamps of the ledger, which count transactions of one database. */
  readonly stamp_shift: bigint;
  /** Later than every change of a clock that processes of the target have seen. */
  readonly arrives_at: string;
}
