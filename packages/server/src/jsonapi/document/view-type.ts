import type { Row } from '../../platform/database/row.ts';
import type { Model } from '../model.ts';

/** JSON text `,"data":[…]` of an included to-many relationship, else empty. */
export type LinkageText = (relation: string, type: string, id: string) => string;

/** View of one type's records in one document: the columns to read, and the text to make. */
export interface View {
  readonly model: Model;
  /** Equal for views that make the same text of a row. */
  readonly key: string;
  readonly columns: readonly string[];
  /** Columns of secrets. */
  readonly secrets: readonly string[];
  readonly write: (row: Row, linkage: LinkageText) => string;
}
