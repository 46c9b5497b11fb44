import type { FieldModel, Model } from '../model.ts';
import type { View } from './view-type.ts';

/** Whether the document contains a secret so far. */
export interface SecretUse {
  secret: boolean;
}

/** Shown columns whose values no cache may store. */
export const secretColumns = (fields: readonly FieldModel[], { meta }: Model): readonly string[] =>
  [...fields, ...meta]
    .filter(({ definition: { sensitive, masks } }) => sensitive || masks)
    .map(({ column }) => column);

/** The same view, which records each written secret. */
export const recordingSecrets = (view: View, secret_use: SecretUse): View =>
  view.secrets.length === 0
    ? view
    : {
        ...view,
        write(row, linkage) {
          if (view.secrets.some((column) => row[column] != null)) secret_use.secret = true;
          return view.write(row, linkage);
        },
      };
