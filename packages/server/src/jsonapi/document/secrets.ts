import type { FieldModel, Model } from '../model.ts';
import type { View } from './view-type.ts';

/** Whether the document contains a secret so far. */
export interface SecretUse {
  secret: boolean;
}

/** Columns in the response whose values caches must not store. */
export const secretColumns = (fields: readonly FieldModel[], { meta }: Model): readonly string[] =>
  [...fields, ...meta]
    .filter(({ definition: { sensitive, masks } }) => sensitive || masks)
    .map(({ column }) => column);

/** The view, extended to record in `secret_use` that a secret was written. */
export const withRecordedSecrets = (view: View, secret_use: SecretUse): View =>
  view.secrets.length === 0
    ? view
    : {
        ...view,
        write(row, linkage) {
          if (view.secrets.some((column) => row[column] != null)) secret_use.secret = true;
          return view.write(row, linkage);
        },
      };
