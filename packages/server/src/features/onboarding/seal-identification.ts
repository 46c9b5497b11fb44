import type { Sealer } from '../../platform/crypto/sealer.ts';
import type { Row } from '../../platform/database/row.ts';
import { sealedColumnsOf } from '../secrets/sealed-columns.ts';

const columns = sealedColumnsOf('personal_identifications');

/** The row of a person, with every text about the person sealed for this row. */
export function sealIdentification(sealer: Sealer, row: Row): Row {
  const { merchant_id, id } = row as Record<'merchant_id' | 'id', string>;
  const sealed = columns.flatMap((column) => {
    const text = row[column];
    return text == null ? [] : [[column, sealer.seal(text, { merchant_id, id, column })]];
  });
  return { ...row, ...Object.fromEntries(sealed) };
}
