/** Maximum characters of a query. Limits here answer 400: `query_too_costly`, or `invalid_page` for page sizes. */
export const QUERY_TEXT_MAX = 32_768;
/** Room for five sort keys of the longest sortable text, at six bytes per character. */
export const CURSOR_TEXT_MAX = 12_288;
export const PARAMETERS_MAX = 100;
export const INCLUDE_PATHS_MAX = 10;
export const INCLUDE_DEPTH_MAX = 3;
export const SORT_KEYS_MAX = 5;
export const FILTERS_MAX = 20;
export const FILTER_VALUES_MAX = 500;
/** Maximum characters of a `like` filter's text. */
export const LIKE_LENGTH_MAX = 200;
/** Maximum number of relationship hops in one filter or sort key. */
export const PATH_STEPS_MAX = 8;
/** Maximum weight of all hops in a query. Each hop joins a table, and planning time grows faster than linearly. */
export const STEPS_WEIGHT_MAX = 24;
export const PAGE_SIZE_DEFAULT = 100;
export const PAGE_SIZE_MAX = 500;
/** Maximum offset of number and offset pages. PostgreSQL reads and discards all rows before the offset. */
export const PAGE_OFFSET_MAX = 10_000;
/** Maximum number of records that `page[total]` counts. */
export const TOTAL_MAX = 100_000;
/** Maximum number of records that a sort or a filter without an index may read. A slow machine reads them in a second. */
export const SCANNED_MAX = 200_000;
export const INT32_MAX = 2_147_483_647;
