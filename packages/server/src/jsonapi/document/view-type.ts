import type { Row } from '../../platform/database/row.ts';
import type { Model } from '../model.ts';

/** JSON text `,"data":[…]` of a to-many relationship that is part of the document, else nothing. */
export type LinkageText = (relation: string, type: string, id: string) => string;

/** How records of one type look in one document: the columns to read and the text to make of them. */
export interface View {
  readonly model: Model;
  /** The same for views that make the same text of a row. */
  readonly key: string;
  readonly columns: readonly string[];
  /** Columns of secrets. */
  readonly secrets: readonly string[];
  readonly write: (row: Row, linkage: LinkageText) => string;
}
