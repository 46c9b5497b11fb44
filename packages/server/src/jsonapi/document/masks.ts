import type { Row } from '../../platform/database/row.ts';
import type { RequestContext } from '../behaviour.ts';
import type { FieldModel } from '../model.ts';
import type { View } from './view-type.ts';

const MASK = '…';

/** The view with sensitive fields masked for a caller without their permission. */
export function withMaskedTexts(view: View, permissions: RequestContext['permissions']): View {
  if (permissions === 'all') return view;
  const maskedFields = [...view.model.fields.values()].filter(
    ({ definition: { masks } }) => masks && !permissions.has(masks.unless),
  );
  if (maskedFields.length === 0) return view;
  return {
    ...view,
    key: `${view.key} masked ${maskedFields.map(({ name }) => name)}`,
    write: (row, linkage) => view.write(maskedRow(row, maskedFields), linkage),
  };
}

const maskedRow = (row: Row, maskedFields: readonly FieldModel[]): Row => ({
  ...row,
  ...Object.fromEntries(
    maskedFields.flatMap(({ column, definition: { masks } }) => {
      const text = row[column];
      return text && masks ? [[column, text.replace(masks.pattern, MASK)]] : [];
    }),
  ),
});
