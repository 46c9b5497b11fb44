import { pageQuery } from '../../api/queries.ts';
import type { Scope } from '../../api/types.ts';
import type { AttentionItem } from './parts.ts';

/** Counting limit: a larger number would not change the next step. */
const COUNTED_MAX = 50;

/** Query of the records of an open task, at most 50. */
export const attentionQuery = (scope: Scope, { type, filters }: AttentionItem) =>
  pageQuery(scope, type, { ...filters, 'page[size]': String(COUNTED_MAX) });
