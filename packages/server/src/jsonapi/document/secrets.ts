import type { FieldModel, Model } from '../model.ts';
import type { View } from './view-type.ts';

/** Whether a document that is being written holds a secret so far. */
export interface Noticed {
  secret: boolean;
}

/** The columns of what is shown whose values no cache may store. */
export const secretColumns = (fields: readonly FieldModel[], { meta }: Model): readonly string[] =>
  [...fields, ...meta]
    .filter(({ definition: { sensitive, masks } }) => sensitive || masks)
    .map(({ column }) => column);

/** The same view, which notes each secret that it writes. */
export const noticing = (view: View, noticed: Noticed): View =>
  view.secrets.length === 0
    ? view
    : {
        ...view,
        write(row, linkage) {
          if (view.secrets.some((column) => row[column] != null)) noticed.secret = true;
          return view.write(row, linkage);
        },
      };
