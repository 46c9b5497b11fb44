/** What one query may ask for. Beyond is 400 `query_too_costly`, or `invalid_page` for page sizes. */
export const QUERY_TEXT_MAX = 32_768;
/** Five keys of the longest text that can be sorted by, each character in six bytes, fit in. */
export const CURSOR_TEXT_MAX = 12_288;
export const PARAMETERS_MAX = 100;
export const INCLUDE_PATHS_MAX = 10;
export const INCLUDE_DEPTH_MAX = 3;
export const SORT_KEYS_MAX = 5;
export const FILTERS_MAX = 20;
export const FILTER_VALUES_MAX = 500;
/** Characters of the text that `like` looks for. */
export const LIKE_LENGTH_MAX = 200;
/** Steps over relationships in one filter or one sort key. */
export const PATH_STEPS_MAX = 8;
/** Weight of all steps of a query: each is a table that PostgreSQL plans for, in more than linear time. */
export const STEPS_WEIGHT_MAX = 24;
export const PAGE_SIZE_DEFAULT = 100;
export const PAGE_SIZE_MAX = 500;
/** How deep number and offset pages reach; PostgreSQL reads and drops every row before. */
export const PAGE_OFFSET_MAX = 10_000;
export const INT32_MAX = 2_147_483_647;
