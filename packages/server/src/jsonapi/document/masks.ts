import type { Row } from '../../platform/database/row.ts';
import type { RequestContext } from '../behaviour.ts';
import type { FieldModel } from '../model.ts';
import type { View } from './view-type.ts';

const MASK = '…';

/** The view with sensitive fields masked for a caller without their permission. */
export function maskingTexts(view: View, permissions: RequestContext['permissions']): View {
  if (permissions === 'all') return view;
  const masked = [...view.model.fields.values()].filter(
    ({ definition: { masks } }) => masks && !permissions.has(masks.unless),
  );
  if (masked.length === 0) return view;
  return {
    ...view,
    key: `${view.key} masked ${masked.map(({ name }) => name)}`,
    write: (row, linkage) => view.write(maskedRow(row, masked), linkage),
  };
}

const maskedRow = (row: Row, masked: readonly FieldModel[]): Row => ({
  ...row,
  ...Object.fromEntries(
    masked.flatMap(({ column, definition: { masks } }) => {
      const text = row[column];
      return text && masks ? [[column, text.replace(masks.pattern, MASK)]] : [];
    }),
  ),
});
