import { problem } from '@florin/contract/errors.ts';
import type { Db } from '../../platform/database/db.ts';
import { keyText } from '../../platform/database/row-key.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { customerMerged } from './customer-merged.ts';
import { findBrokenReferences, type Reference, type ReferenceProblem } from './sql/references.ts';
import { findSurvivors } from './sql/survivors.ts';

/** Relationship of a record to be written, with the referenced row. */
export interface NamedReference extends Omit<Reference, 'scope'> {
  readonly relationship: string;
}

/**
 * Errors of writes that reference a record which does not exist in their scope, or belongs to
 * another customer.
 */
export async function invalidReferences<
  Item extends { readonly references: readonly NamedReference[] },
>(db: Db, items: readonly Item[], scopeOf: (item: Item) => Scope): Promise<Map<Item, Error>> {
  const itemReferences = items.flatMap((item) =>
    item.references.map(({ relationship, ...row }) => ({
      item,
      relationship,
      reference: { scope: scopeOf(item), ...row },
    })),
  );
  const problemByReference = await findBrokenReferences(
    db,
    itemReferences.map(({ reference }) => reference),
  );
  const errorsOf = (referenceProblem: ReferenceProblem): [Item, Error][] =>
    itemReferences
      .filter(({ reference }) => problemByReference.get(reference) === referenceProblem)
      .map(({ item, relationship }) => [item, errors[referenceProblem](relationship)]);
  const missingCustomers = itemReferences.filter(
    ({ reference }) =>
      reference.table === 'customers' && problemByReference.get(reference) === 'missing',
  );
  const merged = await mergedErrors(db, missingCustomers);
  // Later entries win: a missing record is reported before another customer's record.
  return new Map([...errorsOf('foreign'), ...errorsOf('missing'), ...merged]);
}

/** Errors of references to customers who were merged: these exist, but nothing new may belong to them. */
async function mergedErrors<Item>(
  db: Db,
  references: readonly {
    readonly item: Item;
    readonly relationship: string;
    readonly reference: Reference;
  }[],
): Promise<[Item, Error][]> {
  const keyOf = ({ scope, id }: Reference) => ({ ...scope, id });
  const survivors = await findSurvivors(
    db,
    references.map(({ reference }) => keyOf(reference)),
  );
  return references.flatMap(({ item, relationship, reference }) => {
    const survivor = survivors.get(keyText(keyOf(reference)));
    return survivor
      ? [[item, customerMerged(survivor, `/data/relationships/${relationship}`)]]
      : [];
  });
}

/** Error 422 for a relationship to a record of another customer. */
const relationshipForeign = (relationship: string): Error =>
  problem(
    'customer_mismatch',
    `${relationship} belongs to another customer than the payer. Name a record of the payer.`,
    { pointer: `/data/relationships/${relationship}` },
  );

/** Error 404 for a relationship to a record that does not exist for this key, or has ended. */
export const relationshipNotFound = (relationship: string): Error =>
  problem(
    'relationship_not_found',
    `The record in ${relationship} does not exist, is discarded, or is not visible to this key.`,
    { pointer: `/data/relationships/${relationship}` },
  );

const errors: Readonly<Record<ReferenceProblem, (relationship: string) => Error>> = {
  missing: relationshipNotFound,
  foreign: relationshipForeign,
};
