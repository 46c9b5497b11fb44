/** What one query may ask for. Beyond is 400 `query_too_costly`, or `invalid_page` for page sizes. */
export const QUERY_TEXT_MAX = 32_768;
export const PARAMETERS_MAX = 100;
export const INCLUDE_PATHS_MAX = 10;
export const INCLUDE_DEPTH_MAX = 3;
export const SORT_KEYS_MAX = 5;
export const FILTERS_MAX = 20;
export const FILTER_HOPS_MAX = 8;
export const FILTER_VALUES_MAX = 500;
export const PAGE_SIZE_DEFAULT = 100;
export const PAGE_SIZE_MAX = 500;
/** How deep number and offset pages reach; PostgreSQL reads and drops every row before. */
export const PAGE_OFFSET_MAX = 10_000;
export const INT32_MAX = 2_147_483_647;
