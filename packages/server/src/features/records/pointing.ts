import { problem } from '@florin/contract/errors.ts';
import type { Db } from '../../store/db.ts';
import { missingReferences, type Reference } from '../../store/references.ts';
import type { Scope } from '../../store/scope.ts';

/** A relationship of a record that is about to be written, and the row it points to. */
export interface Pointing extends Pick<Reference, 'table' | 'owner' | 'ended' | 'id'> {
  readonly relationship: string;
}

/** Of many writes, those that point to a record which does not exist for their merchant and mode. */
export async function brokenReferences<Item extends { readonly references: readonly Pointing[] }>(
  db: Db,
  items: readonly Item[],
  scopeOf: (item: Item) => Scope,
): Promise<Map<Item, Error>> {
  const wanted = items.flatMap((item) =>
    item.references.map(({ relationship, ...row }) => ({
      item,
      relationship,
      reference: { scope: scopeOf(item), ...row },
    })),
  );
  const missing = await missingReferences(
    db,
    wanted.map(({ reference }) => reference),
  );
  return new Map(
    wanted
      .filter(({ reference }) => missing.has(reference))
      .map(({ item, relationship }) => [item, relationshipNotFound(relationship)]),
  );
}

/** 404 for a relationship whose record does not exist for this key, or is out of use. */
export const relationshipNotFound = (relationship: string): Error =>
  problem(
    'relationship_not_found',
    `The record of the relationship ${relationship} was not found, is out of use, or the key may not see it.`,
    { pointer: `/data/relationships/${relationship}` },
  );
