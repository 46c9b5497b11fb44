/** Limits of one query. Beyond them: 400 `query_too_costly`, or `invalid_page` for page sizes. */
export const QUERY_TEXT_MAX = 32_768;
/** Space for five sort keys of the longest sortable text, six bytes a character. */
export const CURSOR_TEXT_MAX = 12_288;
export const PARAMETERS_MAX = 100;
export const INCLUDE_PATHS_MAX = 10;
export const INCLUDE_DEPTH_MAX = 3;
export const SORT_KEYS_MAX = 5;
export const FILTERS_MAX = 20;
export const FILTER_VALUES_MAX = 500;
/** Length of the text that `like` searches. */
export const LIKE_LENGTH_MAX = 200;
/** Hops over relationships in one filter or sort key. */
export const PATH_STEPS_MAX = 8;
/** Weight of all hops of a query: each adds a table, and planning time grows more than linearly. */
export const STEPS_WEIGHT_MAX = 24;
export const PAGE_SIZE_DEFAULT = 100;
export const PAGE_SIZE_MAX = 500;
/** Depth of number and offset pages; PostgreSQL reads and drops every row before. */
export const PAGE_OFFSET_MAX = 10_000;
export const INT32_MAX = 2_147_483_647;
