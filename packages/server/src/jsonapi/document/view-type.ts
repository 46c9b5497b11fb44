import type { Row } from '../../platform/database/row.ts';
import type { Model } from '../model.ts';

/** JSON text `,"data":[…]` of an included to-many relationship; otherwise empty. */
export type LinkageText = (relation: string, type: string, id: string) => string;

/** How one document shows records of a type: columns to read, and a function that writes the JSON text. */
export interface View {
  readonly model: Model;
  /** Equal keys mean equal text for the same row. */
  readonly key: string;
  readonly columns: readonly string[];
  /** Columns that contain secrets. */
  readonly secrets: readonly string[];
  readonly write: (row: Row, linkage: LinkageText) => string;
}
