/**
 * Header that names a cell. In a request without a merchant: the cell that shall answer. In an answer: the cell that has
 * the merchant, after a move.
 */
export const CELL_HEADER = 'florin-cell';
